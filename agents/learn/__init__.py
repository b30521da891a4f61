"""What is learned: from the words of a question to the sketch of its query, the roles of columns, and the best candidate.

Run time needs numpy alone. The models are files in ``agents/plan/models``, written by ``python -m app.training``; each may
be missing, and the engine then ranks by its rules.
"""
