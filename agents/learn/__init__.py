"""What is learned: from a question's words to the sketch of its query, the roles of columns, and the best candidate.

Run time needs numpy alone. The models are files in ``agents/plan/models``, written by ``python -m app.training``; any
may be missing, and the engine then ranks by its rules.
"""
