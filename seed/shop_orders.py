"""What was sold day by day: orders, their lines, payments and returns."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from seed.draw import Draw, Weighted
from seed.shop_goods import SEASONS
from seed.shop_people import STORES

if TYPE_CHECKING:
    from seed.shop import Article, Customer, Seller

Row = tuple[Any, ...]

_MONTHS = (0.86, 0.82, 0.92, 0.94, 0.99, 0.97, 0.94, 0.93, 0.99, 1.05, 1.36, 1.47)
_WEEKDAYS = (1.04, 0.97, 0.95, 0.98, 1.08, 1.12, 0.86)
_LINES = Weighted((1, 2, 3, 4, 5, 6), (27, 30, 21, 12, 6, 4))
_QUANTITY = Weighted((1, 2, 3, 4, 6, 10), (66, 20, 7, 4, 2, 1))

_REMOTE = Weighted(("online", "marketplace", "phone"), (76, 17, 7))
_REMOTE_PAYMENT = Weighted(("card", "paypal", "invoice", "bank transfer"), (44, 34, 15, 7))
_STORE_PAYMENT = Weighted(("card", "cash"), (72, 28))
_REASONS = Weighted(
    ("changed mind", "defective", "damaged in transit", "wrong item", "arrived late", None), (38, 20, 14, 12, 8, 8)
)
_POSTAGE = {"home": 4.9, "europe": 8.9, "world": 17.9}
_FREE_SHIPPING_FROM = 120.0


def sell(
    draw: Draw,
    first: date,
    last: date,
    customers: Sequence[Customer],
    sellers: Sequence[Seller],
    articles: Sequence[Article],
) -> dict[str, list[Row]]:
    """Rows of orders, order_lines, payments and returns from ``first`` to ``last``, by table in order of insertion."""
    till = _Till(draw, last, customers, sellers, articles)
    day = first
    while day <= last:
        # 36 orders a day at the start, 80 at the end, times the month's and the weekday's share
        level = 36 + 44 * (day - first).days / (last - first).days
        till.open(day)
        for _ in range(int(level * _MONTHS[day.month - 1] * _WEEKDAYS[day.weekday()] * draw.between(0.85, 1.15))):
            till.order()
        day += timedelta(days=1)
    return {"orders": till.orders, "order_lines": till.lines, "payments": till.payments, "returns": till.returns}


class _Till:
    """Rings up orders; keeps what is the same for a whole day at hand."""

    def __init__(
        self,
        draw: Draw,
        last: date,
        customers: Sequence[Customer],
        sellers: Sequence[Seller],
        articles: Sequence[Article],
    ) -> None:
        self.draw = draw
        self.last = last
        self.customers = customers
        self.sellers = sellers
        self.articles = articles
        self.orders: list[Row] = []
        self.lines: list[Row] = []
        self.payments: list[Row] = []
        self.returns: list[Row] = []
        self._known = 0

    def open(self, day: date) -> None:
        self.day = day
        while self._known < len(self.customers) and self.customers[self._known].joined_on <= day:
            self._known += 1
        stores = [i for i, s in enumerate(STORES, 1) if s.opened_on <= day.isoformat() <= (s.closed_on or "9999")]
        here = [s for s in self.sellers if s.hired_on <= day and (s.left_on is None or s.left_on >= day)]
        self._staff = {store: [s.id for s in here if s.store_id == store] for store in (*stores, None)}
        self._stores = {
            country: Weighted(ids, [STORES[i - 1].share for i in ids])
            for country in dict.fromkeys(s.country for s in STORES)
            if (ids := [i for i in stores if STORES[i - 1].country == country])
        }
        goods = [
            a for a in self.articles if a.launched_on <= day and (a.discontinued_on is None or day <= a.discontinued_on)
        ]
        month = day.month - 1
        self._goods = Weighted(goods, [a.popularity * SEASONS[a.category.season][month] for a in goods])
        self._prices = {a.id: a.price(day) for a in goods}
        # campaigns: the week of Black Friday, and two weeks of sale in January and July
        self._sale = (day.month == 11 and 22 <= day.day <= 30) or (day.month in (1, 7) and 8 <= day.day <= 21)

    def order(self) -> None:
        draw, day = self.draw, self.day
        customer = self._customer()
        stores = self._stores.get(customer.country.code)
        if stores and draw.chance(0.36):
            channel: str = "store"
            store: int | None = draw.weighted(stores)
        else:
            channel, store = draw.weighted(_REMOTE), None
        staff = self._staff[store] if channel in ("store", "phone") else []
        number = len(self.orders) + 1
        lines = self._lines(number, channel)
        goods = round(sum(line[3] * line[4] * (1 - line[6]) for line in lines), 2)
        status, shipped_on = self._shipment(channel)
        shipping = 0.0 if channel == "store" or goods >= _FREE_SHIPPING_FROM else _POSTAGE[customer.country.zone]
        if status == "completed" and self._take_back(lines, channel):
            status = "returned"
        self.lines += lines
        self.orders.append(
            (
                number, customer.id, channel, store, draw.pick(staff) if staff else None, status,
                day.isoformat(), shipped_on and shipped_on.isoformat(), shipping,
            )
        )  # fmt: skip
        self._pay(number, channel, status, round(goods + shipping, 2))

    def _customer(self) -> Customer:
        while True:
            # one order in six comes from somebody who joined lately
            first = max(0, self._known - 300) if self.draw.chance(0.17) else 0
            customer = self.customers[self.draw.integer(first, self._known - 1)]
            if self.draw.chance(customer.activity):
                return customer

    def _lines(self, order: int, channel: str) -> list[Row]:
        draw = self.draw
        chosen: dict[int, Article] = {}
        wanted = draw.weighted(_LINES)
        while len(chosen) < wanted:
            article = draw.weighted(self._goods)
            chosen[article.id] = article
        lines: list[Row] = []
        for article in chosen.values():
            price = self._prices[article.id]
            discount = 0.0
            if self._sale and draw.chance(0.55):
                discount = draw.pick((0.1, 0.15, 0.2, 0.25))
            elif draw.chance(0.08):
                discount = draw.pick((0.05, 0.1))
            cost = round(price * article.cost_share, 2)
            number = len(self.lines) + len(lines) + 1
            lines.append((number, order, article.id, draw.weighted(_QUANTITY), price, cost, discount))
        return lines

    def _shipment(self, channel: str) -> tuple[str, date | None]:
        if channel == "store":
            return "completed", self.day
        if self.draw.chance(0.035):
            return "cancelled", None
        shipped_on = self.day + timedelta(
            days=self.draw.integer(1, 3) + (self.draw.integer(1, 5) if self.draw.chance(0.2) else 0)
        )
        if shipped_on > self.last:
            return "processing", None
        return ("shipped" if (self.last - shipped_on).days < 5 else "completed"), shipped_on

    def _take_back(self, lines: list[Row], channel: str) -> bool:
        taken = False
        for line in lines:
            article = self.articles[line[2] - 1]
            if not self.draw.chance(article.category.returned * (0.4 if channel == "store" else 1.0)):
                continue
            returned_on = self.day + timedelta(days=self.draw.integer(6, 34))
            if returned_on > self.last:
                continue
            quantity = self.draw.integer(1, line[3])
            refund = round(quantity * line[4] * (1 - line[6]), 2)
            reason = self.draw.weighted(_REASONS)
            self.returns.append((len(self.returns) + 1, line[0], quantity, reason, refund, returned_on.isoformat()))
            taken = True
        return taken

    def _pay(self, order: int, channel: str, status: str, amount: float) -> None:
        draw = self.draw
        if status == "cancelled" and draw.chance(0.5):
            return
        method = draw.weighted(_STORE_PAYMENT if channel == "store" else _REMOTE_PAYMENT)
        later = draw.integer(5, 30) if method in ("invoice", "bank transfer") else 0
        paid_on = self.day + timedelta(days=later)
        state = "refunded" if status == "cancelled" else "paid"
        when: str | None = paid_on.isoformat()
        if paid_on > self.last:
            state, when = ("refunded", None) if status == "cancelled" else ("pending", None)
        parts = [(method, amount)]
        if amount > 40 and draw.chance(0.04):
            card = float(draw.pick((10, 20, 25)))
            parts = [("gift card", card), (method, round(amount - card, 2))]
        for kind, part in parts:
            self.payments.append((len(self.payments) + 1, order, kind, state, part, when))
