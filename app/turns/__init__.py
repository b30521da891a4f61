"""Running questions: started in the background, told to the store event by event, watched from any process."""

from app.turns.service import TurnService

__all__ = ["TurnService"]
