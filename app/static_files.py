"""Static files: small, served whole; addressed with the hash of their content, so that browsers keep them for good."""

from __future__ import annotations

import hashlib
import mimetypes
from functools import lru_cache
from pathlib import Path
from typing import Any

from flask import Flask, Response, abort, request
from werkzeug.security import safe_join

FOREVER = "public, max-age=31536000, immutable"
WEEK = "public, max-age=604800"
# Fonts are named by the style sheet, which knows no hashes: one address for all, or they would be fetched twice.
UNHASHED = (".woff2",)


def install(app: Flask, folder: Path) -> None:
    """Serve ``/static/…`` from ``folder``; ``url_for('static', filename=…)`` then carries the file's hash as ``v``."""

    def static(filename: str) -> Response:
        path = _path(folder, filename)
        if path is None:
            abort(404)
        digest = _digest(path)
        response = Response(
            path.read_bytes(), mimetype=mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        )
        response.set_etag(digest)
        response.headers["Cache-Control"] = _keeping(path, digest)
        response.make_conditional(request)
        return response

    def add_hash(endpoint: str, values: dict[str, Any]) -> None:
        path = _path(folder, values.get("filename", "")) if endpoint == "static" else None
        if path is not None and path.suffix not in UNHASHED:
            values["v"] = _digest(path)

    app.add_url_rule("/static/<path:filename>", "static", static)
    app.url_defaults(add_hash)


def _keeping(path: Path, digest: str) -> str:
    if path.suffix in UNHASHED:
        return WEEK
    return FOREVER if request.args.get("v") == digest else "no-cache"


def _path(folder: Path, filename: str) -> Path | None:
    joined = safe_join(str(folder), filename)
    return Path(joined) if joined is not None and Path(joined).is_file() else None


def _digest(path: Path) -> str:
    state = path.stat()
    return _digest_of(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=256)
def _digest_of(path: Path, _changed: int, _size: int) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
