"""What is told of a run while it is worked: on the screen, and in a file that other terminals can read."""

from __future__ import annotations

import json
import os
import platform
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from pipeline.plan import GridRun
from pipeline.record.json_fields import typed
from pipeline.screen import RunProgress
from pipeline.storage.atomic import write_atomically
from pipeline.storage.places import contents, modified, storage_errors
from pipeline.words import counted
from pipeline.work.publication import Receipt

if TYPE_CHECKING:
    from pipeline.cluster.base import Workers

__all__ = ["Progress", "Word", "last_word"]

FILE = "progress.json"
SAID_SECONDS = 2.0  # between two words of a driver
RATE_SECONDS = 60.0  # over which the rate is taken


@dataclass(frozen=True)
class Word:
    """What a driver last said of its run.

    pid, host, since : which process it is, and when it began, as text
    cluster, wanted  : the kind of cluster, and how many workers there are to be; None: as many as happen to be there
    workers          : how many there were
    done, failed     : items that were done, of all sessions; cells that failed or met a limit, of this one
    rate             : items a second, over the last minute or since it began; None: none was done yet
    ended            : whether it has nothing more to work
    """

    pid: int
    host: str
    since: str
    cluster: str
    wanted: int | None
    workers: int
    done: int
    failed: int
    rate: float | None
    ended: bool


class Progress:
    """The progress of one session of a run.

    The file is written every two seconds at most, and only where something was told; that it cannot be written is no
    reason to stop.
    """

    def __init__(self, run: GridRun, cluster: str, wanted: int | None, done: int) -> None:
        since = time.strftime("%Y-%m-%d %H:%M:%S")
        self._word = Word(os.getpid(), platform.node(), since, cluster, wanted, wanted or 0, done, 0, None, ended=False)
        self._file = run.notes / FILE
        on = f"{cluster}" if wanted is None else f"{counted(wanted, 'worker')} ({cluster})"
        self._screen = RunProgress(f"{run.name} on {on}", run.grid.noun, run.grid.items, done)
        self._seen = deque([(time.monotonic(), done)])
        self._said = -SAID_SECONDS
        self._ask: Callable[[], int] | None = None

    def __enter__(self) -> Progress:
        self._screen.__enter__()
        self._say()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._screen.__exit__(kind, error, trace)
        self._word = replace(self._word, ended=True)
        self._say()

    def over(self, workers: Workers) -> Workers:
        """The same workers; how many there are is told whenever somebody asks, and asked from time to time."""
        self._ask = workers.present
        return replace(workers, present=self._asked)

    def add(self, receipt: Receipt) -> None:
        """Count a chunk in."""
        items, word = receipt.items, self._word
        self._word = replace(word, done=word.done + items, failed=word.failed + receipt.failed)
        self._screen.advance(items, receipt.failed)
        if self._is_time() and self._ask is not None:
            self._asked()

    def _asked(self) -> int:
        assert self._ask is not None
        present = self._ask()
        self._screen.workers(present, self._word.wanted)
        self._word = replace(self._word, workers=present)
        if self._is_time():
            self._say()
        return present

    def _is_time(self) -> bool:
        return time.monotonic() - self._said >= SAID_SECONDS

    def _say(self) -> None:
        self._said = time.monotonic()
        self._seen.append((self._said, self._word.done))
        while len(self._seen) > 2 and self._said - self._seen[1][0] > RATE_SECONDS:
            self._seen.popleft()
        (began, before), done = self._seen[0], self._word.done
        if done > before:
            self._word = replace(self._word, rate=round((done - before) / max(self._said - began, 1e-9), 6))
        with suppress(*storage_errors()):
            write_atomically(self._file, json.dumps(asdict(self._word)).encode())


def last_word(notes: Path) -> tuple[Word, float] | None:
    """What a run's driver last said, and how many seconds ago; None where none has said anything that can be read."""
    path = notes / FILE
    try:
        word = Word(**typed(Word, json.loads(contents(path))))
        if word.rate is not None and word.rate <= 0:
            return None
        return word, max(0.0, time.time() - modified(path))
    except storage_errors():
        return None
    except (ValueError, TypeError, RecursionError):
        return None
