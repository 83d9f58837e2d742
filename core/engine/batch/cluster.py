"""Workers of a Dask cluster as an executor."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from ...errors import BatchError
from .versions import describe_difference, find_versions

CONNECT_TIMEOUT = 10.0  # [s]
# Time in which a server must answer as a scheduler, which may be busy [s]
HANDSHAKE_TIMEOUT = 30.0
CHECK_INTERVAL = 5.0  # time between two looks at the list of workers [s]


@contextmanager
def open_cluster(address: str) -> Iterator[Executor]:
    """Connect to the scheduler of a Dask cluster and yield an executor.

    Args:
        address: such as "tcp://192.168.0.7:8786".

    Raises:
        BatchError: Dask is not installed, no scheduler answers at the address, it has no workers,
            or a worker has other versions of Footfall, Python or numpy.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise BatchError(
            "A cluster needs the package distributed; install it with "
            "pip install 'footfall[cluster]'."
        ) from error
    try:
        # In a thread, because a notebook runs its event loop in this one.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, _probe_scheduler(address)).result()
        client = Client(address, timeout=CONNECT_TIMEOUT, set_as_default=False)
    except Exception as error:  # Each scheme of addresses raises other errors.
        reason = str(error) or (
            f"a server is there, but did not answer as a scheduler in {HANDSHAKE_TIMEOUT:.0f} s"
            if isinstance(error, TimeoutError)
            else f"a server is there, but of another kind ({type(error).__name__})"
        )
        raise BatchError(
            f"No Dask scheduler answers at {address!r}: {reason}. Start one "
            "with `dask scheduler` and give the address that it prints, such as tcp://host:8786."
        ) from error
    try:
        check_workers(client, address)
        yield ClusterExecutor(client, address)
    finally:
        client.close()


async def _probe_scheduler(address: str) -> None:
    """Open and close a connection; `Client` waits without end for a server of another kind."""
    from distributed.comm import connect

    attempt = connect(address, timeout=CONNECT_TIMEOUT)
    comm = await asyncio.wait_for(attempt, CONNECT_TIMEOUT + HANDSHAKE_TIMEOUT)
    await comm.close()


def check_workers(client: Any, address: str) -> None:
    """Compare the versions of all workers of a client with those of this process.

    Raises:
        BatchError: there is no worker, or one has other versions; the message names it.
    """
    answers = client.run(find_versions, on_error="return")
    if not answers:
        raise BatchError(
            f"The scheduler at {address} has no workers; start some with `dask worker {address}`."
        )
    ours = find_versions()
    problems = []
    for worker, theirs in sorted(answers.items()):
        if isinstance(theirs, BaseException):
            problems.append(f"{worker} cannot import it ({type(theirs).__name__}: {theirs})")
        elif difference := describe_difference(theirs, ours):
            problems.append(f"{worker} has {difference}")
    if problems:
        raise BatchError(
            "All workers need the versions of Footfall, Python and packages of this machine: "
            + "; ".join(problems)
            + "."
        )


class ClusterExecutor(Executor):
    """Executor of a Dask client that reports a lost scheduler and workers of other versions.

    Args:
        client: of `distributed`.
        address: of its scheduler, for messages.
    """

    def __init__(self, client: Any, address: str) -> None:
        self._client = client
        self._address = address
        # By default Dask takes two calls with the same arguments for one.
        self._executor: Executor = client.get_executor(pure=False)
        self._next_check = 0.0
        self._workers: set[str] = set()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Schedule a call and return its future.

        Raises:
            BatchError: the connection to the scheduler is lost, or a worker has other versions.
        """
        self.check()
        return self._executor.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let go of the workers, which stay."""
        self._executor.shutdown(wait)

    def check(self, at_once: bool = False) -> None:
        """Check the connection, and the workers that have joined since the last time.

        Args:
            at_once: whether to check the workers now, and not a few seconds after the last time.

        Raises:
            BatchError: the connection to the scheduler is lost, or a worker has other versions.
        """
        if self._client.status != "running":
            raise BatchError(
                f"The connection to the scheduler at {self._address} is lost. Finished results "
                "are in their folder; start the batch again when the scheduler is back."
            )
        if not at_once and time.monotonic() < self._next_check:
            return
        self._next_check = time.monotonic() + CHECK_INTERVAL
        workers = set(self._client.scheduler_info(n_workers=-1)["workers"])
        if workers - self._workers:
            check_workers(self._client, self._address)
        self._workers = workers
