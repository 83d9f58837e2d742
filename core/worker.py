"""A process of its own that generates motions for somebody else, here for Blender.

It is run by its path, so that it need not know under which name the package was installed. It takes one task after the
other: a line of JSON on its standard input, `{"task": FILE, "out": FOLDER}`, with `"motion": FILE, "begin": ..., "end": ...`
besides where a stretch of that motion is to be solved again. It tells a line of JSON at a time on its standard output:
`{"stage": ..., "share": ...}` while it works, then `{"motion": FILE}`, `{"error": ...}` for what the user can put right, or
`{"fault": ..., "trace": ...}` for what is wrong in Footfall. It ends when its input ends, and does so at once in the middle of
work, so that nobody's worker outlives them; and when it has waited in vain for as many seconds as its first argument says.

A body may be driven instead: `{"drive": FILE, "out": FOLDER}` is answered by `{"slowest": ..., "fastest": ...}` in m/s, and then
each `{"part": NUMBER, "ask": NUMBER, "speed": ..., "direction": ..., "pushes": [{"force": ..., "seconds": ..., "at": ...}]}` by
`{"part": NUMBER, "ask": NUMBER, "file": FILE}`. To ask for the last part once more takes it back first.
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

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")      # our matrices are small: threads would only wait for each other


def _load_package() -> None:
    """Import the package that this file lies in, whatever its folder is called."""
    root = Path(__file__).resolve().parents[1]
    spec = importlib.util.spec_from_file_location(PACKAGE, root / "__init__.py", submodule_search_locations=[str(root)])
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = module
    spec.loader.exec_module(module)


def _own_output() -> IO[str]:
    """The standard output, for our lines alone; what libraries print goes to the errors."""
    ours = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)
    return ours


def _requests() -> queue.SimpleQueue[str]:
    """Lines of the standard input, read beside the work; the end of the input ends the process."""
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def read() -> None:
        for line in sys.stdin:
            lines.put(line)
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    return lines


def _core(name: str) -> Any:
    return importlib.import_module(f"{PACKAGE}.core.{name}")


def _generate(request: dict[str, Any], tell: IO[str]) -> dict[str, Any]:
    """A motion, or one of which a stretch is solved again."""
    files, task = _core("motion"), _core("task").load_task(Path(request["task"]))

    def progress(stage: str, share: float) -> None:
        print(json.dumps({"stage": stage, "share": share}), file=tell)

    if "motion" in request:
        before = files.load_motion(Path(request["motion"]))
        made = _core("engine.centroidal.editing.resolve").retouch(task, before, request["begin"], request["end"], progress)
    else:
        made = _core("engine").generate(task, progress)
    return {"motion": str(files.save_motion(made, Path(request["out"]), packed=False))}


class _Drive:
    """A body that is driven, from the request that begins it on."""

    def __init__(self) -> None:
        self._driver: Any = None
        self._out, self._parts = Path(), 0

    def begin(self, request: dict[str, Any]) -> dict[str, Any]:
        task = _core("task")
        self._driver = _core("engine.drivers").driver_of(task.load_task(Path(request["drive"])))
        self._out, self._parts = Path(request["out"]), 0
        return {"slowest": self._driver.range.slowest, "fastest": self._driver.range.fastest}

    def go_on(self, request: dict[str, Any]) -> dict[str, Any]:
        motion = _core("motion")
        session = _core("engine.base")
        task = _core("task")
        number, ask = int(request["part"]), int(request["ask"])
        if number < self._parts:
            self._driver.take_back()
        pushes = tuple(task.Push(0.0, tuple(p["force"]), p["seconds"], p["at"]) for p in request["pushes"])
        made = self._driver.advance(session.Wishes(request["speed"], request["direction"], pushes))
        self._parts = number + 1
        bare = replace(made, terrain_vertices=None, terrain_triangles=None)      # whoever asked has the ground
        return {"part": number, "ask": ask, "file": str(motion.save_motion(bare, self._out / str(ask)))}


def _work(request: dict[str, Any], tell: IO[str], drive: _Drive) -> None:
    errors = _core("errors")
    try:
        if "drive" in request:
            answer = drive.begin(request)
        elif "part" in request:
            answer = drive.go_on(request)
        else:
            answer = _generate(request, tell)
        print(json.dumps(answer), file=tell)
    except errors.FootfallError as error:
        print(json.dumps({"error": str(error)}), file=tell)
    except Exception as error:      # whatever else it is, the one who waits must hear of it
        print(json.dumps({"fault": f"{type(error).__name__}: {error}", "trace": traceback.format_exc()}), file=tell)


def main() -> None:
    """Take requests until the input ends, or none comes."""
    patience = float(sys.argv[1]) if len(sys.argv) > 1 else None
    tell, lines, drive = _own_output(), _requests(), _Drive()
    _load_package()
    _core("engine.centroidal.generate")          # takes longest to import; the first request need not wait for it
    while True:
        try:
            line = lines.get(timeout=patience)
        except queue.Empty:
            os._exit(0)
        _work(json.loads(line), tell, drive)


if __name__ == "__main__":
    main()
