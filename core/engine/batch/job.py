"""One job of a batch, as a worker does it."""

from __future__ import annotations

import os
import shutil
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from ...errors import FootfallError
from .versions import describe_difference, find_versions


@dataclass(frozen=True)
class BatchJob:
    """What is sent to a worker. Paths are texts, which every version of Python reads.

    Args:
        work: see `Batch`.
        item: its argument.
        target: path of the result.
        workspace: folder of unfinished results, on the storage of the target.
        mark: how the name of this job's folder in the workspace begins. The folder is there
            while a worker does the job; if the worker dies, it stays.
        versions: of the process that runs the batch.
    """

    work: Callable[[Any, Path], Any]
    item: Any
    target: str
    workspace: str
    mark: str
    versions: dict[str, str]


@dataclass(frozen=True)
class Answer:
    """What a worker sends back.

    Args:
        summary: what `work` returned.
        error: why there is no result.
        refusal: why this worker cannot take part in the batch; no job was done.
        seconds: time that it took [s].
    """

    summary: Any = None
    error: str | None = None
    refusal: str | None = None
    seconds: float = 0.0


def do_job(job: BatchJob) -> Answer:
    """Do a job, move its result to the target at once, and return an answer.

    Errors are answered as texts, since not every exception can be pickled.
    """
    begin = time.perf_counter()
    refusal = _find_refusal(job)
    if refusal:
        return Answer(refusal=f"The worker {_name_worker()} {refusal}.")
    try:
        summary = _write_result(job)
    except FootfallError as error:
        return Answer(error=str(error), seconds=time.perf_counter() - begin)
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
        return Answer(error=text, seconds=time.perf_counter() - begin)
    return Answer(summary, seconds=time.perf_counter() - begin)


def move_result(source: Path, target: Path) -> None:
    """Move a file or a folder on one storage, so that no file at the target is ever incomplete.

    A file is replaced. In a folder that exists, files of the same names are replaced.
    """
    if source.is_dir() and target.is_dir():
        for path in sorted(source.iterdir()):
            move_result(path, target / path.name)
    else:
        os.replace(source, target)


def _write_result(job: BatchJob) -> Any:
    target = Path(job.target)
    scratch = Path(job.workspace) / f"{job.mark}{uuid4().hex}"
    scratch.mkdir()
    try:
        unfinished = scratch / target.name
        summary = job.work(job.item, unfinished)
        move_result(unfinished, target)
        return summary
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _find_refusal(job: BatchJob) -> str | None:
    difference = describe_difference(find_versions(), job.versions)
    if difference:
        return f"has {difference}; install the same versions on all machines"
    if not Path(job.workspace).is_dir():
        folder = Path(job.workspace).parent
        return (
            f"does not see the folder {folder}; choose one that all machines have under this path"
        )
    return None


def _name_worker() -> str:
    return f"{socket.gethostname()} (process {os.getpid()})"
