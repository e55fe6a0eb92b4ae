"""Runs on a machine reached by ssh: starts worker processes for a scheduler elsewhere, and ends them.

Started as `python -m pipeline.cluster.ssh_host`. Its orders, including credentials, come as a line of JSON on its
input, so that no process list and no disk shows them. When that input ends, for any reason, the workers end.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from threading import Thread, Timer
from typing import Any
from urllib.parse import urlsplit

CLOSE_SECONDS = 5.0


def main() -> int:
    """Serve the scheduler that standard input names, until that input or all workers end; returns the exit status."""
    settings = json.loads(sys.stdin.readline())
    os.environ.update(settings["environment"])  # before numpy is imported
    return asyncio.run(_serve(settings))


async def _serve(settings: dict[str, Any]) -> int:
    from distributed import Nanny, Security
    from distributed.utils import get_ip

    from pipeline.cluster.remote import DEATH_SECONDS
    from pipeline.cluster.steady_clock import use_steady_clock
    from pipeline.cluster.without_http import Worker
    from pipeline.storage.scratch import remove_scratch, scratch

    use_steady_clock()
    scratch()  # Dask puts its temporary folder first on the import path, so no other user may write to it

    host = get_ip(urlsplit(settings["scheduler"]).hostname)  # the address on the route to the scheduler
    security = Security(require_encryption=True, **settings["security"])
    nannies = [
        Nanny(
            settings["scheduler"],
            name=f"{settings['name']}/{index}",
            host=host,
            nthreads=1,
            security=security,
            protocol="tls://",
            death_timeout=DEATH_SECONDS,
            worker_class=Worker,
        )
        for index in range(settings["processes"])
    ]
    input_end = _input_ended()
    ends: list[asyncio.Future[Any]] = [input_end, asyncio.gather(*(_run(nanny) for nanny in nannies))]
    await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    Timer(2 * CLOSE_SECONDS, os._exit, [1]).start()
    await asyncio.gather(*(nanny.close(timeout=CLOSE_SECONDS) for nanny in nannies), return_exceptions=True)
    remove_scratch()
    os._exit(0 if input_end.done() else 1)


async def _run(nanny: Any) -> None:
    """Start a nanny, and wait for its end."""
    await nanny
    await nanny.finished()


def _input_ended() -> asyncio.Future[None]:
    """Done when the input ends, which means that the other end of the connection is gone."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[None] = loop.create_future()

    def read() -> None:
        sys.stdin.read()
        loop.call_soon_threadsafe(done.set_result, None)

    Thread(target=read, daemon=True).start()
    return done


if __name__ == "__main__":
    sys.exit(main())
