"""Blender with a window and the extension, controlled from another process."""

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

TIMEOUT = 120.0  # Longest wait for a condition [s]; a busy machine draws slowly
POLL_INTERVAL = 0.1  # Time between two checks of a condition [s]
SCRIPT = Path(__file__).with_name("inside.py")


def find_blender() -> str:
    """Return the path of Blender: that of `$BLENDER`, or of `blender` on the search path."""
    command = os.environ.get("BLENDER", "blender")
    path = shutil.which(command)
    if path is None:
        raise SystemExit(
            f"{command!r} was not found. Set BLENDER to the command of a Blender (4.2 to 5.2) "
            "with a window."
        )
    return path


class Blender:
    """A process of Blender with the extension, which evaluates Python on request.

    Args:
        display: where its window appears.
        folder: an existing folder for its resources, its files and the requests.
        archive: zip file of the extension.
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
        self._install(command, archive)
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
                str(SCRIPT),
            ],
            env=self._environment,
            stdout=self._console,
            stderr=subprocess.STDOUT,
        )
        try:
            self.wait_until(lambda: (folder / "ready").exists(), "Blender's window")
        except BaseException:
            # The caller has no object through which to end the process.
            self.close()
            raise

    def _install(self, command: str, archive: Path) -> None:
        """Install the extension into the folder of resources."""
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

    @property
    def console(self) -> str:
        """The output of Blender so far."""
        return (self.folder / "console.txt").read_text(errors="replace")

    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression in Blender, in the namespace of `inside.py`."""
        return self._send({"evaluate": expression})

    def execute(self, statements: str) -> None:
        """Run statements in Blender, in the namespace of `inside.py`."""
        self._send({"execute": statements})

    def wait_until(
        self, condition: Callable[[], Any], description: str, timeout: float = TIMEOUT
    ) -> Any:
        """Wait until a condition is truthy and return its value.

        Args:
            description: what is waited for, as the subject of an error message.
        """
        deadline = time.monotonic() + timeout
        while not (value := condition()):
            if self._process.poll() is not None:
                raise AssertionError(
                    f"Blender ended (status {self._process.returncode}):\n{self.console[-2000:]}"
                )
            assert time.monotonic() < deadline, (
                f"{description} did not come within {timeout:.0f} s. Output of Blender:\n"
                f"{self.console[-2000:]}"
            )
            time.sleep(POLL_INTERVAL)
        return value

    def list_workers(self) -> list[int]:
        """Return the process numbers of the planning processes of this Blender."""
        out = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                status, command = (folder / "stat").read_text(), (folder / "cmdline").read_bytes()
            except OSError:  # it ended meanwhile
                continue
            parent = int(status.rpartition(")")[2].split()[1])
            if parent == self._process.pid and b"worker/start.py" in command:
                out.append(int(folder.name))
        return out

    def kill_worker(self) -> None:
        """Kill one planning process, as the system does when memory is short."""
        os.kill(self.wait_until(self.list_workers, "a planning process")[0], signal.SIGKILL)

    def measure_memory(self) -> float:
        """Return the resident memory of Blender [MB]."""
        status = (Path("/proc") / str(self._process.pid) / "status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def list_leftover_folders(self) -> list[str]:
        """Return the names of folders of planning processes and of their work that still exist."""
        return sorted(path.name for path in self._scratch.rglob("footfall-session-*/*-*"))

    def quit(self) -> None:
        """Quit as File > Quit does, and check that no planning process and no folder remains."""
        workers = self.list_workers()
        self.execute(
            "bpy.app.timers.register(lambda: bpy.ops.wm.quit_blender() and None, "
            "first_interval=0.5)"
        )
        status = self._process.wait(TIMEOUT)
        assert status == 0, f"Blender ended with the status {status}:\n{self.console[-2000:]}"
        remaining = [pid for pid in workers if (Path("/proc") / str(pid)).exists()]
        assert not remaining, f"planning processes remain: {remaining}"
        assert not self.list_leftover_folders(), f"folders remain: {self.list_leftover_folders()}"

    def close(self) -> None:
        """Kill Blender, which would otherwise show a dialog for unsaved changes."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._console.close()

    def _send(self, request: dict[str, str]) -> Any:
        """Send a request to `inside.py` and return the value in its reply."""
        reply_file = self.folder / "reply.json"
        reply_file.unlink(missing_ok=True)
        (self.folder / "request.tmp").write_text(json.dumps(request))
        (self.folder / "request.tmp").rename(self.folder / "request.json")
        self.wait_until(reply_file.exists, f"A reply to {request}")
        reply = json.loads(reply_file.read_text())
        assert "error" not in reply, f"{request} failed in Blender:\n{reply['error']}"
        return reply["value"]
