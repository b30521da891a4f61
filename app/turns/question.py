"""What may be asked at all: the text is cleaned and measured before anything is started."""

from __future__ import annotations

import unicodedata

from agents.errors import QuestionError

LONGEST = 2000


def clean_question(text: str) -> str:
    """The question without control characters, with line breaks and tabs as spaces.

    :raises QuestionError: ``question.empty`` when nothing is left, ``question.too_long`` beyond :data:`LONGEST`
        characters.
    """
    spaced = "".join(" " if character.isspace() else character for character in text)
    # Cc: control, Cs: half of a character, Co/Cn: private or unassigned. Cf stays: emoji and Indic scripts join by it.
    kept = "".join(character for character in spaced if unicodedata.category(character) not in ("Cc", "Cs", "Co", "Cn"))
    question = kept.strip()
    if not any(unicodedata.category(character)[0] not in "CZ" for character in question):
        raise QuestionError(
            "question.empty", "There is no question yet.", "Write what you want to know about the data."
        )
    if len(question) > LONGEST:
        raise QuestionError(
            "question.too_long",
            "The question is longer than 2,000 characters.",
            "Shorten it to the one thing you want to know; the text is still in the box.",
        )
    return question
