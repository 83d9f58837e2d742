"""Processes of the pool that runs batches."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

PARENT = """
import os, time
from footfall.core.engine.batch.pool import ProcessPool

if __name__ == "__main__":
    pool = ProcessPool(1)
    print(pool.submit(os.getpid).result(), flush=True)
    time.sleep(60)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
def test_processes_end_with_a_parent_that_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        os.kill(child, 0)
        parent.kill()
    deadline = time.monotonic() + 20
    while _is_running(child):
        assert time.monotonic() < deadline, "the process outlives its parent"
        time.sleep(0.05)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    # A process that has ended remains until its new parent notices it.
    with open(f"/proc/{process}/stat", encoding="utf-8") as file:
        return file.read().rpartition(")")[2].split()[0] != "Z"
