"""Rankings: "top 5 products by revenue", "the most expensive car", "which country has the most customers",
销售额前三的客户,
and plain orders ("sorted by price, highest first", "in alphabetical order", "newest first")."""

from __future__ import annotations

from agents.language.ir import ColumnTarget, MeasureTarget, PhraseTarget, TableTarget
from agents.plan.ir import Function
from agents.plan.read.adjectives import column_for
from agents.plan.read.aggregates import FUNCTIONS, counted, only_number, operand_of, tally_of
from agents.plan.read.chinese import asked_behind, extreme_asked, is_one_word
from agents.plan.read.draft import Item, MeasureDraft, OrderDraft, Reading, SchemaTarget

RANKS = ("top", "bottom", "superlative")


def read_rankings(reading: Reading) -> None:
    """Top and bottom N and superlatives: the limit, the order key, and what is ranked."""
    for item in reading.items:
        if item.is_concept("limit.first") and reading.free(item):
            reading.use(item, "limit")
            reading.draft.limit = _payload_number(item) or 1
        if item.is_concept(*RANKS) and reading.free(item):
            rank_by(reading, item)


def rank_by(reading: Reading, item: Item) -> None:
    """What one phrase that ranks says: the order key, what is ranked and how many are wanted."""
    if item.is_concept("superlative.adjective"):
        _adjective(reading, item)
    elif item.is_concept("superlative"):
        _superlative(reading, item)
    else:
        _top(reading, item)


def _payload_number(item: Item) -> int | None:
    payload = item.mention.target
    value = payload.get("n") if isinstance(payload, PhraseTarget) else None
    return int(value) if isinstance(value, (int, float)) else None


def _top(reading: Reading, item: Item) -> None:
    descending = not item.is_concept("bottom")
    count = _payload_number(item)
    last = item
    for other in reading.after(item)[:1]:
        if other.number is not None and not other.number.ordinal and reading.gap_words(item, other) == 0:
            count = int(other.number.value)
            reading.use(other, "limit")
            last = other
    reading.use(item, "rank")
    reading.draft.limit = max(1, count or 1)
    entity_after = _following_entity(reading, last)
    before = next(iter(reading.before(item)[:1]), None)
    if reading.chinese and before is not None and before.is_concept("superlative") and reading.draft.order:
        # 年龄最大的前5个人: the order is read already.
        if entity_after is not None:
            _set_entity(reading, entity_after)
        return
    adjective = next((o for o in reading.after(last)[:1] if o.is_concept("superlative")), None)
    if adjective is not None and reading.free(adjective):
        limit = reading.draft.limit
        _adjective(reading, adjective) if adjective.is_concept("superlative.adjective") else _superlative(
            reading, adjective
        )
        reading.draft.limit = limit
        if reading.draft.order:
            return
    key = _key_after_by(reading, item) or _key_before(reading, item)
    if key is None and entity_after is not None and not isinstance(entity_after.schema, TableTarget):
        target = entity_after.schema
        if isinstance(target, MeasureTarget) or (isinstance(target, ColumnTarget) and reading.is_number(target)):
            # "the top 5 prices": the number itself is ranked and shown.
            key = measure_or_column(reading, entity_after)
            if isinstance(key, ColumnTarget):
                reading.draft.projections.append((entity_after.at, key))
            entity_after = None
    if entity_after is not None:
        _set_entity(reading, entity_after)
    reading.draft.order.append(OrderDraft(key, descending))


def _following_entity(reading: Reading, item: Item) -> Item | None:
    previous = item
    for other in reading.after(item)[:3]:
        if reading.gap_words(previous, other) > 2 or other.is_concept("group", "order", "compare"):
            return None
        if other.schema is not None and reading.free(other):
            return other
        previous = other
    return None


def _key_after_by(reading: Reading, item: Item) -> MeasureDraft | ColumnTarget | None:
    """ "… by revenue", "… by number of orders", "… by average price"."""
    for other in reading.after(item):
        if not other.is_concept("group.by", "order.by") or not reading.free(other):
            continue
        key = key_at(reading, other)
        if key is not None:
            reading.use(other, "rank")
            return key
    return None


