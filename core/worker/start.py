"""Entry point of the planning process.

The file is run by its path, because the name under which the package is installed differs between
installations (a Blender extension is named `bl_ext.<repository>.footfall`). `messages` describes
what the process reads and writes: one JSON object per line on the standard input and the standard
output.

The process ends when its standard input ends, even during a computation, so that it never outlives
Blender. It also ends after waiting for a request as many seconds as its first argument says.

A thread writes an empty line to the output every few seconds, also during a computation, by which
Blender knows that the process has not stopped.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import queue
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import IO

PACKAGE = "footfall"

HEARTBEAT_INTERVAL = 2.0  # time between two empty lines [s]

# The matrices are small, so that several threads per matrix product only cost time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def _load_package() -> None:
    """Import the package that contains this file under the name `PACKAGE`."""
    root = Path(__file__).resolve().parents[2]
    spec = importlib.util.spec_from_file_location(
        PACKAGE, root / "__init__.py", submodule_search_locations=[str(root)]
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = module
    spec.loader.exec_module(module)


def _claim_output() -> IO[str]:
    """Reserve the standard output for answers and redirect other output to the error stream.

    Returns:
        The stream for answers.
    """
    output = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)
    return output


def _read_requests() -> queue.SimpleQueue[str]:
    """Start a thread that reads the standard input; the end of the input ends the process.

    Returns:
        The queue of lines.
    """
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def read() -> None:
        for line in sys.stdin:
            lines.put(line)
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    return lines


def _start_heartbeat(output: IO[str]) -> None:
    """Start a thread that writes empty lines to a stream until the process ends.

    Where the disk is full, the lines of the next answers fail too, and end the process.
    """

    def write() -> None:
        while True:
            time.sleep(HEARTBEAT_INTERVAL)
            with suppress(OSError):
                output.write("\n")

    threading.Thread(target=write, daemon=True).start()


def main() -> None:
    """Answer requests until the input ends or the idle timeout [s] has passed."""
    idle_timeout = float(sys.argv[1]) if len(sys.argv) > 1 else None
    output = _claim_output()
    _start_heartbeat(output)
    lines = _read_requests()
    _load_package()
    service = importlib.import_module(f"{PACKAGE}.core.worker.service").Service(output)
    while True:
        try:
            line = lines.get(timeout=idle_timeout)
        except queue.Empty:
            os._exit(0)
        service.answer(line)


if __name__ == "__main__":
    main()
elif __name__ == "__mp_main__":
    # A process of a pool, which receives functions of the package.
    _load_package()
