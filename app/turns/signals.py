"""Wake-ups inside one process: who watches a turn is woken when the turn has news in the store."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Iterable


class Signals:
    """Callbacks by turn id. A wake-up says only "look again": nothing is lost if one comes too often or late."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._watchers: dict[str, list[Callable[[], None]]] = defaultdict(list)

    def watch(self, turn_id: str, wake: Callable[[], None]) -> Callable[[], None]:
        """Have ``wake`` called at each news of the turn; returns the function that ends it."""
        with self._lock:
            self._watchers[turn_id].append(wake)

        def leave() -> None:
            with self._lock:
                watchers = self._watchers.get(turn_id, [])
                if wake in watchers:
                    watchers.remove(wake)
                if not watchers:
                    self._watchers.pop(turn_id, None)

        return leave

    def wake(self, turn_ids: Iterable[str]) -> None:
        with self._lock:
            watchers = [wake for turn_id in turn_ids for wake in self._watchers.get(turn_id, ())]
        for wake in watchers:
            wake()
