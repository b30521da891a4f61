"""Sets of names that people know in many spellings: countries, languages, months, states, colours, yes and no."""

from agents.language.known.families import Family, Spelling, families
from agents.language.known.recognise import Alias, Known, recognise

__all__ = ["Alias", "Family", "Known", "Spelling", "families", "recognise"]
