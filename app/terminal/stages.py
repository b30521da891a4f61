"""The stages of understanding, printed in the order in which they happen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from app.terminal.explain import Explanation

_HITS_SHOWN = 10


def render(explanation: Explanation) -> RenderableType:
    return Group(*_parts(explanation))


def _parts(e: Explanation) -> Iterator[RenderableType]:
    yield Text.assemble((e.question, "bold"), (f"   on {e.connection}", "dim"))
    yield _rule("tokens", f"{e.lang} · intent {e.intent}")
    yield Text(" ".join(t.text if t.text.lower() == t.lemma else f"{t.text}→{t.lemma}" for t in e.tokens))
    if e.intent != "data":
        yield Text("Answered without rows: nothing further is read.", style="dim")
        return
    yield _rule("schema search", f"best {min(_HITS_SHOWN, len(e.hits))} of {len(e.hits)}")
    yield _grid(
        ("document", "score", "semantic", "lexical"),
        [(h.label, f"{h.score:.3f}", _score(h.semantic), _score(h.lexical)) for h in e.hits[:_HITS_SHOWN]],
    )
    yield _rule("mentions", f"unknown words: {', '.join(e.unknown) or 'none'}")
    yield _grid(
        ("span", "text", "kind", "target", "score", "reason", "used"),
        [
            (f"{m.start}-{m.end}", m.text, m.kind, m.target, f"{m.score:.2f}", m.reason, "●" if m.used else "")
            for m in e.mentions
        ],
    )
    yield _rule("candidates", f"confidence {e.confidence:.3f}")
    for number, candidate in enumerate(e.candidates, 1):
        yield Text.assemble((f"{number}. ", "bold"), candidate.sentence, (f"   score {candidate.score:.3f}", "dim"))
        features = "  ".join(f"{name} {value:g}" for name, value in candidate.features.items() if value)
        yield Padding(Text(features, style="dim"), (0, 0, 0, 3))
    if not e.candidates:
        yield Text(f"None: {e.reason}")
    if e.rejected:
        yield Text(f"Readings that cannot be made: {', '.join(e.rejected)}", style="dim")
    if not e.sql:
        return
    yield _rule("plan", e.reading)
    yield Text("\n".join(e.plan))
    for check in e.checks:
        yield Text(f"check: {check}", style="dim")
    yield _rule("sqlglot tree", "")
    yield Text("\n".join(e.tree), style="dim")
    yield _rule("SQL", "")
    yield Syntax(e.sql, "sql", theme="ansi_light", background_color="default", word_wrap=True)
    if e.guard is not None:
        yield _rule("guard", str(e.guard["verdict"]))
        if e.guard["verdict"] == "allow":
            yield Text(f"reads {', '.join(e.guard['tables'])}")
        else:
            yield Text(f"{e.guard['code']}: {' '.join(e.guard['reasons'])}", style="yellow")


def _rule(title: str, note: str) -> Rule:
    return Rule(Text.assemble((title, "bold"), f"  {note}" if note else ""), align="left", style="dim", characters="─")


def _score(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _grid(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="dim")
    for head in heads:
        table.add_column(head, justify="right" if head in ("score", "semantic", "lexical") else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    return table
