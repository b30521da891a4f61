"""English sentences of a digest.

A slot is a fact's name in braces; ``{rows:row|rows}`` writes the number and the word that goes with it.
Prepositions that would depend on a time's grain are avoided.
"""

from __future__ import annotations

SENTENCES = {
    "yes": "Yes.",
    "no": "No.",
    "empty": "Nothing in the data matches.",
    "empty.reading": "Nothing in the data matches: {reading}.",
    "no_values": "There is no {label} in any of the {rows:row|rows}.",
    "value": "{label} is {value}.",
    "no_value": "{label} has no value.",
    "list.rows": "The list has {rows:row|rows}.",
    "list.names2": "There are {rows:row|rows}: {name0} and {name1}.",
    "list.names3": "There are {rows:row|rows}: {name0}, {name1} and {name2}.",
    "list.first": "{name} comes first, with {label} {value}.",
    "ranking.one": "For {name}, {label} is {value}.",
    "ranking.unnamed": "For rows with {name}, {label} is {value}.",
    "ranking.equal": "{label} is {value} in all {rows:row|rows}.",
    "ranking.high": "{name} has the highest {label}, {value}.",
    "ranking.high_low": "{name} has the highest {label}, {value}; {other} has the lowest, {second}.",
    "ranking.high_two": "{name} and {other} share the highest {label}, {value}.",
    "ranking.high_many": "{ties:row|rows} share the highest {label}, {value}, among them {name}.",
    "ranking.high_then": "{name} has the highest {label}, {value}; {other} follows with {second}.",
    "ranking.low_two": "{name} and {other} share the lowest {label}, {value}.",
    "ranking.low_many": "{ties:row|rows} share the lowest {label}, {value}, among them {name}.",
    "ranking.low_then": "{name} has the lowest {label}, {value}; {other} follows with {second}.",
    "series.rose": "{label} rose from {value0} ({period0}) to {value1} ({period1}).",
    "series.rose_by": "{label} rose from {value0} ({period0}) to {value1} ({period1}), up {change}.",
    "series.fell": "{label} fell from {value0} ({period0}) to {value1} ({period1}).",
    "series.fell_by": "{label} fell from {value0} ({period0}) to {value1} ({period1}), down {change}.",
    "series.same": "{label} is {value1} at the end ({period1}), as at the start ({period0}).",
    "series.range": "The highest was {high} ({high_period}), the lowest {low} ({low_period}).",
    "series.high": "The highest was {high} ({high_period}).",
    "series.low": "The lowest was {low} ({low_period}).",
    "total": "Together that is {total}.",
    "total.share": "Together that is {total}; {share} of it is {name}.",
    "edge.latest": "The latest {label} in the data is {edge}.",
    "edge.earliest": "The earliest {label} in the data is {edge}.",
    "missing": "{missing:row has|rows have} no {label}.",
    "cut": "Only the first {kept:row was|rows were} kept, and this text is about them.",
    "cut.of": "Only the first {kept} of {total:row|rows} were kept, and this text is about them.",
}

AND = ", "
"""Between the two columns that name a row."""

WITHOUT = "no {}"
"""In place of a name that is missing; the slot is its column."""
