"""``starchart benchmark``: a file of questions over many databases, what the engine made of each, and where it fails.

``predict`` asks and times, ``judge`` compares results as an outside referee would, ``facts`` and ``failures`` say which
clause of a wrong reading is wrong, ``report`` sums up, ``render`` draws it, ``run`` leads through it all.
"""

from __future__ import annotations
