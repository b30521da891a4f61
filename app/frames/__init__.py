"""Result sets on disk: stored once, paged, sorted, filtered and exported by any worker."""

from app.frames.pages import FramePage, Sort
from app.frames.store import ArrowFrames

__all__ = ["ArrowFrames", "FramePage", "Sort"]
