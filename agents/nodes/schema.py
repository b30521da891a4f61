"""Schema: questions about the database itself, answered from the cached catalog without touching the data."""

from __future__ import annotations

import pyarrow as pa

from agents.artifacts import FrameColumn, TableArtifact
from agents.catalog import Catalog, Kind, Table
from agents.nodes.base import Node, Result, Tools
from agents.plan.labels import humanize
from agents.state import TurnState
from agents.table import Outcome, State

_TEXTS = {
    "en": {
        "tables": "Tables in this database",
        "columns": "Columns of {}",
        "table": "table",
        "rows": "rows",
        "width": "columns",
        "about": "about",
        "column": "column",
        "type": "type",
        "key": "key",
        "examples": "examples",
    },
    "zh": {
        "tables": "数据库中的表",
        "columns": "{} 的列",
        "table": "表",
        "rows": "行数",
        "width": "列数",
        "about": "说明",
        "column": "列",
        "type": "类型",
        "key": "键",
        "examples": "示例",
    },
}


def run(turn: TurnState, tools: Tools) -> Result:
    words = _TEXTS[turn.lang]
    table = tools.engine.named_table(turn.question)
    if table is None:
        title, data, columns = words["tables"], *_tables(tools, turn.lang)
    else:
        title, data, columns = words["columns"].format(table.name), *_columns(table, tools, turn.lang)
    frame = tools.frames.put(data, columns, total=data.num_rows, truncated=False)
    update = {
        "columns": columns,
        "frame": frame,
        "artifacts": (TableArtifact(id="table", title=title, frame=frame),),
    }
    return Result(Outcome.ANSWERED, update)


def _tables(tools: Tools, lang: str) -> tuple[pa.Table, tuple[FrameColumn, ...]]:
    words, glossary = _TEXTS[lang], tools.connection.glossary
    catalog: Catalog = tools.connection.catalog
    data = pa.table(
        {
            "table": pa.array([t.name for t in catalog.tables], pa.string()),
            "about": pa.array(
                [glossary.table(t.name).description.get(lang) or t.comment or humanize(t.name) for t in catalog.tables],
                pa.string(),
            ),
            "rows": pa.array([t.rows for t in catalog.tables], pa.int64()),
            "columns": pa.array([len(t.columns) for t in catalog.tables], pa.int64()),
        }
    )
    return data, (
        FrameColumn(name="table", label=words["table"], kind=Kind.TEXT),
        FrameColumn(name="about", label=words["about"], kind=Kind.TEXT),
        FrameColumn(name="rows", label=words["rows"], kind=Kind.INTEGER),
        FrameColumn(name="columns", label=words["width"], kind=Kind.INTEGER),
    )


def _columns(table: Table, tools: Tools, lang: str) -> tuple[pa.Table, tuple[FrameColumn, ...]]:
    words, glossary = _TEXTS[lang], tools.connection.glossary
    visible = [c for c in table.columns if not glossary.column(table.name, c.name).hidden]
    referred = {name: f"→ {key.ref_table}" for key in table.foreign_keys for name in key.columns}
    keys = ["●" if c.name in table.primary_key else referred.get(c.name, "") for c in visible]
    data = pa.table(
        {
            "column": pa.array([c.name for c in visible], pa.string()),
            "type": pa.array([c.type or str(c.kind) for c in visible], pa.string()),
            "key": pa.array(keys, pa.string()),
            "about": pa.array(
                [glossary.column(table.name, c.name).description.get(lang) or c.comment for c in visible], pa.string()
            ),
            "examples": pa.array([", ".join(str(v) for v in c.samples[:4]) for c in visible], pa.string()),
        }
    )
    names = ("column", "type", "key", "about", "examples")
    return data, tuple(FrameColumn(name=name, label=words[name], kind=Kind.TEXT) for name in names)


NODE = Node(State.SCHEMA, frozenset({"question", "lang"}), frozenset({"columns", "frame", "artifacts"}), run)
