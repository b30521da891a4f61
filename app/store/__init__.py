"""What the web side remembers: threads, turns and their events, in one SQLAlchemy database."""

from app.store.open import open_store
from app.store.store import Store, Thread, Turn

__all__ = ["Store", "Thread", "Turn", "open_store"]
