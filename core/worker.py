"""A process of its own that generates motions for somebody else, here for Blender.

It is run by its path, so that it need not know under which name the package was installed. It takes
one task after the other: a line of JSON on its standard input, `{"task": FILE, "out": FOLDER}`,
with `"motion": FILE, "begin": ..., "end": ...` besides where a stretch of that motion is to be
solved again. With `"arrival": {"seconds": ..., "stations": [...], "shares": [...], "waits": [[TIME,
SECONDS], ...]}` it first solves for the speed at which the body reaches the end of the path when
the clip ends, and reports that speed profile as `{"speeds": [...], "times": [...]}`.
It writes a line of JSON at a time to its standard output:
`{"stage": ..., "share": ...}` while it works, then `{"motion": FILE}`, `{"error": ...}` for what
the user can put right, or `{"fault": ..., "trace": ...}` for what is wrong in Footfall. It ends
when its input ends, and does so at once in the middle of work, so that nobody's worker outlives
them; and when it has waited in vain for as many seconds as its first argument says.

A body may be driven instead: `{"drive": FILE, "out": FOLDER}` is answered by
`{"slowest": ..., "fastest": ...}` in m/s, and then each `{"part": NUMBER, "ask": NUMBER, "speed":
..., "direction": ..., "pushes": [{"force": ..., "seconds": ..., "at": ...}]}` by `{"part": NUMBER,
"ask": NUMBER, "file": FILE}`. To ask for the last part once more takes it back first.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import queue
import sys
import threading
import traceback
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

PACKAGE = "footfall"

# our matrices are small: threads would only wait for each other
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def _load_package() -> None:
    """Import the package that this file lies in, whatever its folder is called."""
    root = Path(__file__).resolve().parents[1]
    spec = importlib.util.spec_from_file_location(
        PACKAGE, root / "__init__.py", submodule_search_locations=[str(root)]
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = module
    spec.loader.exec_module(module)


def _claim_output() -> IO[str]:
    """The standard output, for our lines alone; what libraries print goes to the errors."""
    output = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)
    return output


def _read_requests() -> queue.SimpleQueue[str]:
    """Lines of the standard input, read beside the work; the end of the input ends the process."""
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def read() -> None:
        for line in sys.stdin:
            lines.put(line)
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    return lines


def _import_core(name: str) -> Any:
    return importlib.import_module(f"{PACKAGE}.core.{name}")


def _solve_arrival(task: Any, arrival: dict[str, Any], output: IO[str]) -> Any:
    """Return a task at the speed of its arrival in time, and report its speed profile."""
    task_module = _import_core("task")
    waits = tuple(task_module.Wait(time, seconds) for time, seconds in arrival["waits"])
    pace = task_module.Pace(arrival["seconds"], arrival["stations"], arrival["shares"], waits)
    task = _import_core("engine.shared.arrival").with_arrival_speed(task, pace)
    profile = {"speeds": task.speed.values.tolist(), "times": task.speed.times.tolist()}
    print(json.dumps(profile), file=output)
    return task


def _generate(request: dict[str, Any], output: IO[str]) -> dict[str, Any]:
    """A motion, or one of which a stretch is solved again."""
    motion_module = _import_core("motion")
    task = _import_core("task").load_task(Path(request["task"]))

    if "arrival" in request:
        task = _solve_arrival(task, request["arrival"], output)

    def progress(stage: str, share: float) -> None:
        print(json.dumps({"stage": stage, "share": share}), file=output)

    if "motion" in request:
        previous_motion = motion_module.load_motion(Path(request["motion"]))
        motion = _import_core("engine.centroidal.editing.resolve").resolve_stretch(
            task, previous_motion, request["begin"], request["end"], progress
        )
    else:
        motion = _import_core("engine").generate(task, progress)
    return {
        "motion": str(motion_module.save_motion(motion, Path(request["out"]), compressed=False))
    }


class _DriveHandler:
    """A body that is driven, from the request that begins it on."""

    def __init__(self) -> None:
        self._driver: Any = None
        self._out = Path()
        self._part_count = 0

    def begin(self, request: dict[str, Any]) -> dict[str, Any]:
        task_module = _import_core("task")
        self._driver = _import_core("engine").create_driver(
            task_module.load_task(Path(request["drive"]))
        )
        self._out = Path(request["out"])
        self._part_count = 0
        return {
            "slowest": self._driver.speed_range.slowest,
            "fastest": self._driver.speed_range.fastest,
        }

    def advance(self, request: dict[str, Any]) -> dict[str, Any]:
        motion_module = _import_core("motion")
        session_module = _import_core("engine.base")
        task_module = _import_core("task")
        number = int(request["part"])
        request_number = int(request["ask"])
        if number < self._part_count:
            self._driver.undo_last()
        pushes = tuple(
            task_module.Push(0.0, tuple(p["force"]), p["seconds"], p["at"])
            for p in request["pushes"]
        )
        part = self._driver.advance(
            session_module.DriveCommand(request["speed"], request["direction"], pushes)
        )
        self._part_count = number + 1
        # the caller has the ground
        bare_part = replace(part, terrain_vertices=None, terrain_triangles=None)
        return {
            "part": number,
            "ask": request_number,
            "file": str(motion_module.save_motion(bare_part, self._out / str(request_number))),
        }


def _answer(request: dict[str, Any], output: IO[str], drive_handler: _DriveHandler) -> None:
    errors = _import_core("errors")
    try:
        if "drive" in request:
            answer = drive_handler.begin(request)
        elif "part" in request:
            answer = drive_handler.advance(request)
        else:
            answer = _generate(request, output)
        print(json.dumps(answer), file=output)
    except errors.FootfallError as error:
        print(json.dumps({"error": str(error)}), file=output)
    except Exception as error:  # whatever else it is, the one who waits must hear of it
        print(
            json.dumps(
                {"fault": f"{type(error).__name__}: {error}", "trace": traceback.format_exc()}
            ),
            file=output,
        )


def main() -> None:
    """Take requests until the input ends, or none comes."""
    idle_timeout = float(sys.argv[1]) if len(sys.argv) > 1 else None
    output = _claim_output()
    lines = _read_requests()
    drive_handler = _DriveHandler()
    _load_package()
    # takes longest to import; the first request need not wait for it
    _import_core("engine.centroidal.generate")
    while True:
        try:
            line = lines.get(timeout=idle_timeout)
        except queue.Empty:
            os._exit(0)
        _answer(json.loads(line), output, drive_handler)


if __name__ == "__main__":
    main()
