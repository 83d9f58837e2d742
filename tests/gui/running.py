"""Blender with a window and the extension in it, and what one asks of it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from display import Display

PATIENCE = 120.0  # s for an answer or an end; a busy machine draws slowly
LOOK = 0.1  # s between two looks
INSIDE = Path(__file__).with_name("inside.py")


def find_blender() -> str:
    """Blender's command: `$BLENDER`, or the one on the path."""
    told = os.environ.get("BLENDER", "blender")
    found = shutil.which(told)
    if found is None:
        raise SystemExit(
            f"There is no {told!r} here. Set BLENDER to the command of a Blender (4.2 to 5.2) "
            "with a window."
        )
    return found


class Blender:
    """A Blender on a display, with the extension installed in a folder of its own,
    that answers questions in Python.

    Args:
        folder: for its resources, files and the questions; must exist.
        archive: zip of the extension.
    """

    def __init__(self, display: Display, folder: Path, archive: Path) -> None:
        self.folder = folder
        self._display = display
        self._scratch = folder / "scratch"
        self._scratch.mkdir()
        self._environment = {
            **display.environment,
            "BLENDER_USER_RESOURCES": str(folder / "resources"),
            "FOOTFALL_GUI": str(folder),
            "TMPDIR": str(self._scratch),
            "LIBGL_ALWAYS_SOFTWARE": "1",
            "PYTHONUNBUFFERED": "1",
        }
        command = find_blender()
        done = subprocess.run(
            [
                command,
                "--command",
                "extension",
                "install-file",
                "-r",
                "user_default",
                "--enable",
                str(archive),
            ],
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(
                f"The extension {archive} could not be installed:\n{done.stdout}{done.stderr}"
            )
        self._console = open(folder / "console.txt", "w")  # noqa: SIM115  (open as long as Blender is)
        self._process = subprocess.Popen(
            [
                command,
                "--window-geometry",
                "0",
                "0",
                str(display.width),
                str(display.height),
                "--python",
                str(INSIDE),
            ],
            env=self._environment,
            stdout=self._console,
            stderr=subprocess.STDOUT,
        )
        try:
            self.until(lambda: (folder / "ready").exists(), "Blender's window")
        except BaseException:  # nobody else has it, to end it
            self.close()
            raise

    @property
    def console(self) -> str:
        """All that Blender said on its console."""
        return (self.folder / "console.txt").read_text(errors="replace")

    def tell(self, expression: str) -> Any:
        """The value of an expression in Blender, over what `inside.py` defines."""
        return self._ask({"tell": expression})

    def do(self, statements: str) -> None:
        """Run statements in Blender."""
        self._ask({"do": statements})

    def until(self, condition: Callable[[], Any], what: str, patience: float = PATIENCE) -> Any:
        """Wait until something holds; returns what it gave."""
        ends = time.monotonic() + patience
        while not (held := condition()):
            if self._process.poll() is not None:
                raise AssertionError(
                    f"Blender ended (status {self._process.returncode}):\n{self.console[-2000:]}"
                )
            assert time.monotonic() < ends, (
                f"{what} did not come within {patience:.0f} s. Blender said:\n"
                f"{self.console[-2000:]}"
            )
            time.sleep(LOOK)
        return held

    def workers(self) -> list[int]:
        """Numbers of the planning processes that it runs."""
        out = []
        for place in Path("/proc").glob("[0-9]*"):
            try:
                status, command = (place / "stat").read_text(), (place / "cmdline").read_bytes()
            except OSError:  # it ended meanwhile
                continue
            parent = int(status.rpartition(")")[2].split()[1])
            if parent == self._process.pid and b"worker/start.py" in command:
                out.append(int(place.name))
        return out

    def kill_worker(self) -> None:
        """End one planning process as the system does when memory is short."""
        os.kill(self.until(self.workers, "a planning process")[0], signal.SIGKILL)

    def memory(self) -> float:
        """Memory that Blender has now, MB."""
        status = (Path("/proc") / str(self._process.pid) / "status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def left_behind(self) -> list[str]:
        """Folders of planning processes, and of what they work on, that are still there."""
        return sorted(path.name for path in self._scratch.rglob("footfall-session-*/*-*"))

    def quit(self) -> None:
        """Quit as by File > Quit; no planning process and no folder of one may be left."""
        waiting = self.workers()
        self.do(
            "bpy.app.timers.register(lambda: bpy.ops.wm.quit_blender() and None, "
            "first_interval=0.5)"
        )
        status = self._process.wait(PATIENCE)
        assert status == 0, f"Blender ended with the status {status}:\n{self.console[-2000:]}"
        left = [pid for pid in waiting if (Path("/proc") / str(pid)).exists()]
        assert not left, f"planning processes are left: {left}"
        assert not self.left_behind(), f"folders are left: {self.left_behind()}"

    def close(self) -> None:
        """End Blender, hard: it would ask whether to save."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._console.close()

    def _ask(self, question: dict[str, str]) -> Any:
        answer = self.folder / "answer.json"
        answer.unlink(missing_ok=True)
        (self.folder / "question.tmp").write_text(json.dumps(question))
        (self.folder / "question.tmp").rename(self.folder / "question.json")
        self.until(answer.exists, f"An answer to {question}")
        told = json.loads(answer.read_text())
        assert "fault" not in told, f"{question} failed in Blender:\n{told['fault']}"
        return told["value"]
