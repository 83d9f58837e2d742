"""Processes of this machine that outlive the death of one of them."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from typing import Any

from ...errors import BatchError


class ProcessPool(Executor):
    """A pool of processes, started anew by the next `submit` after one of them has died.

    Args:
        worker_count: number of processes; by default that of the cores.

    Raises:
        BatchError: the number is out of range.
    """

    def __init__(self, worker_count: int | None = None) -> None:
        self._worker_count = worker_count
        self._lock = threading.Lock()
        self._pool = self._start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Schedule a call and return its future."""
        with self._lock:
            try:
                return self._pool.submit(fn, *args, **kwargs)
            except BrokenProcessPool:
                self._pool.shutdown(wait=False)
                self._pool = self._start()
                return self._pool.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes, see `Executor.shutdown`."""
        self._pool.shutdown(wait, cancel_futures=cancel_futures)

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        """End the processes, after an error without the calls that have not begun."""
        self.shutdown(cancel_futures=kind is not None)

    def _start(self) -> ProcessPoolExecutor:
        try:
            return ProcessPoolExecutor(
                self._worker_count, get_context("spawn"), initializer=_prepare_process
            )
        except ValueError as error:
            raise BatchError(
                f"The number of workers is {self._worker_count}; it must be at least 1, and on "
                "Windows at most 61."
            ) from error


def _prepare_process() -> None:
    """Let Ctrl+C end this process without a message, and the death of its parent, too.

    The process that runs the batch has a message. Where that process is killed, its pool would wait
    for calls forever.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _die_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
