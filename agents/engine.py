"""The rule engine of one connection: question in, scored candidate plans out. No model, no network, no clock of its
own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from agents.artifacts import HitEvidence
from agents.catalog import Table
from agents.language.ir import ColumnTarget, MeasureTarget, TableTarget
from agents.language.lexicon import load_lexicon
from agents.language.link import Linked, Linker
from agents.language.names import Element, NameIndex
from agents.language.text import Language, detect_language, tokenize
from agents.learn.scorer import Ranking, Scorer, default_scorer
from agents.plan.checks import check_text, inferred_keys
from agents.plan.explain import explain, filter_text
from agents.plan.features import is_content, reading_features
from agents.plan.graph import KeyGraph
from agents.plan.read.assign import Assignment, assignments, table_of
from agents.plan.read.compile import Compiled, Compiler
from agents.plan.read.draft import Draft, Item, Reading
from agents.plan.read.follow_up import bare, is_complete, is_fragment, merge
from agents.plan.read.passes import read, unsupported
from agents.plan.read.shown import CannotCompile
from agents.plan.read.variants import PENALTY, variants
from agents.plan.score import Weights, default_weights
from agents.plan.trust import (
    AGREED_LEARNED,
    AGREED_RULES,
    AGREED_TABLES,
    SURE_ENOUGH,
    is_dated,
    is_learned,
    keeps_or,
    needed,
    or_said,
)
from agents.ports import Connection
from agents.retrieval.documents import Document
from agents.retrieval.hybrid import MEANING_MARGIN, SAME_MEANING
from agents.sql.lower import to_sql
from agents.understood import Candidate, Understood

MAX_CANDIDATES = 16
NEARNESS = 0.4
"""What a follow-up gains for each table of the question before it that its words are about."""
CUT_OTHERWISE = 6
"""How many readings of a question that is cut up in the next best way compete."""
VARIED = 4
"""Of how many readings, the likeliest first, the variants compete too."""

Lap = Callable[[str], None]
"""Told of each stage of a reading when it has ended: ``link``, ``assign``, ``read``, ``compile``, ``score``."""


def _untimed(stage: str) -> None:
    """Nobody measures."""


class Engine:
    """Reads questions about one connection. Built once per catalog; safe to share between threads."""

    def __init__(
        self,
        connection: Connection,
        *,
        weights: Weights | None = None,
        week_start: int = 0,
        scorer: Scorer | None = None,
    ) -> None:
        self.connection = connection
        self._names = NameIndex(connection.catalog, connection.glossary)
        self._graph = KeyGraph(connection.catalog)
        self._compiler = Compiler(connection.catalog, connection.glossary, self._graph)
        fiscal_start = connection.glossary.fiscal_year_start
        self._linker = Linker(self._names, connection.values, self._similar, fiscal_start_month=fiscal_start)
        self._weights = weights or default_weights()
        self._week_start = week_start
        self._scorer = scorer or default_scorer()
        self._prepared = bool(connection.glossary.tables or connection.glossary.measures)

    def route(self, question: str) -> tuple[Language, str]:
        """Language and intent: ``data``, ``schema``, ``write``, ``talk`` (greeting, thanks, help) by the lexicon."""
        lang = detect_language(question)
        tokens = tokenize(question, lang)
        hits = load_lexicon(lang).match(tokens, question)
        concepts = {hit.concept for hit in hits}
        if any(c.startswith("write") for c in concepts):
            return lang, "write"
        if any(c.startswith("schema") for c in concepts):
            return lang, "schema"
        talk = next((c for c in sorted(concepts) if c.startswith("talk")), "")
        if talk:
            words = [t for t in tokens if t.kind in ("word", "cjk", "number", "quoted")]
            covered = sum(
                any(h.start <= t.start and t.end <= h.end for h in hits if h.concept.startswith("talk")) for t in words
            )
            if covered * 2 >= len(words):
                return lang, talk
        return lang, "data"

    def named_table(self, question: str) -> Table | None:
        """The table that a question about the schema names; ``None`` when it asks about the database as a whole."""
        spoken = detect_language(question)
        linked = self._linker.link(question, spoken, datetime(2000, 1, 1))
        for slot in linked.slots:
            for mention in slot:
                if isinstance(mention.target, TableTarget) and mention.score >= 0.8:
                    return self.connection.catalog.table(mention.target.table)
        return None

    def continues(self, question: str, earlier: Sequence[str]) -> tuple[str, ...]:
        """The earlier questions of a session that this one goes on from, oldest first; empty for a complete question.

        :param earlier: the session's questions, oldest first.
        """
        if not self._is_fragment(question):
            return ()
        chain: list[str] = []
        for one in reversed(earlier):
            chain.insert(0, one)
            if not self._is_fragment(one):
                return tuple(chain)
        return ()

    def _is_fragment(self, question: str) -> bool:
        spoken = detect_language(question)
        if not is_fragment(question, spoken):
            return False
        # What the times are called matters here, not when they are.
        return not is_complete(self._linker.link(question, spoken, datetime(2000, 1, 1)))

    def read_on(
        self, question: str, chain: Sequence[str], lang: Language, now: datetime, hits: Sequence[HitEvidence] = ()
    ) -> Understood:
        """Candidate plans for a question that goes on from others (see :meth:`continues`): each fragment changes the
        draft before it. Where it changes nothing, what it says by itself is all there is. Fragments that were declined
        changed nothing; where the question they began with was declined, there is nothing to go on from."""
        draft = _answered(self.read(chain[0], lang, now, hits))
        if draft is None:
            alone = self.read(question, lang, now, hits)
            return replace(alone, candidates=(), confidence=0.0, reason="no_ground", unknown=(), failed=None)
        for fragment in chain[1:]:
            draft = _answered(self._changed(draft, fragment, lang, now, ())) or draft
        return self._changed(draft, question, lang, now, hits)

    def _changed(
        self, base: Draft, fragment: str, lang: Language, now: datetime, hits: Sequence[HitEvidence]
    ) -> Understood:
        """What a fragment makes of the draft before it; what it says by itself where it changes nothing."""
        candidates = self._merged(base, fragment, lang, now, hits)
        if not candidates:
            return self.read(fragment, lang, now, hits)
        linked = self._link(fragment, now)
        reason, detail = candidates[0].problem or ("", "")
        return Understood(lang, linked, candidates, self._confidence(candidates), reason, detail, _words(linked))

    def _merged(
        self, base: Draft, fragment: str, lang: Language, now: datetime, hits: Sequence[HitEvidence]
    ) -> tuple[Candidate, ...]:
        catalog, glossary = self.connection.catalog, self.connection.glossary
        linked = self._link(bare(fragment), now)
        retrieved = {hit.label: hit.score for hit in hits}
        used = {f.target.table for f in base.filters if f.target is not None}
        used |= {m.target.table for m in base.measures if isinstance(m.target, (ColumnTarget, TableTarget))}
        found: dict[str, Candidate] = {}
        for assignment in assignments(linked, self._graph, glossary, retrieved, catalog.dialect):
            items = tuple(Item(at, mention) for at, mention in enumerate(assignment.mentions))
            reading = read(Reading(linked, items, catalog, glossary, values=self.connection.values))
            draft = merge(base, reading)
            if draft is None:
                continue
            try:
                compiled = self._compiler.compile(draft, lang)
            except CannotCompile:
                continue
            for one in compiled[:2]:
                candidate = self._candidate(one, replace(reading, draft=draft), assignment, lang)
                if not candidate.features["link"]:
                    # Nothing of the schema was said ("and for 2023?"): the rest stands as it was read.
                    features = {**candidate.features, "link": 1.0}
                    candidate = replace(candidate, features=features, score=self._weights.score(features))
                # What the conversation is about already is meant rather than something else.
                tables = {t for m in assignment.mentions if (t := table_of(m)) is not None}
                candidate = replace(candidate, score=candidate.score + NEARNESS * len(tables & used))
                _keep(found, candidate)
        return _best(found)

    def read(
        self, question: str, lang: Language, now: datetime, hits: Sequence[HitEvidence] = (), lap: Lap = _untimed
    ) -> Understood:
        """Candidate plans for a data question.

        :param lang: language of the labels and of the plan in words.
        :param hits: what schema search found; their scores are one feature among others.
        :param lap: called at the end of each stage, many times for those that every assignment goes through.
        """
        linked = self._link(question, now)
        lap("link")
        unknown = _words(linked)
        if not any(is_content(m) for slot in linked.slots for m in slot):
            return Understood(lang, linked, (), 0.0, "nothing_known", "", unknown)
        retrieved = {hit.label: hit.score for hit in hits}
        catalog, glossary = self.connection.catalog, self.connection.glossary
        candidates: dict[str, Candidate] = {}
        reasons: list[CannotCompile] = []
        failed: CannotCompile | None = None
        varied = 0
        chosen = assignments(linked, self._graph, glossary, retrieved, catalog.dialect)
        lap("assign")
        ways = [(linked, assignment) for assignment in chosen]
        if linked.other is not None and not self._prepared:
            # Where nothing learned decides between them, another way to cut the question would only be a doubt.
            cut = assignments(linked.other, self._graph, glossary, retrieved, catalog.dialect, limit=CUT_OTHERWISE)
            ways += [(linked.other, replace(one, regret=one.regret + linked.other.loss)) for one in cut]
        for way, assignment in ways:
            items = tuple(Item(at, mention) for at, mention in enumerate(assignment.mentions))
            reading = read(Reading(way, items, catalog, glossary, values=self.connection.values))
            lap("read")
            try:
                compiled = self._compiler.compile(reading.draft, lang)
            except CannotCompile as error:
                failed = error if assignment is chosen[0] else failed
                reasons.append(error)
                continue
            finally:
                lap("compile")
            made = [self._candidate(one, reading, assignment, lang) for one in compiled]
            if varied < VARIED and linked.lang == "en" and not self._prepared:
                # Where nothing learned decides between them, variants would only be doubts.
                varied += 1
                made += self._variants(reading, assignment, lang)
            for candidate in made:
                _keep(candidates, candidate)
            lap("score")
        ranked = _best(candidates)
        rejected = tuple(dict.fromkeys(e.reason for e in reasons))
        if not ranked:
            first = reasons[0] if reasons else CannotCompile("nothing_asked")
            return Understood(lang, linked, (), 0.0, first.reason, first.detail, unknown, rejected, first)
        confidence = by_rules = self._confidence(ranked)
        above = SURE_ENOUGH
        learned = self._learned(linked, ranked)
        if learned is not None:
            by_rules_first = ranked[0]
            ranked = tuple(ranked[n] for n in sorted(range(len(ranked)), key=lambda n: -learned.scores[n]))
            confidence = learned.confidence
            above = learned.answer_above
            few = not learned.encoded or len(catalog.tables) <= AGREED_TABLES
            if ranked[0] is by_rules_first and by_rules >= AGREED_RULES and few:
                above = min(above, AGREED_LEARNED)
        elif not self._prepared:
            above = needed(linked, ranked[0].mentions)
        reason, detail = ranked[0].problem or ("", "")
        return Understood(
            lang, linked, ranked, confidence, reason, detail, unknown, rejected, failed, above, learned is not None
        )

    def _link(self, text: str, now: datetime) -> Linked:
        return self._linker.link(text, detect_language(text), now, week_start=self._week_start)

    def _confidence(self, ranked: Sequence[Candidate]) -> float:
        """Of the first of the candidates, by the rules."""
        return self._weights.confidence(ranked[0].score, ranked[1].score if len(ranked) > 1 else None)

    def _learned(self, linked: Linked, ranked: Sequence[Candidate]) -> Ranking | None:
        """What the learned scorer makes of the candidates, where it was trained for it: English questions to databases
        that nobody has written a glossary for. ``None`` elsewhere, and where a learned part is missing.

        Questions about moments and periods, and derived measures, were hardly among what it learned from: the rules,
        which read them exactly, stand.
        """
        if linked.lang != "en" or self._prepared or is_dated(linked) or not is_learned(ranked[0].plan, ranked[0].draft):
            return None
        return self._scorer.rank(linked, ranked, self.connection.catalog)

    def _variants(self, reading: Reading, assignment: Assignment, lang: Language) -> list[Candidate]:
        found: list[Candidate] = []
        for name, draft in variants(reading.draft):
            try:
                compiled = self._compiler.compile(replace(draft, problems=list(draft.problems)), lang)
            except CannotCompile:
                continue
            made = self._candidate(compiled[0], reading, assignment, lang)
            features = {**made.features, f"variant_{name}": 1.0}
            found.append(replace(made, features=features, score=made.score - PENALTY))
        return found

    def _candidate(self, compiled: Compiled, reading: Reading, assignment: Assignment, lang: Language) -> Candidate:
        features = {**dict(compiled.features), **reading_features(reading, assignment)}
        features["extra_ways"] = max(0.0, features.pop("ways") - 1.0)
        phrase = unsupported(reading)
        problem = ("not_expressible", phrase.mention.text) if phrase is not None else None
        if problem is None and reading.draft.problems:
            problem = (reading.draft.problems[0], "")
        if problem is None and not keeps_or(compiled.plan) and (said := or_said(assignment.mentions)):
            problem = ("not_expressible", said)
        features["problem"] = float(problem is not None)
        sentence, chips = explain(compiled, self.connection.glossary, lang)
        checks = (*compiled.checks, *inferred_keys(compiled.plan))
        joint = "；" if lang == "zh" else " · "
        filters = joint.join(filter_text(f, self.connection.glossary, lang) for f in compiled.draft.filters)
        return Candidate(
            plan=compiled.plan,
            sql=to_sql(compiled.plan, self.connection.catalog.dialect),
            sentence=sentence,
            chips=chips,
            filters=filters,
            checks=tuple(check_text(check, self.connection.glossary, lang) for check in checks),
            features=features,
            score=self._weights.score(features),
            used=frozenset((reading.items[at].mention.start, reading.items[at].mention.end) for at in reading.used),
            mentions=assignment.mentions,
            draft=compiled.draft,
            problem=problem,
        )

    def _similar(self, phrases: Sequence[str]) -> list[list[tuple[Element, float]]]:
        retriever = self.connection.retriever
        nearest = getattr(retriever, "column_similarity", None)
        if nearest is None:
            return [[] for _ in phrases]
        found: list[list[tuple[Element, float]]] = []
        for documents in nearest(phrases):
            near = [
                (e, cosine) for document, cosine in documents if (e := _element(document)) and cosine >= SAME_MEANING
            ]
            # Names of one table's parts are near one another; only a rival elsewhere makes the first uncertain.
            rival = next((c for e, c in near[1:] if _owner(e) != _owner(near[0][0])), 0.0)
            sure = bool(near) and near[0][1] >= SYNONYM and near[0][1] - rival >= MEANING_MARGIN
            found.append([(e, 0.5 + 0.45 * c if sure else 0.3 + 0.35 * c) for e, c in near])
        return found


SYNONYM = 0.75
"""The centred cosine from which a phrase is taken for another word for the name ("clients", "customers"). Below it
the two
are only about the same things ("flights", "airports": .62), and a reading that needs the link is a guess."""


def _keep(found: dict[str, Candidate], candidate: Candidate) -> None:
    """Of readings with the same SQL the best stays."""
    known = found.get(candidate.sql)
    if known is None or known.score < candidate.score:
        found[candidate.sql] = candidate


def _best(found: dict[str, Candidate]) -> tuple[Candidate, ...]:
    return tuple(sorted(found.values(), key=lambda c: -c.score))[:MAX_CANDIDATES]


def _words(linked: Linked) -> tuple[str, ...]:
    return tuple(token.text for token in linked.unknown)


def _answered(understood: Understood) -> Draft | None:
    """The draft behind an answer; ``None`` where the question was declined."""
    best = understood.candidates[0] if understood.candidates else None
    if best is None or best.problem is not None or understood.confidence < understood.answer_above:
        return None
    return best.draft


def _element(document: Document) -> Element | None:
    match document.kind:
        case "table":
            return TableTarget(document.table)
        case "column":
            return ColumnTarget(document.table, document.column)
        case "metric":
            return MeasureTarget(document.metric)
    return None


def _owner(element: Element) -> str:
    return element.name if isinstance(element, MeasureTarget) else element.table
