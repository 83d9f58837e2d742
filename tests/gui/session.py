"""A session in a real Blender with a window: clicks, keys, and what must hold after each.

    session.py [--zip FILE] [--out FOLDER] [--cycles N] [--kills K] [--seed S] [--only
    STOP,…] [--display NUMBER]

Blender is `$BLENDER`, or `blender` on the path. The window is on a display of its own (Xvfb), so
that nothing is seen of it and nobody's mouse is in the way; what it shows is kept as a picture at
each stop. Needs Linux, Xvfb, xdotool and this Python alone.
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

from cycles import go_round, kill_at_random
from display import Display, missing
from measures import LAST, MEASURES
from running import Blender, find_blender
from stops import STOPS

ROOT = Path(__file__).resolve().parents[2]
WINDOW = 1280, 800  # pixels
NOW_AND_THEN = 0.3  # s that the display gets to show what was drawn


class Session:
    """What a stop works with."""

    def __init__(self, blender: Blender, display: Display, out: Path) -> None:
        self.blender = blender
        self.display = display
        self._out = out
        self.tell = blender.tell
        self.do = blender.do
        self.until = blender.until
        self.kept: dict[str, Any] = {}  # what one stop leaves for another
        self._stop = "start"
        self._shots = 0

    def press(self, operator: str) -> None:
        """Call an operator by an event, with the mouse over the 3D view."""
        key = self.tell(f"key_for({operator!r})")
        self.rest_mouse()
        self.display.key(f"ctrl+alt+shift+{key}")

    def rest_mouse(self) -> None:
        """Put the mouse over the lower left of the 3D view, where no panel is; an error that is
        told there goes away on the way.
        """
        left, top, _, height = self.tell("frame_of('WINDOW')")
        self.display.move(left + 150, top + height // 3)
        self.display.move(left + 150, top + height - 60)

    def begin(self) -> None:
        """Press Generate, and see that it works, or is done with it already."""
        before = self.state()
        self.press("footfall.generate")
        self.until(lambda: self.working() or self.state() != before, "The work", 10)

    def finish(self) -> None:
        """Wait until the work is done and baked."""
        self.until(lambda: not self.working(), "The end of the work")

    def working(self) -> bool:
        """Whether it plans."""
        return bool(self.tell("work()['working']"))

    def state(self) -> dict[str, Any]:
        """What an undo, a stop or a reload must bring back."""
        return dict(self.tell("state()"))

    def rest(self, seconds: float) -> None:
        """Let time go by."""
        time.sleep(seconds)

    def nothing_runs(self, idle: int = 1) -> None:
        """No work and no folder of any is left; at most `idle` planning processes wait for
        more, each with one folder.
        """
        self.until(
            lambda: len(self.blender.workers()) <= idle, "The end of the planning process", 5
        )
        self.until(
            lambda: len(self.blender.left_behind()) == len(self.blender.workers()),
            "The removal of its folder",
            5,
        )
        assert all(name.startswith("worker-") for name in self.blender.left_behind()), (
            self.blender.left_behind()
        )

    def shot(self, name: str) -> None:
        """Keep a picture of the window."""
        self.do("draw()")
        self.rest(NOW_AND_THEN)
        self._shots += 1
        self.display.shot().save(
            self._out / f"{self._shots:02d}-{self._stop}{'-' + name if name else ''}.png"
        )

    def take(self, stop: Callable[[Session], None]) -> None:
        """Go through one stop: what it asserts, that nothing runs on,
        that Blender has no fault to tell, and a picture.
        """
        self._stop = stop.__name__.replace("_", "-")
        began = time.monotonic()
        said = len(self.blender.console)
        try:
            self.rest_mouse()
            stop(self)
            self.nothing_runs()
            assert "Traceback" not in self.blender.console[said:], self.blender.console[said:]
        finally:
            self.shot("")
        print(f"{self._stop:20} {time.monotonic() - began:5.1f} s", flush=True)


def run(options: argparse.Namespace, display: Display, folder: Path) -> None:
    """Go through the stops, then round and round."""
    blender = Blender(display, folder, options.zip)
    try:
        session = Session(blender, display, options.out)
        session.shot("")
        only = (
            options.only.split(",")
            if options.only
            else [stop.__name__ for stop in (*STOPS, *MEASURES, *LAST)]
        )
        for stop in (*STOPS, *MEASURES):
            if stop.__name__ in only:
                session.take(stop)
        go_round(session, options.cycles)
        kill_at_random(session, options.kills, options.seed)
        for stop in LAST:
            if stop.__name__ in only:
                session.take(stop)
        blender.quit()
    finally:
        (options.out / "console.txt").write_text(blender.console)
        blender.close()


def newest_zip() -> Path:
    """The extension that was built last."""
    found = sorted(
        (ROOT / "dist").glob("footfall-*-linux-x64.zip"), key=lambda path: path.stat().st_mtime
    )
    if not found:
        raise SystemExit(
            "No extension was built for Linux; run `make extension` first, or name one with --zip."
        )
    return found[-1]


def main() -> int:
    """Returns 0 where all held."""
    parser = argparse.ArgumentParser(description="A session in a real Blender with a window.")
    parser.add_argument("--zip", type=Path, help="the extension; the newest of dist/ unless told")
    parser.add_argument(
        "--out", type=Path, default=ROOT / "out" / "gui", help="folder for pictures"
    )
    parser.add_argument(
        "--cycles", type=int, default=3, help="how often to generate, undo, redo and reload"
    )
    parser.add_argument(
        "--kills", type=int, default=3, help="how often to kill the worker at a random moment"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the random moments")
    parser.add_argument("--only", default="", help="names of stops, with commas; all unless told")
    parser.add_argument("--display", type=int, help="number of the display; a free one unless told")
    parser.add_argument(
        "--check", action="store_true", help="only see whether all is there that this needs"
    )
    options = parser.parse_args()
    if not sys.platform.startswith("linux"):
        raise SystemExit("This session needs Linux and its displays.")
    if missing():
        raise SystemExit(f"This needs {' and '.join(missing())}; install it.")
    find_blender()
    if options.check:
        return 0
    options.zip = options.zip or newest_zip()
    options.out.mkdir(parents=True, exist_ok=True)
    for old in options.out.glob("*.png"):
        old.unlink()
    with tempfile.TemporaryDirectory(prefix="gui-") as folder:
        display = Display(Path(folder), *WINDOW, options.display)
        try:
            run(options, display, Path(folder))
        except AssertionError:
            traceback.print_exc()
            print(f"Pictures up to there are in {options.out}.")
            return 1
        finally:
            display.close()
    print(f"All held. Pictures are in {options.out}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
