"""The language of the page: chosen by cookie or browser, translations read from ``app/translations/*.po`` at start."""

from __future__ import annotations

import gettext as python_gettext
from datetime import UTC, datetime, timedelta
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Literal

from babel import Locale
from babel.dates import format_timedelta
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal
from flask import Flask, g, has_request_context, request

Lang = Literal["en", "zh"]
LANGUAGES: tuple[Lang, ...] = ("en", "zh")
COOKIE = "lang"

_FOLDER = Path(__file__).with_name("translations")


@cache
def translations(lang: str) -> python_gettext.NullTranslations:
    """All ``.po`` files of a language as one (``zh.po``, ``zh.server.po``); English is the source text itself."""
    merged: python_gettext.NullTranslations = python_gettext.NullTranslations()
    for path in sorted(_FOLDER.glob(f"{lang}*.po")):
        with path.open("rb") as file:
            catalog = read_po(file, locale=lang)
        compiled = BytesIO()
        write_mo(compiled, catalog)
        compiled.seek(0)
        translated = python_gettext.GNUTranslations(compiled)
        translated.add_fallback(merged)
        merged = translated
    return merged


def current_lang() -> Lang:
    """The reader's language during a request; English outside of one."""
    if not has_request_context():
        return "en"
    if "lang" not in g:
        g.lang = choose_lang(request.cookies.get(COOKIE, ""), request.headers.get("Accept-Language", ""))
    lang: Lang = g.lang
    return lang


def choose_lang(cookie: str, accepted: str) -> Lang:
    """The cookie when it names a known language, else the browser's best one, else English."""
    for lang in LANGUAGES:
        if cookie == lang:
            return lang
    wishes = []
    for part in accepted.split(","):
        tag, _, weight = part.strip().partition(";q=")
        try:
            wishes.append((-float(weight or 1), tag.lower()))
        except ValueError:
            continue
    for rank, tag in sorted(wishes, key=lambda wish: wish[0]):
        for lang in LANGUAGES:
            if rank < 0 and tag.split("-")[0] == lang:
                return lang
    return "en"


def gettext(message: str) -> str:
    return translations(current_lang()).gettext(message) if message else ""


def ngettext(singular: str, plural: str, number: int) -> str:
    return translations(current_lang()).ngettext(singular, plural, number)


def ms(value: float | None) -> str:
    """Milliseconds for people: ``42 ms``, ``1.3 s``; empty for ``None``."""
    if value is None:
        return ""
    if value < 1000:
        return f"{format_decimal(round(value) if value >= 1 else round(value, 1), locale=_locale())} ms"
    return f"{format_decimal(round(value / 1000, 1), locale=_locale())} s"


def ago(moment: datetime) -> str:
    """How long ago, in the reader's words: ``5 minutes ago``."""
    now = datetime.now(UTC) if moment.tzinfo else datetime.now()
    gone = min(moment - now, timedelta(seconds=-1))
    return format_timedelta(gone, add_direction=True, locale=_locale())


def _locale() -> Locale:
    return Locale.parse(current_lang())


def install(app: Flask) -> None:
    """Give Jinja ``_()``, ``gettext``, ``ngettext``, ``ms``, ``ago`` and ``ui_lang``."""
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.install_gettext_callables(gettext, ngettext, newstyle=True)  # type: ignore[attr-defined]
    app.jinja_env.filters.update(ms=ms, ago=ago)
    app.jinja_env.globals.update(ms=ms, ago=ago)
    app.context_processor(lambda: {"ui_lang": current_lang()})
