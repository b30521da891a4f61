"""Names and values said in Chinese, where nothing separates the words: every substring may mean something."""

from __future__ import annotations

from collections.abc import Sequence

from agents.language.bilingual import compounds
from agents.language.ir import ColumnTarget, Mention
from agents.language.names import FULL_NAME, Element, NameIndex
from agents.language.synonyms import SYNONYM, synonyms
from agents.language.text import Token, shadow
from agents.language.values import ValueIndex

_TRANSLATED, _TRANSLATED_PART = 0.93, 0.9
"""What a name loses that is said in the other language, in whole and in part."""
_GENERIC = frozenset({"amount", "code", "date", "name", "number", "time", "type", "value"})
"""Words that a Chinese compound may end in where the English name does not."""
_BEFORE_A_WORD = frozenset("个名位种本部场门所只辆架座条件家各每")


def chinese_mentions(text: str, tokens: Sequence[Token], names: NameIndex, values: ValueIndex) -> list[Mention]:
    """Names and values that contain Chinese: any substring, since nothing separates the words."""
    folded = shadow(text)
    found: list[Mention] = []
    if not any(ord(c) > 0x2E7F for c in folded):
        return found
    alone = {(t.start, t.end) for t in tokens if len(t.text) == 1}
    for length in names.cjk_lengths:
        for start in range(len(folded) - length + 1):
            if length == 1 and (start, start + 1) not in alone:
                # One character inside a word ("州" of "德州") is a piece of that word.
                continue
            for match in names.cjk(folded[start : start + length]):
                end = start + length
                found.append(Mention(start, end, text[start:end], match.element, match.score, match.reason))
    found += _synonyms(text, folded, names)
    found += _translated(text, folded, alone, names)
    for length in values.cjk_lengths:
        for start in range(len(folded) - length + 1):
            piece = folded[start : start + length]
            single = length == 1 and (piece not in _GENDERS or not _is_gender(folded, start, alone))
            if single or not any(ord(c) > 0x2E7F for c in piece):
                continue
            for value in values.lookup(piece):
                end = start + length
                found.append(Mention(start, end, text[start:end], value.target, value.score, value.reason))
    return found


_GENDERS = frozenset("男女")
_GENDER_INSIDE = (frozenset("妇子儿美少男女孙处仙"), frozenset("性士人儿婿友子朋巫王神厕女男孩装款鞋"))
"""Characters before and behind that make one word with it, which says no gender of a thing: 子女, 女士."""


def _is_gender(text: str, at: int, alone: set[tuple[int, int]]) -> bool:
    """女歌手, 男员工: the gender of what follows, though a dictionary may have both as one word."""
    before, behind = text[at - 1 : at] if at else "", text[at + 1 : at + 2]
    if (at, at + 1) in alone:
        return True
    return bool(behind) and behind > "\u2e7f" and before not in _GENDER_INSIDE[0] and behind not in _GENDER_INSIDE[1]


def _synonyms(text: str, folded: str, names: NameIndex) -> list[Mention]:
    found: list[Mention] = []
    for (word,), others in synonyms("zh").items():
        start = folded.find(word)
        while start >= 0:
            end = start + len(word)
            if not names.cjk(word):
                for (other,) in others:
                    for match in names.cjk(other):
                        score, reason = match.score * SYNONYM, f"synonym {other}"
                        found.append(Mention(start, end, text[start:end], match.element, score, reason))
            start = folded.find(word, end)
    return found


def _translated(text: str, folded: str, alone: set[tuple[int, int]], names: NameIndex) -> list[Mention]:
    """English names said in Chinese: 公寓类型代码 for ``apt_type_code``."""
    best: dict[tuple[int, int, Element], Mention] = {}
    for start in range(len(folded)):
        for compound in compounds(folded, start):
            end = compound.end
            single = end - start == 1
            before = folded[start - 1 : start] if start else ""
            if single and (before.isdigit() or ((start, end) not in alone and before not in _BEFORE_A_WORD)):
                # 年 behind a number is part of a date, 天 part of a length of time; 5个人 counts people.
                continue
            for reading in compound.readings:
                matches = [(m, _TRANSLATED) for m in names.whole(reading)]
                if not matches and len(reading) > 1 and reading[-1] in _GENERIC:
                    # 歌手的国家名称 for a column called country.
                    matches = [
                        (m, _TRANSLATED_PART) for m in names.whole(reading[:-1]) if isinstance(m.element, ColumnTarget)
                    ]
                matches += [(m, _TRANSLATED_PART) for m in names.partial(reading)[:8] if not single]
                for match, factor in matches:
                    score = match.score * factor
                    known = best.get((start, end, match.element))
                    if known is None or known.score < score:
                        said = " ".join(reading)
                        reason = match.reason if match.reason == FULL_NAME else f"means {said!r}"
                        best[(start, end, match.element)] = Mention(
                            start, end, text[start:end], match.element, score, reason
                        )
    return list(best.values())
