"""SQLite: what the guard may let through. Everything that is not named here is refused."""

from __future__ import annotations

from typing import Final

NAME: Final = "sqlite"

# Functions that read nothing but their arguments, change nothing, and cannot be made to hang or to fill the memory
# beyond the cell limit. Left out on purpose: load_extension, readfile, writefile, edit, fts3_tokenizer, randomblob,
# zeroblob, sqlite_* (build details), changes, total_changes, last_insert_rowid, full-text and r-tree internals.
FUNCTIONS: Final = frozenset(
    """
    abs acos acosh asin asinh atan atan2 atanh avg ceil ceiling char coalesce concat concat_ws cos cosh count cume_dist
    current_date current_time current_timestamp date datetime degrees dense_rank exp first_value floor format glob
    group_concat hex ifnull iif instr json json_array json_array_length json_extract json_group_array json_group_object
    json_object json_quote json_type json_valid julianday lag last_value lead length like likelihood likely ln log log10
    log2 lower ltrim max min mod nth_value ntile nullif octet_length percent_rank pi pow power printf quote radians
    random rank replace round row_number rtrim sign sin sinh soundex sqrt strftime string_agg substr substring sum tan
    tanh time timediff total trim trunc typeof unhex unicode unixepoch unlikely upper -> ->>
    """.split()
)

# Names under which a rowid table answers to its hidden key.
ROWID_NAMES: Final = frozenset({"rowid", "oid", "_rowid_"})

_SYSTEM_PREFIXES: Final = ("sqlite_", "pragma_")
_SYSTEM_TABLES: Final = frozenset({"dbstat", "json_each", "json_tree", "fts3tokenize", "fts4aux", "fts5vocab"})


def is_system_table(name: str) -> bool:
    """Whether the name belongs to SQLite itself: its schema tables, statistics and table-valued functions."""
    lowered = name.lower()
    return lowered.startswith(_SYSTEM_PREFIXES) or lowered in _SYSTEM_TABLES