def key_at(reading: Reading, by: Item) -> MeasureDraft | ColumnTarget | None:
    """The order key that starts right after "by", when it is something to rank by."""
    for other in reading.after(by)[:1]:
        if reading.gap_words(by, other) > 2:
            return None
        if other.concept in FUNCTIONS:
            return aggregate_key(reading, other)
        if other.schema is not None and reading.free(other) and reading.is_number(other.schema):
            return measure_or_column(reading, other)
    return None


def _key_before(reading: Reading, item: Item) -> MeasureDraft | ColumnTarget | None:
    """Chinese puts the key first: 销售额前三, 价格最高的."""
    if not reading.chinese:
        return None
    for position, other in enumerate(reading.before(item)[:2]):
        if other.concept in FUNCTIONS and position == 0 and FUNCTIONS[other.concept] is Function.COUNT:
            return aggregate_key(reading, other)
        target = other.schema
        if (
            isinstance(target, TableTarget)
            and position == 0
            and reading.free(other)
            and set("多少") & set(item.mention.text)
        ):
            reading.use(other, "rank")
            return MeasureDraft(Function.COUNT, target, at=item.at)
        if target is not None and reading.free(other) and reading.is_number(target):
            if reading.gap_words(other, item) > 2:
                return None
            aggregate = next((a for a in reading.before(other)[:1] if a.concept in FUNCTIONS and reading.free(a)), None)
            return aggregate_key(reading, aggregate) if aggregate is not None else measure_or_column(reading, other)
    return None


def aggregate_key(reading: Reading, phrase: Item) -> MeasureDraft | ColumnTarget | None:
    operand = operand_of(reading, phrase)
    function = FUNCTIONS[phrase.concept]
    if operand is None and function is not Function.COUNT:
        return None
    reading.use(phrase, "rank")
    target: SchemaTarget | None = None
    if operand is not None:
        reading.use(operand, "rank")
        target = operand.schema
    if isinstance(target, MeasureTarget):
        return MeasureDraft(None, target, at=phrase.at)
    if function is Function.COUNT and isinstance(target, ColumnTarget) and tally_of(reading, target) is not None:
        # "ordered by the number of floors": the column says how many.
        return target
    if isinstance(target, TableTarget) and function in (Function.AVG, Function.MAX, Function.MIN):
        # "the highest average rating": the number that ratings hold.
        target = tally_of(reading, target) or only_number(reading, target)
        if target is None:
            reading.draft.problems.append("not_a_number")
    if isinstance(target, ColumnTarget) and function in (Function.AVG, Function.SUM) and not reading.is_number(target):
        reading.draft.problems.append("not_a_number")
    if isinstance(target, TableTarget):
        function = Function.COUNT
    if target is None and reading.chinese and (already := counted(reading)) is not None:
        # 各系的教师人数，按人数降序: the number that is shown.
        return already
    distinct = function is Function.COUNT and isinstance(target, ColumnTarget)
    return MeasureDraft(function, target, distinct, at=phrase.at)


def measure_or_column(reading: Reading, item: Item) -> MeasureDraft | ColumnTarget | None:
    target = item.schema
    reading.use(item, "rank")
    if isinstance(target, MeasureTarget):
        return MeasureDraft(None, target, at=item.at)
    return target if isinstance(target, ColumnTarget) else None


def _set_entity(reading: Reading, item: Item) -> None:
    target = item.schema
    reading.use(item, "entity")
    if isinstance(target, TableTarget):
        reading.draft.entity = target
        reading.draft.entity_at = item.at
    elif isinstance(target, ColumnTarget):
        reading.draft.projections.append((item.at, target))


