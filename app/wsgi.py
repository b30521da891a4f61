"""For a WSGI server of one's own: ``gunicorn --worker-class gthread --threads 32 'app.wsgi:make()'``.

It needs threads, since every open page holds one; ``starchart serve`` chooses all that by itself.
"""

from __future__ import annotations

from flask import Flask

from app.factory import create_app
from app.services import Services, demo_targets, target_for
from app.settings import load_settings


def make(*databases: str) -> Flask:
    """The application over the given database addresses, or over the demo databases."""
    settings = load_settings()
    targets = tuple(target_for(url) for url in databases) or demo_targets(settings)
    return create_app(settings, Services(settings, targets))
