"""A gallery of every page state, served with the real templates, style sheet and strict CSP, but sample data.

    python tests/browser/gallery.py [PORT]     then open http://127.0.0.1:8200/

The address of a state is ``/gallery/<name>``; ``?theme=dark`` chooses the night.
"""

from __future__ import annotations

import re
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

from babel.messages.pofile import read_po
from flask import Flask, Response, redirect, render_template, request
from markupsafe import Markup, escape

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(Path(__file__).parent))

import gallery_answers as answers  # noqa: E402
import gallery_states as samples  # noqa: E402
import gallery_tables as tables  # noqa: E402

from agents.artifacts import MentionEvidence  # noqa: E402

CSP = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
)
STATE_LABELS = {
    "en": {
        "route": "Route",
        "retrieve": "Searching the schema",
        "plan": "Planning",
        "generate": "Writing SQL",
        "guard": "Checking",
        "execute": "Running",
        "analyse": "Analysing",
        "synthesize": "Writing",
    },
    "zh": {
        "route": "判断意图",
        "retrieve": "检索表结构",
        "plan": "制定计划",
        "generate": "生成 SQL",
        "guard": "检查",
        "execute": "执行",
        "analyse": "分析",
        "synthesize": "撰写",
    },
}
WORDS = re.compile(
    r"(--[^\n]*)|('(?:[^']|'')*')|\b(SELECT|FROM|JOIN|ON|WHERE|AND|GROUP|BY|ORDER|LIMIT|AS|SUM)\b|\b(\d+)\b"
)


def highlight_sql(sql: str) -> Markup:
    def mark(match: re.Match[str]) -> str:
        kind = "csk?n"[(match.lastindex or 1) - 1] if match.lastindex != 4 else "n"
        return f'<span class="{kind}">{escape(match.group())}</span>'

    pieces, last = [], 0
    for match in WORDS.finditer(sql):
        pieces += [str(escape(sql[last : match.start()])), mark(match)]
        last = match.end()
    return Markup("".join(pieces) + str(escape(sql[last:])))


def mention_spans(question: str, mentions: tuple[MentionEvidence, ...]) -> list[tuple[str, str | None, str]]:
    spans: list[tuple[str, str | None, str]] = []
    at = 0
    for mention in sorted((m for m in mentions if m.used), key=lambda m: m.start):
        spans += [
            (question[at : mention.start], None, ""),
            (mention.text, f"kind-{mention.kind}", f"{mention.target} ({mention.reason})"),
        ]
        at = mention.end
    return [span for span in (*spans, (question[at:], None, "")) if span[0]]


def ago(_moment: datetime) -> str:
    return "昨天" if language() == "zh" else "yesterday"


def ms(value: float) -> str:
    return f"{value / 1000:.1f} s" if value >= 1000 else f"{value:.0f} ms" if value >= 10 else f"{value:.1f} ms"


def translations() -> dict[str, str]:
    with (ROOT / "app" / "translations" / "zh.po").open("rb") as file:
        return {str(message.id): str(message.string) for message in read_po(file, locale="zh") if message.id}


def language() -> str:
    name = (request.view_args or {}).get("name", "") if request else ""
    return str(samples.STATES[name][1].shell.lang) if name in samples.STATES else "en"


def make_gallery() -> Flask:
    app = Flask("gallery", template_folder=str(ROOT / "templates"), static_folder=str(ROOT / "static"))
    chinese = translations()
    app.jinja_env.add_extension("jinja2.ext.i18n")

    def gettext(text: str) -> str:
        return chinese.get(text, text) if language() == "zh" else text

    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]
        gettext, lambda one, many, n: gettext(one if n == 1 else many), newstyle=True
    )
    app.jinja_env.globals.update(
        csrf_token=lambda: "sample-token",
        highlight_sql=highlight_sql,
        mention_spans=mention_spans,
        ago=ago,
        ms=ms,
        table_page=tables.table_page,
        state_label=lambda state: STATE_LABELS[language()].get(state, state),
    )
    app.context_processor(lambda: {"theme_choice": request.args.get("theme", ""), "here": request.full_path})

    @app.after_request
    def strict(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = CSP
        return response

    @app.get("/")
    def index() -> str:
        return "".join(
            f'<p><a href="/gallery/{name}">{name}</a> <a href="/gallery/{name}?theme=dark">night</a></p>'
            for name in samples.STATES
        )

    @app.get("/gallery/<name>")
    def state(name: str) -> str:
        template, page = samples.STATES[name]
        return render_template(template, page=page)

    def fragment(template: str, **names: Any) -> str:
        return render_template(f"_partials/{template}.html", **names)

    def back(**_: str) -> Any:
        return redirect("/")

    def ask(conn: str) -> Any:
        if request.form.get("question") == "fail":
            return fragment("problem", problem=samples.EMPTY_QUESTION), 422
        if request.form.get("question") == "crash":
            return "no", 500
        if not request.headers.get("HX-Request"):
            return redirect("/gallery/answered")
        view = samples.turn("running", state="plan", artifacts=(), text=None, rows=None, ms=None)
        page = samples.workspace(view)
        body = fragment("turn", turn=view, workspace_id="ws1") + fragment(
            "thread", turns=page.turns, earlier=page.earlier, conn=conn, oob=True
        )
        return body + fragment("evidence", turn=view, oob=True), 200, {"HX-Push-Url": "/gallery/answered"}

    def fragments(conn: str, turn: str) -> Any:
        view = samples.turn(why=answers.evidence())
        after = int(request.args.get("after", 0))
        if after >= 20:
            return "", 204
        pieces = [
            fragment("artifact", artifact=a, turn_id=turn, conn=conn, oob=True) for a in (*view.artifacts, answers.TEXT)
        ]
        return (
            "".join(pieces) + fragment("done", turn=view, summary=samples.workspace(view).turns[-1]),
            200,
            {"X-Starchart-Seq": "20"},
        )

    for rule, endpoint, view, methods in (
        ("/c/<conn>/", "workspace.new", back, ["GET"]),
        (
            "/c/<conn>/schema",
            "schema.browse",
            lambda conn: render_template("pages/schema.html", page=samples.SCHEMA),
            ["GET"],
        ),
        ("/c/<conn>/glossary", "glossary.edit_page", back, ["GET"]),
        ("/c/<conn>/glossary", "glossary.save", back, ["POST"]),
        ("/c/<conn>/ask", "workspace.ask", ask, ["POST"]),
        ("/c/<conn>/turns/<turn>/stop", "workspace.stop", lambda conn, turn: ("", 204), ["POST"]),
        ("/c/<conn>/turns/<turn>/fragments", "workspace.fragments", fragments, ["GET"]),
        (
            "/c/<conn>/charts/<turn>/<artifact>.json",
            "charts.data",
            lambda conn, turn, artifact: answers.chart_data(request.args.get("chart", "line")),
            ["GET"],
        ),
        ("/c/<conn>/charts/<turn>/<artifact>.svg", "charts.svg", back, ["GET"]),
        (
            "/c/<conn>/frames/<frame>",
            "frames.page",
            lambda conn, frame: fragment(
                "table_page", table=tables.table_page(tables.WIDE if frame == "wide" else tables.TABLE)
            ),
            ["GET"],
        ),
        ("/language", "preferences.language", back, ["POST"]),
        ("/theme", "preferences.theme", back, ["POST"]),
    ):
        app.add_url_rule(rule, endpoint, view, methods=methods)
    return app


if __name__ == "__main__":
    make_gallery().run(port=int(sys.argv[1]) if len(sys.argv) > 1 else 8200, threaded=True)
