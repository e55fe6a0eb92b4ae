"""A server of our own on loopback, which answers as well or as badly as a test wants."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = Callable[[BaseHTTPRequestHandler], None]
ANY = "/*"  # answers every path that has no answer of its own


@dataclass
class Server:
    """Its address, what it answers on each path, and the requested paths."""

    url: str
    answers: dict[str, Answer] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)

    def put(self, path: str, answer: Answer | bytes) -> str:
        """Answer a path from now on; its address."""
        self.answers[path] = sends(answer) if isinstance(answer, bytes) else answer
        return self.url + path


@contextmanager
def served() -> Iterator[Server]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            server.requests.append(self.path)
            answer = server.answers.get(self.path) or server.answers.get(ANY) or status(404)
            with suppress(BrokenPipeError, ConnectionResetError):  # the other side has given up, as it should
                answer(self)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        listening.daemon_threads = True
        server = Server(f"http://127.0.0.1:{listening.server_port}")
        thread = threading.Thread(target=listening.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield server
        finally:
            listening.shutdown()
            thread.join()


def sends(content: bytes, declared: int | None = None, **headers: str) -> Answer:
    """The content, with its length or another that is declared."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(content) if declared is None else declared))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(content)

    return answer


def status(code: int) -> Answer:
    return lambda handler: handler.send_error(code)


def redirects(to: str) -> Answer:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(302)
        handler.send_header("Location", to)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


def drips(seconds: float) -> Answer:
    """A byte now and then, for ever."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "1000000")
        handler.end_headers()
        while True:
            handler.wfile.write(b"1")
            handler.wfile.flush()
            time.sleep(seconds)

    return answer


def waits(seconds: float) -> Answer:
    return lambda _: time.sleep(seconds)


def endless(chunk: bytes) -> Answer:
    """As many bytes as anybody takes, their number not declared."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        while True:
            handler.wfile.write(chunk)

    return answer
