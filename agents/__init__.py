"""Question to answer: the state-transition table, the language engine, the guard, the specialists and the narrator.

Nothing in this package imports Flask, opens a database or reads a clock; the outside world comes in through the
protocols in :mod:`agents.ports`.
"""
