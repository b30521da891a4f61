"""Chinese sentences of a digest; the same keys and slots as in English."""

from __future__ import annotations

SENTENCES = {
    "yes": "有。",
    "no": "没有。",
    "empty": "没有符合条件的数据。",
    "empty.reading": "没有符合条件的数据：{reading}。",
    "no_values": "{rows}行中都没有{label}的数值。",
    "value": "{label}为{value}。",
    "no_value": "{label}没有数值。",
    "list.rows": "共有{rows}行。",
    "list.names2": "共有{rows}行：{name0}和{name1}。",
    "list.names3": "共有{rows}行：{name0}、{name1}和{name2}。",
    "list.first": "{name}排在第一，{label}为{value}。",
    "ranking.one": "{name}的{label}为{value}。",
    "ranking.unnamed": "{name}的{label}为{value}。",
    "ranking.equal": "全部{rows}行的{label}都是{value}。",
    "ranking.high": "{name}的{label}最高，为{value}。",
    "ranking.high_low": "{name}的{label}最高，为{value}；{other}最低，为{second}。",
    "ranking.high_two": "{name}和{other}的{label}并列最高，为{value}。",
    "ranking.high_many": "{ties}行的{label}并列最高，为{value}，其中有{name}。",
    "ranking.high_then": "{name}的{label}最高，为{value}；其次是{other}，为{second}。",
    "ranking.low_two": "{name}和{other}的{label}并列最低，为{value}。",
    "ranking.low_many": "{ties}行的{label}并列最低，为{value}，其中有{name}。",
    "ranking.low_then": "{name}的{label}最低，为{value}；其次是{other}，为{second}。",
    "series.rose": "{label}从{value0}（{period0}）上升到{value1}（{period1}）。",
    "series.rose_by": "{label}从{value0}（{period0}）上升到{value1}（{period1}），增长{change}。",
    "series.fell": "{label}从{value0}（{period0}）下降到{value1}（{period1}）。",
    "series.fell_by": "{label}从{value0}（{period0}）下降到{value1}（{period1}），减少{change}。",
    "series.same": "{label}期末（{period1}）为{value1}，与期初（{period0}）相同。",
    "series.range": "最高为{high}（{high_period}），最低为{low}（{low_period}）。",
    "series.high": "最高为{high}（{high_period}）。",
    "series.low": "最低为{low}（{low_period}）。",
    "total": "合计{total}。",
    "total.share": "合计{total}，其中{name}占{share}。",
    "edge.latest": "数据中最晚的{label}是{edge}。",
    "edge.earliest": "数据中最早的{label}是{edge}。",
    "missing": "有{missing}行没有{label}。",
    "cut": "只保留了前{kept}行，以上文字仅针对这些行。",
    "cut.of": "共{total}行，只保留了前{kept}行，以上文字仅针对这些行。",
}

AND = "，"
"""Between the two columns that name a row."""

WITHOUT = "无{}"
"""In place of a name that is missing; the slot is its column."""
