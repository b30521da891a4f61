"""Waiting for what a page does by itself."""

from __future__ import annotations

from typing import Any

WAIT = """([arg, seconds]) => new Promise((resolve) => {
    const condition = CONDITION;
    const until = performance.now() + 1000 * seconds;
    const look = () => {
        if (condition(arg)) resolve(true);
        else if (performance.now() > until) resolve(false);
        else requestAnimationFrame(look);
    };
    look();
})"""


def wait_until(page: Any, condition: str, *, arg: object = None, seconds: float = 20) -> None:
    """Look once per frame whether a JavaScript function returns something true for `arg`.

    The page's policy forbids what the browser driver's own waiting does from its second look on: evaluating a string.
    """
    look = WAIT.replace("CONDITION", condition)
    assert page.evaluate(look, [arg, seconds]), condition
