"""SQLite: what the guard may let through. Everything that is not named here is refused."""

from __future__ import annotations

from typing import Final

from agents.sql.rules import DialectRules, words

NAME: Final = "sqlite"

# Functions that read nothing but their arguments, change nothing, and cannot be made to hang or to fill the memory
# beyond the cell limit. Left out on purpose: load_extension, readfile, writefile, edit, fts3_tokenizer, randomblob,
# zeroblob, sqlite_* (build details), changes, total_changes, last_insert_rowid, full-text and r-tree internals.
FUNCTIONS: Final = words(
    """
    abs acos acosh asin asinh atan atan2 atanh avg ceil ceiling char coalesce concat concat_ws cos cosh count cume_dist
    current_date current_time current_timestamp date datetime degrees dense_rank exp first_value floor format glob
    group_concat hex ifnull iif instr json json_array json_array_length json_extract json_group_array json_group_object
    json_object json_quote json_type json_valid julianday lag last_value lead length like likelihood likely ln log log10
    log2 lower ltrim max min mod nth_value ntile nullif octet_length percent_rank pi pow power printf quote radians
    random rank replace round row_number rtrim sign sin sinh soundex sqrt strftime string_agg substr substring sum tan
    tanh time timediff total trim trunc typeof unhex unicode unixepoch unlikely upper -> ->>
    """
)

# Names under which a rowid table answers to its hidden key.
ROWID_NAMES: Final = frozenset({"rowid", "oid", "_rowid_"})

_SYSTEM_PREFIXES: Final = ("sqlite_", "pragma_")
_SYSTEM_TABLES: Final = frozenset({"dbstat", "json_each", "json_tree", "fts3tokenize", "fts4aux", "fts5vocab"})


def is_system_table(name: str) -> bool:
    """Whether the name belongs to SQLite itself: its schema tables, statistics and table-valued functions."""
    lowered = name.lower()
    return lowered.startswith(_SYSTEM_PREFIXES) or lowered in _SYSTEM_TABLES


_KEYWORDS: Final = words(
    """
    abort action add after all alter always analyze and as asc attach autoincrement before begin between by cascade
    case cast check collate column commit conflict constraint create cross current current_date current_time
    current_timestamp database default deferrable deferred delete desc detach distinct do drop each else end escape
    except exclude exclusive exists explain fail false filter first following for foreign from full generated glob
    group groups having if ignore immediate in index indexed initially inner insert instead intersect into is isnull
    join key last left like limit match materialized natural no not nothing notnull null nulls of offset on or order
    others outer over partition plan pragma preceding primary query raise range recursive references regexp reindex
    release rename replace restrict returning right rollback row rows savepoint select set table temp temporary then
    ties to transaction trigger true unbounded union unique update using vacuum values view virtual when where
    window with without
    """
)

GUARD: Final = DialectRules(
    name=NAME,
    functions=FUNCTIONS,
    formatters=frozenset({"format", "printf"}),
    infix=frozenset({"like", "glob", "match", "regexp", "in", "between", "escape"}),
    # Types whose casts do in SQLite what they say. A cast to DATE does not: it keeps the year as a number.
    cast_types=words(
        """
        INT INTEGER TINYINT SMALLINT MEDIUMINT BIGINT FLOAT DOUBLE DECIMAL TEXT CHAR NCHAR VARCHAR NVARCHAR BLOB
        VARBINARY BOOLEAN USERDEFINED
        """
    ),
    # sqlglot writes REAL for these; SQLite gives them NUMERIC affinity, which keeps whole numbers whole.
    faithful_types={"DECIMAL": "NUMERIC", "BOOLEAN": "NUMERIC"},
    is_system_table=is_system_table,
    schemas=frozenset({"main"}),
    row_ids=ROWID_NAMES,
    flat_set_operations=True,
    keywords=_KEYWORDS,
    advice={
        "year": "Use strftime('%Y', column).",
        "month": "Use strftime('%m', column).",
        "day": "Use strftime('%d', column).",
        "extract": "Use strftime('%Y', column) and the like.",
        "date_trunc": "Use strftime('%Y-%m-01', column) and the like.",
        "date_format": "Use strftime(format, column).",
        "to_char": "Use strftime(format, column).",
        "now": "Use datetime('now').",
        "curdate": "Use date('now').",
        "getdate": "Use datetime('now').",
        "date_add": "Use date(column, '+1 day').",
        "date_sub": "Use date(column, '-1 day').",
        "datediff": "Use julianday(a) - julianday(b).",
        "left": "Use substr(text, 1, n).",
        "right": "Use substr(text, -n).",
        "len": "Use length(text).",
        "nvl": "Use coalesce(a, b).",
        "isnull": "Use coalesce(a, b) or IS NULL.",
        "if": "Use iif(condition, a, b) or CASE.",
        "regexp_like": "Use LIKE or GLOB.",
        "cast date": "Use date(column).",
        "cast datetime": "Use datetime(column).",
        "cast timestamp": "Use datetime(column).",
    },
)
