"""Two demo databases, built from code: ``vega`` (public data sets) and ``shop`` (a made retail company)."""

from seed.build import DEMOS, Demo, build, content_hash

__all__ = ["DEMOS", "Demo", "build", "content_hash"]
