"""How a question asks: whether there is something, so that a yes or a no comes first."""

from __future__ import annotations

import re

from agents.language.lexicon import load_lexicon
from agents.language.text import detect_language, tokenize

_HAVE = re.compile(r"^(请问)?(我们|这里|店里|公司|现在|目前)?有(?!多少|几|哪|什么|关).*吗[？?。]?$")


def asks_whether(question: str) -> bool:
    """Whether the question asks if something is there: "is there a customer …", "do we have any …", 有没有…, 有…吗."""
    lang = detect_language(question)
    if lang == "zh" and _HAVE.match(question.strip()):
        return True
    return any(hit.concept == "yesno.exists" for hit in load_lexicon(lang).match(tokenize(question, lang), question))