def _superlative(reading: Reading, item: Item, descending: bool | None = None) -> None:
    """ "the most orders", "highest revenue", "lowest average price", 最多的订单, 价格最高."""
    if descending is None:
        descending = not item.is_concept("superlative.least")
    after = next((o for o in reading.after(item)[:2] if not o.is_concept("list.distinct")), None)
    behind = next(iter(reading.after(after)[:1]), None) if after is not None else None
    if after is not None and after.value is not None and behind is not None and isinstance(behind.schema, TableTarget):
        # "the most female students"
        after = behind if not reading.gap(after, behind).strip() and not reading.gap(item, after).strip() else after
    key: MeasureDraft | ColumnTarget | None = None
    key_item: Item | None = None
    if _by_frequency(item):
        _most_common(reading, item, descending)
        return
    if after is not None and reading.gap_words(item, after) <= 2:
        if after.concept in FUNCTIONS:
            key, key_item = aggregate_key(reading, after), after
        elif after.schema is not None and reading.free(after):
            target = after.schema
            if (
                reading.chinese
                and not is_one_word(reading, item, after)
                and (before := _key_before(reading, item)) is not None
            ):
                key, key_item = before, item
            elif isinstance(target, TableTarget):
                tally = tally_of(reading, target)
                function = Function.SUM if tally is not None else Function.COUNT
                key, key_item = MeasureDraft(function, tally or target, at=item.at), after
                reading.use(after, "rank")
            elif isinstance(target, ColumnTarget) and not reading.is_number(target) and not _is_time(reading, target):
                key, key_item = MeasureDraft(Function.COUNT, target, True, at=item.at), after
                reading.use(after, "rank")
            else:
                key, key_item = measure_or_column(reading, after), after
    if key is None:
        key = _key_before(reading, item) or _key_before_english(reading, item)
        key_item = item
    if key is None and (doing := _doing_before(reading, item)) is not None:
        # "the bike that traveled the most": how often it was done.
        reading.use(doing, "rank")
        key, key_item = MeasureDraft(Function.COUNT, doing.schema, at=item.at), doing
    if key is None:
        return
    reading.use(item, "rank")
    if isinstance(key, ColumnTarget) and extreme_asked(reading, item, key_item if key_item is not item else None):
        function = Function.MAX if descending else Function.MIN
        reading.draft.measures.append(MeasureDraft(function, key, at=item.at))
        return
    entity = _entity_of(reading, item, key_item or item)
    if entity is None and not _groups(reading):
        _extreme(reading, key, descending, item)
        return
    counted = _number_before(reading, entity) if entity is not None else None
    reading.draft.limit = _payload_number(item) or counted or _wanted(reading, item) or reading.draft.limit or 1
    reading.draft.order.append(OrderDraft(key, descending))
    if entity is not None:
        _set_entity(reading, entity)


def _doing_before(reading: Reading, item: Item) -> Item | None:
    before = next(iter(reading.before(item)[:1]), None)
    if before is None or not isinstance(before.schema, TableTarget) or not reading.free(before):
        return None
    others = [o for o in reading.before(before) if o.schema is not None and reading.free(o)]
    verb = before.mention.text.lower().endswith(("ed", "s", "en", "d"))
    return before if others and verb and reading.gap_words(before, item) <= 1 else None


def _by_frequency(item: Item) -> bool:
    payload = item.mention.target
    return isinstance(payload, PhraseTarget) and bool(payload.get("count"))


def _most_common(reading: Reading, item: Item, descending: bool) -> None:
    """ "the most common colour", "which type is the least frequent", "the governor the most times": rows are
    counted."""
    entity = _following_entity(reading, item) or _entity_of(reading, item, item)
    if entity is None:
        return
    reading.use(item, "rank")
    reading.draft.limit = _payload_number(item) or _number_before(reading, entity) or 1
    reading.draft.order.append(OrderDraft(MeasureDraft(Function.COUNT, None, at=item.at), descending))
    _set_entity(reading, entity)


def _wanted(reading: Reading, item: Item) -> int | None:
    """ "the names and balances of the three accounts with the highest …": a number right before a thing, further
    ahead."""
    for other in reversed(reading.before(item)):
        if other.number is None or other.number.ordinal or not reading.free(other):
            continue
        following = next(iter(reading.after(other)[:1]), None)
        if (
            following is not None
            and isinstance(following.schema, TableTarget)
            and reading.gap_words(other, following) == 0
        ):
            reading.use(other, "limit")
            return max(1, int(other.number.value))
    return None


def _number_before(reading: Reading, entity: Item) -> int | None:
    """ "which 3 countries", "the 5 products", 最高的5个产品: how many are wanted."""
    for other in reading.before(entity)[:1]:
        number = other.number
        if number is None or number.ordinal or number.value < 1 or not reading.free(other):
            continue
        if reading.gap_words(other, entity) <= (1 if reading.chinese else 0):
            reading.use(other, "limit")
            return int(number.value)
    return None


