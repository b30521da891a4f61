"""Learning the scorer: the engine's candidates for questions with known SQL, labelled by what they return; the fit.

``python -m app.training --data DIR`` needs the ``train`` extra. Nothing here is imported when questions are answered.
"""
