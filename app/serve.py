"""Serving: gunicorn with threads, run from Python, that ends quickly and says plainly what is wrong."""

from __future__ import annotations

import errno
import ipaddress
import socket
import sys
from collections.abc import Callable
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication
from gunicorn.workers.gthread import ThreadWorker

from agents.errors import StarchartError
from app.settings import Settings
from app.web import Web

BACKLOG = 256
GRACE_SECONDS = 5
APP_LOAD_FAILED = 4  # gunicorn's exit status for "do not try again"


class ServeError(StarchartError):
    """The server cannot be started: ``serve.port_in_use``, ``serve.port_refused``, ``serve.address``."""


def serve(make_app: Callable[[], Flask], settings: Settings, *, host: str = "127.0.0.1", port: int = 8000) -> None:
    """Serve until told to stop; prints the address once questions can be asked.

    :param make_app: called in each worker process, after it has been forked.
    :param port: 0 for any free one.
    :raises ServeError: when the address cannot be bound.
    """
    listener = bind(host, port)
    address = address_of(listener, host)
    _Server(make_app, settings, listener, address).run()


def bind(host: str, port: int) -> socket.socket:
    """A listening socket. :raises ServeError: with what to do instead."""
    try:
        if not 0 <= port <= 65535:  # getaddrinfo would quietly take it modulo 65536
            raise OverflowError(f"port {port}")
        family, _kind, _protocol, _name, where = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(where)
        listener.listen(BACKLOG)
    except (OSError, OverflowError) as error:
        if getattr(error, "errno", None) == errno.EADDRINUSE:
            raise ServeError(
                "serve.port_in_use",
                f"Port {port} on {host} is already in use.",
                f"Stop the program that uses it, or choose another port: starchart serve --port {port + 1}",
            ) from error
        if getattr(error, "errno", None) == errno.EACCES:
            raise ServeError(
                "serve.port_refused",
                f"Port {port} may not be opened by this user.",
                "Choose a port above 1023: starchart serve --port 8000",
            ) from error
        raise ServeError(
            "serve.address",
            f"{host}:{port} is not an address that can be opened here: {getattr(error, 'strerror', None) or error}.",
            "Use 127.0.0.1 for this machine only, 0.0.0.0 for all networks, and a port from 0 to 65535.",
        ) from error
    return listener


def address_of(listener: socket.socket, host: str) -> str:
    """What people type into the browser."""
    port = listener.getsockname()[1]
    shown = "127.0.0.1" if host in ("", "0.0.0.0", "::") else host
    return f"http://[{shown}]:{port}/" if ":" in shown else f"http://{shown}:{port}/"


def loopback_hosts(host: str) -> tuple[str, ...]:
    """The only names that requests may carry when serving on this machine alone; any name otherwise."""
    try:
        loopback = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        loopback = False
    return ("localhost", "127.0.0.1", host) if loopback and ":" not in host else ()


class Worker(ThreadWorker):  # type: ignore[misc]
    """A worker that lets its open sockets and running turns go as soon as it is told to stop."""

    def handle_exit(self, sig: int, frame: Any) -> None:
        self._let_go()
        super().handle_exit(sig, frame)

    def handle_quit(self, sig: int, frame: Any) -> None:
        # The terminal's Ctrl-C reaches the worker as well: end in order here too, since threads cannot be killed.
        self._let_go()
        super().handle_exit(sig, frame)

    def _let_go(self) -> None:
        app = getattr(self, "wsgi", None)
        if app is not None:
            parts: Web = app.extensions["starchart"]
            parts.let_go()


class _Server(BaseApplication):  # type: ignore[misc]
    def __init__(
        self, make_app: Callable[[], Flask], settings: Settings, listener: socket.socket, address: str
    ) -> None:
        self._make_app = make_app
        self._settings = settings
        self._listener = listener
        self._address = address
        super().__init__()

    def load_config(self) -> None:
        chosen = {
            "bind": f"fd://{self._listener.fileno()}",
            "worker_class": Worker,
            "workers": self._settings.workers,
            "threads": self._settings.threads,
            "timeout": 120,
            "graceful_timeout": GRACE_SECONDS,
            "keepalive": 15,
            "loglevel": "warning",
            "control_socket_disable": True,  # it would be made in the home folder, which may be read-only
            "post_worker_init": self._ready,
            "worker_tmp_dir": "/dev/shm" if sys.platform == "linux" else None,
        }
        for name, value in chosen.items():
            if value is not None:
                self.cfg.set(name, value)

    def load(self) -> Flask:
        try:
            return self._make_app()
        except StarchartError as error:
            print(f"{error.message} {error.hint}".strip(), file=sys.stderr, flush=True)
            sys.exit(APP_LOAD_FAILED)

    def _ready(self, worker: Any) -> None:
        if worker.age == 1:
            print(f"Starchart answers at {self._address}", flush=True)