def _is_time(reading: Reading, target: ColumnTarget) -> bool:
    return reading.kind(target) in ("date", "datetime")


def _groups(reading: Reading) -> bool:
    return any(
        reading.free(i) and (i.is_concept("group") or (i.time is not None and i.time.time.range is None))
        for i in reading.items
    )


def _key_before_english(reading: Reading, item: Item) -> MeasureDraft | ColumnTarget | None:
    """ "whose price is the highest": the number before the superlative."""
    for other in reading.before(item)[:1]:
        target = other.schema
        if (
            target is not None
            and reading.free(other)
            and reading.is_number(target)
            and reading.gap_words(other, item) <= 2
        ):
            return measure_or_column(reading, other)
    return None


def _entity_of(reading: Reading, item: Item, key: Item) -> Item | None:
    """What is ranked: a thing or a text column named before the superlative ("which product has the highest …"), or
    after
    the key ("the highest price of any product", 价格最高的产品)."""
    if (asked := asked_behind(reading, item)) is not None and asked is not key and _is_entity(reading, asked):
        return asked
    for other in reversed(reading.before(item)):
        if other.schema is not None and reading.free(other) and _is_entity(reading, other):
            return other
    if reading.chinese:
        for other in reading.after(item)[:2]:
            if other.schema is not None and reading.free(other) and other is not key and _is_entity(reading, other):
                return other
    return None


def _is_entity(reading: Reading, item: Item) -> bool:
    target = item.schema
    return isinstance(target, TableTarget) or (
        isinstance(target, ColumnTarget) and not reading.is_number(target) and not _is_time(reading, target)
    )


def _extreme(reading: Reading, key: MeasureDraft | ColumnTarget, descending: bool, item: Item) -> None:
    """ "what is the highest price": nothing is ranked, the extreme itself is asked for."""
    function = Function.MAX if descending else Function.MIN
    if isinstance(key, ColumnTarget):
        for other in reading.before(item)[:1]:
            # "the lowest and highest price" asks for both ends.
            if other.is_concept("superlative") and reading.free(other) and reading.joined(other, item):
                reading.use(other, "rank")
                opposite = Function.MIN if function is Function.MAX else Function.MAX
                reading.draft.measures.append(MeasureDraft(opposite, key, at=other.at))
        reading.draft.measures.append(MeasureDraft(function, key, at=item.at))
    else:
        reading.draft.limit = 1
        reading.draft.order.append(OrderDraft(key, descending))


def _adjective(reading: Reading, item: Item) -> None:
    """ "the most expensive product": the adjective names the column by words of its own (price, cost, amount)."""
    payload = item.mention.target
    words = payload.get("words") if isinstance(payload, PhraseTarget) else None
    direction = payload.get("direction") if isinstance(payload, PhraseTarget) else None
    after = next(iter(reading.after(item)[:1]), None)
    if (
        after is not None
        and reading.free(after)
        and reading.gap_words(item, after) == 0
        and not isinstance(after.schema, TableTarget)
        and reading.is_number(after.schema)
    ):
        # "the smallest population": the number is named, the adjective only says which end.
        _superlative(reading, item, direction != "asc")
        return
    entity = _following_entity(reading, item) or _entity_of(reading, item, item)
    table = entity.schema if entity is not None else None
    if table is None or not isinstance(words, (list, tuple)):
        return
    found = column_for(reading, table.table if not isinstance(table, MeasureTarget) else "", [str(w) for w in words])
    if found is None:
        return
    column, flipped = found
    reading.use(item, "rank")
    descending = (direction != "asc") != flipped
    if entity is not None and isinstance(table, ColumnTarget) and table == column:
        reading.use(entity, "measure")
        _extreme(reading, column, descending, item)
        return
    count = _payload_number(item) or (_number_before(reading, entity) if entity is not None else None)
    before = next(iter(reading.before(item)[:1]), None)
    number = before.number if before is not None and reading.free(before) else None
    if (
        count is None
        and before is not None
        and number is not None
        and not number.ordinal
        and reading.gap_words(before, item) == 0
    ):
        count = int(number.value)
        reading.use(before, "limit")
    reading.draft.limit = count or reading.draft.limit or 1
    reading.draft.order.append(OrderDraft(column, descending))
    if entity is not None:
        _set_entity(reading, entity)
