"""Plain orders: "sorted by price, highest first", "in alphabetical order", "newest first", 按价格降序."""

from __future__ import annotations

import re

from agents.language.ir import ColumnTarget, MeasureTarget
from agents.plan.read.aggregates import FUNCTIONS
from agents.plan.read.draft import Item, MeasureDraft, OrderDraft, Reading
from agents.plan.read.rankings import aggregate_key, key_at, measure_or_column

_BY = re.compile(r"\bby (the |their |its )?$")
_THEN = re.compile(r"^[\s,;]*(and )?then( (by|on))?( (the|its|their))?\s*$")


def read_orders(reading: Reading) -> None:
    """Plain orders: "sorted by price descending", "alphabetically", "newest first", 按价格降序."""
    for item in reading.items:
        if not item.is_concept("order") or not reading.free(item):
            continue
        following = next(iter(reading.after(item)[:1]), None)
        if (
            following is not None
            and following.is_concept("order.by")
            and item.is_concept("order.asc", "order.desc", "order.alphabetical")
            and reading.gap_words(item, following) <= 1
        ):
            # "in ascending" + "order of …": only the direction; the key comes with what follows.
            continue
        reading.use(item, "order")
        if item.is_concept("order.by"):
            key: MeasureDraft | ColumnTarget | None = key_at(reading, item)
            last = next(
                (o for o in reversed(reading.after(item)[:2]) if reading.used.get(o.at) in ("order", "rank")), item
            )
            if key is None:
                for other in reading.after(item)[:2]:
                    if other.is_concept("order") and other is not item:
                        # "in order of descending area": the direction stands before the key.
                        continue
                    if isinstance(other.schema, ColumnTarget) and reading.free(other):
                        reading.use(other, "order")
                        key, last = other.schema, other
                    break
            descending = _direction(reading, last)
            reading.draft.order.append(OrderDraft(key, bool(descending)))
            _further_keys(reading, last, bool(descending))
        elif item.is_concept("order.desc", "order.asc", "order.alphabetical") and (key := _key_of_order(reading, item)):
            reading.draft.order.append(OrderDraft(key, item.is_concept("order.desc")))
        elif item.is_concept("order.newest", "order.oldest") and (key := _key_before(reading, item)):
            reading.draft.order.append(OrderDraft(key, item.is_concept("order.newest")))
        elif item.is_concept("order.desc", "order.newest") and not reading.draft.order:
            reading.draft.order.append(OrderDraft(None, True, item.is_concept("order.newest")))
        elif item.is_concept("order.asc", "order.alphabetical", "order.oldest") and not reading.draft.order:
            by_name = item.is_concept("order.alphabetical")
            reading.draft.order.append(OrderDraft(None, False, item.is_concept("order.oldest"), by_name))


def _further_keys(reading: Reading, last: Item, descending: bool) -> None:
    """ "in order of title and credits", "by salary descending, then by name": the keys listed after the first; one that
    comes "then" has a direction of its own."""
    for other in reading.after(last):
        target = other.schema
        if other.is_concept("order") and not reading.free(other):
            # The direction of the key before it.
            last = other
            continue
        then = bool(_THEN.match(reading.gap(last, other)))
        if not isinstance(target, ColumnTarget) or not reading.free(other) or not (then or reading.joined(last, other)):
            return
        if then:
            own = next((o for o in reading.after(other)[:1] if o.is_concept("order.desc", "order.asc")), None)
            descending = own is not None and own.is_concept("order.desc")
            if own is not None:
                reading.use(own, "order")
        reading.use(other, "order")
        reading.draft.order.append(OrderDraft(target, descending))
        last = other


def _key_of_order(reading: Reading, item: Item) -> MeasureDraft | ColumnTarget | None:
    """ "in descending order of price", "alphabetically by name": the key close behind the direction."""
    said = _key_before(reading, item)
    if said is not None or item.mention.text.lower().endswith(" first"):
        # "highest first, with the name": the key is not what follows.
        return said
    for other in reading.after(item)[:1]:
        apart = reading.gap_words(item, other) > 3 or (not reading.gap(item, other).strip() and not reading.chinese)
        if apart and not item.mention.text.lower().endswith(("of", "by", "of the", "by the", "their", "its")):
            return None
        if other.concept in FUNCTIONS:
            return aggregate_key(reading, other)
        if isinstance(other.schema, (ColumnTarget, MeasureTarget)) and reading.free(other):
            key = measure_or_column(reading, other)
            reading.use(other, "order")
            return key
    return None


def _key_before(reading: Reading, item: Item) -> ColumnTarget | None:
    """ "by salary descending, name", "by hire date, newest first": a key is no group where nothing is computed."""
    for key in reading.before(item)[:1]:
        close = reading.free(key) and not reading.gap(key, item).strip(", ")
        said = reading.linked.text[: key.mention.start].lower()
        computed = reading.draft.measures or any(
            isinstance(o.schema, MeasureTarget) or o.concept in FUNCTIONS for o in reading.before(key)
        )
        if close and isinstance(key.schema, ColumnTarget) and _BY.search(said) and not computed:
            for by in reading.before(key)[:1]:
                if by.is_concept("group") and reading.free(by):
                    reading.use(by, "order")
            reading.use(key, "order")
            return key.schema
    return None


def _direction(reading: Reading, key: Item) -> bool | None:
    """Whether the order falls; what is said behind a "then" is about another key."""
    end = next((o.at for o in reading.after(key) if _THEN.match(reading.gap(reading.items[o.at - 1], o))), None)
    for item in reading.items[:end]:
        if item.is_concept("order.desc", "order.newest") and reading.free(item):
            reading.use(item, "order")
            return True
        if item.is_concept("order.asc", "order.oldest", "order.alphabetical") and reading.free(item):
            reading.use(item, "order")
            return False
    return None
