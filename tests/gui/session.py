"""A test session in a real Blender with a window: clicks, keys, and checks after each.

    session.py [--zip FILE] [--out FOLDER] [--cycles N] [--kills K] [--seed S] [--only
    STOP,…] [--display NUMBER]

Blender is `$BLENDER`, or `blender` on the search path. Its window is on a virtual display (Xvfb),
so that it neither appears on the screen nor reacts to the user's mouse. A picture of it is saved at
each stop. The session needs Linux, Xvfb and xdotool, and no Python packages.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cycles import kill_at_random_moments, repeat_cycles
from display import Display, list_missing_programs
from measures import LAST, MEASURES
from running import Blender, find_blender
from stops import STOPS

ROOT = Path(__file__).resolve().parents[2]
WINDOW = 1280, 800  # Size of the display [px]
DISPLAY_DELAY = 0.3  # Time from drawing until the display shows it [s]


class Session:
    """A running Blender, its display and notes that stops leave for later ones."""

    def __init__(self, blender: Blender, display: Display, out: Path) -> None:
        self.blender = blender
        self.display = display
        self._out = out
        self.evaluate = blender.evaluate
        self.execute = blender.execute
        self.wait_until = blender.wait_until
        self.notes: dict[str, Any] = {}  # what one stop leaves for another
        self._stop = "start"
        self._picture_count = 0

    def press(self, operator: str) -> None:
        """Call an operator by a key, with the mouse over the 3D view."""
        key = self.evaluate(f"bind_key({operator!r})")
        self.park_mouse()
        self.display.key(f"ctrl+alt+shift+{key}")

    def park_mouse(self) -> None:
        """Move the mouse to the lower left of the 3D view, where no panel is.

        The movement closes an error message that is shown there.
        """
        left, top, _, height = self.evaluate("get_region_frame('WINDOW')")
        self.display.move(left + 150, top + height // 3)
        self.display.move(left + 150, top + height - 60)

    def start_generation(self) -> None:
        """Press Generate and wait until the planning has begun or already finished."""
        before = self.read_state()
        self.press("footfall.generate")
        self.wait_until(lambda: self.is_planning() or self.read_state() != before, "The work", 10)

    def wait_for_bake(self) -> None:
        """Wait until the motion is planned and baked."""
        self.wait_until(lambda: not self.is_planning(), "The end of the work")

    def is_planning(self) -> bool:
        """Return whether a motion is being planned."""
        return bool(self.evaluate("read_progress()['working']"))

    def read_state(self) -> dict[str, Any]:
        """Return the part of the file that an undo, a cancellation or a reload must restore."""
        return dict(self.evaluate("read_state()"))

    def wait(self, seconds: float) -> None:
        """Wait for a time [s]."""
        time.sleep(seconds)

    def check_idle(self, idle: int = 1) -> None:
        """Check that no planning and no folder of one remains.

        At most `idle` planning processes may wait for further work, each with one folder.
        """
        self.wait_until(
            lambda: len(self.blender.list_workers()) <= idle, "The end of the planning process", 5
        )
        self.wait_until(
            lambda: len(self.blender.list_leftover_folders()) == len(self.blender.list_workers()),
            "The removal of its folder",
            5,
        )
        assert all(name.startswith("worker-") for name in self.blender.list_leftover_folders()), (
            self.blender.list_leftover_folders()
        )

    def save_picture(self, name: str) -> None:
        """Save a picture of the window."""
        self.execute("redraw()")
        self.wait(DISPLAY_DELAY)
        self._picture_count += 1
        self.display.capture().save(
            self._out / f"{self._picture_count:02d}-{self._stop}{'-' + name if name else ''}.png"
        )

    def run_stop(self, stop: Callable[[Session], None]) -> None:
        """Run one stop, check for leftover processes and tracebacks, and save a picture."""
        self._stop = stop.__name__.replace("_", "-")
        began = time.monotonic()
        console_length = len(self.blender.console)
        try:
            self.park_mouse()
            stop(self)
            self.check_idle()
            assert "Traceback" not in self.blender.console[console_length:], self.blender.console[
                console_length:
            ]
        finally:
            self.save_picture("")
        print(f"{self._stop:20} {time.monotonic() - began:5.1f} s", flush=True)


def run(options: argparse.Namespace, display: Display, folder: Path) -> None:
    """Run the stops, then the repeated cycles."""
    blender = Blender(display, folder, options.zip)
    try:
        session = Session(blender, display, options.out)
        session.save_picture("")
        only = (
            options.only.split(",")
            if options.only
            else [stop.__name__ for stop in (*STOPS, *MEASURES, *LAST)]
        )
        for stop in (*STOPS, *MEASURES):
            if stop.__name__ in only:
                session.run_stop(stop)
        repeat_cycles(session, options.cycles)
        kill_at_random_moments(session, options.kills, options.seed)
        for stop in LAST:
            if stop.__name__ in only:
                session.run_stop(stop)
        blender.quit()
    finally:
        (options.out / "console.txt").write_text(blender.console)
        blender.close()


def find_newest_zip() -> Path:
    """Return the zip file of the extension that was built last."""
    archives = sorted(
        (ROOT / "dist").glob("footfall-*-linux-x64.zip"), key=lambda path: path.stat().st_mtime
    )
    if not archives:
        raise SystemExit(
            "No extension was built for Linux; run `make extension` first, or name one with --zip."
        )
    return archives[-1]


def _parse_options() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description="A session in a real Blender with a window.")
    parser.add_argument(
        "--zip", type=Path, help="zip file of the extension (default: the newest of dist/)"
    )
    parser.add_argument(
        "--out", type=Path, default=ROOT / "out" / "gui", help="folder for pictures"
    )
    parser.add_argument(
        "--cycles", type=int, default=3, help="how often to generate, undo, redo and reload"
    )
    parser.add_argument(
        "--kills", type=int, default=3, help="how often to kill the worker at a random moment"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the random moments")
    parser.add_argument(
        "--only", default="", help="names of stops, separated by commas (default: all)"
    )
    parser.add_argument("--display", type=int, help="number of the display (default: a free one)")
    parser.add_argument(
        "--check", action="store_true", help="only check that the required programs exist"
    )
    return parser.parse_args()


def main() -> int:
    """Run the session and return the exit status, 0 if every check passed."""
    options = _parse_options()
    if not sys.platform.startswith("linux"):
        raise SystemExit("This session needs Linux.")
    if list_missing_programs():
        raise SystemExit(f"This session needs {' and '.join(list_missing_programs())}; install it.")
    find_blender()
    if options.check:
        return 0
    options.zip = options.zip or find_newest_zip()
    options.out.mkdir(parents=True, exist_ok=True)
    for old in options.out.glob("*.png"):
        old.unlink()
    with tempfile.TemporaryDirectory(prefix="gui-") as folder:
        display = Display(Path(folder), *WINDOW, options.display)
        try:
            run(options, display, Path(folder))
        except AssertionError:
            traceback.print_exc()
            print(f"The pictures up to the failure are in {options.out}.")
            return 1
        finally:
            display.close()
    print(f"All checks passed. The pictures are in {options.out}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
