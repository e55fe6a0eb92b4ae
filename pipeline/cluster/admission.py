"""Gives tasks only to workers that compute with the same code and versions as the driver.

Rows must be the same whoever computes them. So each worker of a cluster that is not a fork of this process is asked,
before any task, for its versions of packages and for digests of our own code. A worker with the same answers that
shares the folder of the run gets two Dask resources, and every task requires both. The name of the first contains a
digest of all answers; the second is the run's own. A worker that differs never gets them, and a message names it.
Workers that join later are asked when they join. The scheduler only holds the names of these resources, which no other
client requests.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.cluster.base import Workers
from pipeline.cluster.inspection import code_name, expression_for, inspected, module_digests
from pipeline.cluster.security import leaves_unencrypted
from pipeline.cluster.shared_folder import SharedFolder
from pipeline.cluster.steady_clock import use_steady_clock
from pipeline.errors import RESUME_HINT, OutputError, WorkersLostError
from pipeline.plain_text import note
from pipeline.record.environment import OWN_PACKAGES, PACKAGES
from pipeline.words import counted

if TYPE_CHECKING:
    from distributed import Client

LOOK_SECONDS = 0.5  # between looks at the workers: shorter than the restart of a dead process
ANSWER_SECONDS = 30.0  # time limit for a worker's answer
SILENT_SECONDS = 10.0  # without an answer of the scheduler, after which its workers do not count
REFUSED_SECONDS = 5.0  # waiting time for other workers if all so far are refused
ATTEMPTS = 3  # at asking a worker that is connected and does not answer
MOST_NAMED = 5  # workers named for one and the same difference
MOST_MODULES_NAMED = 3  # of the modules that differ
TRANSPORT = ("cloudpickle", "msgpack", "tornado")  # packages that tasks and receipts pass through, beside Dask itself
FIRST_ANSWER = "orchard_code"  # attribute with the first answer of a worker

CallWorker = Callable[..., Awaitable[Any]]
"""Makes a process call a function with arguments, and returns the answer."""


class Admission:
    """Vets the workers of a client's cluster during a `with` block.

    client    : of the scheduler
    plugins   : the user's import packages, whose code counts like ours; also looked for in the working folder
    shared    : the folder of the run's results, which a worker must share with this process; None: not checked
    plain_tcp : whether workers on other machines may be reached without TLS

    Entering raises WorkersLostError if the scheduler itself has other code or versions.
    """

    def __init__(
        self, client: Client, plugins: Sequence[str] = (), shared: Path | None = None, *, plain_tcp: bool = False
    ) -> None:
        self._client = client
        self._shared = None if shared is None else SharedFolder(shared)
        self._stack = ExitStack()
        self._plain_tcp = plain_tcp
        self._packages, self._code, self._folder = [*PACKAGES, *TRANSPORT], [*OWN_PACKAGES, *plugins], str(Path.cwd())
        self._versions = inspected(self._packages, self._code, self._folder)  # of this process
        digest = hashlib.sha256(repr(sorted(self._versions.items())).encode()).hexdigest()[:16]
        names = [f"orchard-{digest}", *([self._shared.resource] if self._shared else [])]
        self._resources = dict.fromkeys(names, 1.0)
        self._fit: set[str] = set()
        self._refused: dict[str, str] = {}
        self._without_folder: set[str] = set()  # refused workers that do not share the folder
        self._vetting: dict[str, asyncio.Task[None]] = {}  # by address of a worker
        self._attempts: Counter[str] = Counter()
        self._reported: Counter[str] = Counter()  # refusals by reason
        self._any_was_fit = self._threads_reported = False
        self._last_answer = self._last_change = time.monotonic()
        self._watching: Future[None] | None = None

    def workers(
        self,
        wanted: int | None,
        patience: float | None,
        check: Callable[[], None] = lambda: None,
        why_none: Callable[[], str] = lambda: "",
    ) -> Workers:
        """The fit workers, as a run sees them; each takes one chunk at a time.

        check    : raises if no worker can ever come
        why_none : explains why there are none yet, if the reason is not known here
        """

        def present() -> int:
            check()
            return self.present()

        return Workers(self._client, wanted, patience, self._resources, present, lambda: self.why_none() or why_none())

    def present(self) -> int:
        """The number of fit workers.

        Raises WorkersLostError if all workers are refused, none was ever fit and no more have come for a while;
        OutputError if the reason is that they do not share the folder.
        """
        if self._silent() or self._client.status != "running":
            return 0
        if self._watching is not None and self._watching.done():
            self._watching.result()  # it ends by itself only after an error
        waited = time.monotonic() - self._last_change
        if not (self._fit or self._vetting or self._any_was_fit) and self._refused and waited > REFUSED_SECONDS:
            if self._shared and next(iter(self._refused)) in self._without_folder:
                raise OutputError(f"{self._refusals()}; {self._shared.mend}; {RESUME_HINT}")
            raise WorkersLostError(
                f"{self._refusals()}; start the workers with the same environment as this command; {RESUME_HINT}"
            )
        return len(self._fit)

    def why_none(self) -> str:
        """Why there is no fit worker, if that is known."""
        if self._silent():
            return "the scheduler does not answer"
        if self._vetting:
            return f"{counted(len(self._vetting), 'worker')} not checked yet"
        return self._refusals() if self._refused else ""

    def __enter__(self) -> Admission:
        self._start(self._check_scheduler()).result()
        if self._shared:
            self._stack.enter_context(self._shared)
        self._watching = self._start(self._watch())
        return self

    def __exit__(self, *_: object) -> None:
        if self._watching is not None:
            self._watching.cancel()
            with suppress(CancelledError, Exception):
                self._watching.result(timeout=1)
        self._stack.close()

    def _start(self, work: Coroutine[Any, Any, None]) -> Future[None]:
        """Start background work in the client's own event loop."""
        return asyncio.run_coroutine_threadsafe(work, self._client.loop.asyncio_loop)

    def _silent(self) -> bool:
        return time.monotonic() - self._last_answer > SILENT_SECONDS

    def _refusals(self) -> str:
        address, why = next(iter(list(self._refused.items())))
        others = len(self._refused) - 1
        more = f"; {counted(others, 'more worker')} refused, too" if others else ""
        return f"worker {address} was refused: {why}{more}"

    async def _check_scheduler(self) -> None:
        """Check the scheduler, which unpickles and repickles tasks and so needs the same versions as a worker."""

        async def call(function: Callable[..., Any], *arguments: object) -> Any:
            return await asyncio.wait_for(self._client.run_on_scheduler(function, *arguments), ANSWER_SECONDS)

        try:
            differences = await self._differences(call)
        except Exception as error:  # any, from a process that is not like ours
            differences = [_no_answer(error)]
        if differences:
            raise WorkersLostError(f"the scheduler cannot be used: {'; '.join(differences)}")

    async def _differences(self, call: CallWorker) -> list[str]:
        """The differences between the process that answers and this one, in words."""
        answer = await call(eval, expression_for("inspected", self._packages, self._code, self._folder))
        result = [
            f"{name} is {answer[name]} there, but {self._versions[name]} here"
            for name in ("python", *self._packages)
            if answer[name] != self._versions[name]
        ]
        for package in self._code:
            if answer[code_name(package)] != self._versions[code_name(package)]:
                modules = await call(eval, expression_for("module_digests", package, self._folder))
                ours = module_digests(package, self._folder)
                names = sorted(name for name in {*modules, *ours} if modules.get(name) != ours.get(name))
                if not names:  # the loaded code is no longer that of our own files
                    result.append(
                        f"package {package} was changed on this machine after this command began: stop the command "
                        "and run it again"
                    )
                    continue
                which = f"{', '.join(names[:MOST_MODULES_NAMED])}{' …' if len(names) > MOST_MODULES_NAMED else ''}"
                result.append(
                    f"package {package} differs in {which}" if modules else f"package {package} is missing there"
                )
        return result

    async def _watch(self) -> None:
        """Watch for workers that come and go, while the scheduler is there."""
        try:
            while self._client.status == "running":
                with suppress(OSError):  # it is silent, or is about to be found gone
                    threads = await asyncio.wait_for(self._client.nthreads(), SILENT_SECONDS)
                    self._update(set(threads))
                    self._report_threads(max(threads.values(), default=1))
                await asyncio.sleep(LOOK_SECONDS)
        finally:
            for task in self._vetting.values():
                task.cancel()

    def _update(self, present: set[str]) -> None:
        """Note the addresses of the present workers, and start to vet those that are new or have come back."""
        self._last_answer = time.monotonic()
        self._fit &= present
        for by_address in (self._refused, self._attempts):
            for address in by_address.keys() - present:
                del by_address[address]
        for address in present - self._fit - self._refused.keys() - self._vetting.keys():
            self._last_change = time.monotonic()
            self._vetting[address] = asyncio.create_task(self._vet(address))

    def _report_threads(self, most: int) -> None:
        """Report once that threads stay idle: a chunk's limits apply to its whole process."""
        if most > 1 and not self._threads_reported:
            self._threads_reported = True
            note(f"a worker has {most} threads, but computes one chunk at a time: start workers with --nthreads 1")

    async def _vet(self, address: str) -> None:
        """Find out whether a worker is fit, and if so give it the resources."""
        try:
            why = await self._objection(address)
        except Exception as error:  # any, from a process that is not like ours
            self._attempts[address] += 1
            if isinstance(error, OSError) and self._attempts[address] < ATTEMPTS:
                return  # it may have died before it answered: the next look shows
            why = _no_answer(error)
        finally:
            del self._vetting[address]
        self._last_change = time.monotonic()
        if why:
            self._refuse(address, why)
        else:
            self._fit.add(address)
            self._any_was_fit = True

    def _refuse(self, address: str, why: str) -> None:
        self._refused[address] = why
        self._reported[why] += 1
        if self._reported[why] <= MOST_NAMED:
            note(f"worker {address} is refused: {why}")
        elif self._reported[why] == MOST_NAMED + 1:
            note(f"more workers are refused for the reason above; they are not listed ({why})")

    async def _objection(self, address: str) -> str:
        """Why a worker may not get tasks; empty if it is fit, and then it gets the resources."""
        if not self._plain_tcp and leaves_unencrypted(address):
            return "its connection has no TLS: start scheduler and workers with certificates"
        call = partial(self._answer, address)
        if differences := await self._differences(call):
            return "; ".join(differences)
        if self._shared and (elsewhere := await self._shared.objection(call)):
            self._without_folder.add(address)
            return elsewhere
        code = {name: self._versions[name] for name in map(code_name, self._code)}
        stale = await call(_admit, self._resources, code)
        return f"{' and '.join(stale)} changed after the worker began to work: restart the worker" if stale else ""

    async def _answer(self, address: str, function: Callable[..., Any], *arguments: object) -> Any:
        asking = self._client.run(function, *arguments, workers=[address], on_error="return")
        answer = (await asyncio.wait_for(asking, ANSWER_SECONDS))[address]
        if isinstance(answer, Exception):
            raise answer
        return answer


def _no_answer(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return f"its versions cannot be checked: it did not answer within {ANSWER_SECONDS:.0f} seconds"
    return f"its versions cannot be checked ({type(error).__name__}: {' '.join(str(error).split())})"


async def _admit(resources: dict[str, float], code: dict[str, str], dask_worker: Any) -> list[str]:
    """Give this worker the resources that tasks require, unless code that it may have loaded has changed since.

    A process keeps its loaded code when files change, so its first answer counts.
    """
    first = vars(dask_worker).setdefault(FIRST_ANSWER, {})
    stale = [name for name, digest in code.items() if first.setdefault(name, digest) != digest]
    if not stale:
        use_steady_clock()
        await dask_worker.set_resources(**resources)
        _look_again(dask_worker)
    return stale


def _look_again(dask_worker: Any) -> None:
    """Make the scheduler check whether tasks wait for this worker.

    It does so when a worker joins or changes its state, but not when a worker gets a new resource.
    """
    if dask_worker.status.name == "running":
        for status in ("paused", "running"):
            dask_worker.batched_send(
                {"op": "worker-status-change", "status": status, "stimulus_id": f"orchard-{time.time()}"}
            )
