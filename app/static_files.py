"""Static files: small, so served from memory's edge whole; addressed with their hash, so kept by browsers for good."""

from __future__ import annotations

import hashlib
import mimetypes
from functools import lru_cache
from pathlib import Path
from typing import Any

from flask import Flask, Response, abort, request
from werkzeug.security import safe_join

FOREVER = "public, max-age=31536000, immutable"


def install(app: Flask, folder: Path) -> None:
    """Serve ``/static/…`` from ``folder``; ``url_for('static', filename=…)`` then carries the file's hash as ``v``."""

    def static(filename: str) -> Response:
        path = safe_join(str(folder), filename)
        if path is None or not Path(path).is_file():
            abort(404)
        digest = _digest(path)
        response = Response(
            Path(path).read_bytes(), mimetype=mimetypes.guess_type(path)[0] or "application/octet-stream"
        )
        response.set_etag(digest)
        response.headers["Cache-Control"] = FOREVER if request.args.get("v") == digest else "no-cache"
        response.make_conditional(request)
        return response

    def add_hash(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static":
            path = safe_join(str(folder), values.get("filename", ""))
            if path is not None and Path(path).is_file():
                values["v"] = _digest(path)

    app.add_url_rule("/static/<path:filename>", "static", static)
    app.url_defaults(add_hash)


def _digest(path: str) -> str:
    state = Path(path).stat()
    return _digest_of(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=512)
def _digest_of(path: str, _changed: int, _size: int) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]
