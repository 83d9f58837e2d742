"""An X server in memory as a display: its mouse, its keyboard and pictures of its screen."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

SETTLE = 0.3  # Time for a window to notice a mouse movement, key or button [s]
# Required programs and the packages that contain them
PACKAGES = {"Xvfb": "xvfb", "xdotool": "xdotool"}


@dataclass(frozen=True)
class Picture:
    """A picture as rows of red, green and blue bytes, from the top.

    Args:
        width, height: size [px].
        rgb: 3 * width * height bytes.
    """

    width: int
    height: int
    rgb: bytes

    def crop(self, left: int, top: int, width: int, height: int) -> Picture:
        """Return the part that begins `left` and `top` pixels from the upper left corner."""
        rows = [self.row(y)[3 * left : 3 * (left + width)] for y in range(top, top + height)]
        return Picture(width, height, b"".join(rows))

    def row(self, y: int) -> bytes:
        """Return one row of pixels."""
        return self.rgb[3 * self.width * y : 3 * self.width * (y + 1)]

    def save(self, path: Path) -> Path:
        """Write the picture as a PNG file and return its path."""
        lines = b"".join(b"\0" + self.row(y) for y in range(self.height))
        header = struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0)
        path.parent.mkdir(parents=True, exist_ok=True)
        chunks = (
            _chunk(b"IHDR", header)
            + _chunk(b"IDAT", zlib.compress(lines, 9))
            + _chunk(b"IEND", b"")
        )
        path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunks)
        return path


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def list_missing_programs() -> list[str]:
    """Return the required programs that are not installed, each with its package."""
    return [
        f"{name} (package {package})"
        for name, package in PACKAGES.items()
        if shutil.which(name) is None
    ]


class Display:
    """An X server that draws into a file.

    Args:
        folder: the folder of that file.
        width, height: size of the screen [px].
        number: number of the display; by default a free one.
    """

    def __init__(self, folder: Path, width: int, height: int, number: int | None = None) -> None:
        self.width = width
        self.height = height
        self._frame = folder / "Xvfb_screen0"
        read, write = os.pipe()  # the server writes its number into the pipe once it is ready
        self._server = subprocess.Popen(
            [
                "Xvfb",
                *([f":{number}"] if number is not None else []),
                "-displayfd",
                str(write),
                "-screen",
                "0",
                f"{width}x{height}x24",
                "+extension",
                "GLX",
                "-nolisten",
                "tcp",
                "-fbdir",
                str(folder),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(write,),
        )
        os.close(write)
        with os.fdopen(read) as pipe:
            self.name = f":{pipe.readline().strip()}"
        if self.name == ":":
            raise SystemExit("No display could be started; try another number with --display.")
        self.environment = {**os.environ, "DISPLAY": self.name}

    def click(self, x: int, y: int, button: int = 1) -> None:
        """Move the mouse to a pixel and click a button."""
        self._do("mousemove", x, y, "sleep", SETTLE, "click", button, "sleep", SETTLE)

    def move(self, x: int, y: int) -> None:
        """Move the mouse to a pixel."""
        self._do("mousemove", x, y, "sleep", SETTLE)

    def drag(self, x: int, y: int, to_x: int, to_y: int) -> None:
        """Press the left button at one pixel and release it at another."""
        middle = (x + to_x) // 2, (y + to_y) // 2
        self._do(
            "mousemove",
            x,
            y,
            "sleep",
            SETTLE,
            "mousedown",
            1,
            "sleep",
            SETTLE,
            "mousemove",
            *middle,
            "sleep",
            SETTLE,
            "mousemove",
            to_x,
            to_y,
            "sleep",
            SETTLE,
            "mouseup",
            1,
            "sleep",
            SETTLE,
        )

    def key(self, key: str) -> None:
        """Press and release a key, such as `Escape` or `ctrl+z`."""
        self._do("key", key, "sleep", SETTLE)

    def hold(
        self, key: str, seconds: float, action: Callable[[], None], more_seconds: float
    ) -> None:
        """Hold a key, call a function while it is held, and release the key some seconds later."""
        self._do("keydown", key, "sleep", seconds)
        action()
        self._do("sleep", more_seconds, "keyup", key, "sleep", SETTLE)

    def capture(self) -> Picture:
        """Return what the display shows now."""
        # An X window dump: a header, a palette, and rows of blue, green, red and an unused byte
        data = self._frame.read_bytes()
        header = struct.unpack(">25I", data[:100])
        width = header[4]
        height = header[5]
        line = header[12]
        begin = header[0] + 12 * header[19]
        if header[11] != 32 or header[7] != 0:
            raise SystemExit(
                f"The display {self.name} has pixels of an unknown kind; it should have 24 bits a "
                "pixel."
            )
        pixels = b"".join(
            data[begin + y * line : begin + y * line + 4 * width] for y in range(height)
        )
        rgb = bytearray(3 * width * height)
        rgb[0::3] = pixels[2::4]
        rgb[1::3] = pixels[1::4]
        rgb[2::3] = pixels[0::4]
        return Picture(width, height, bytes(rgb))

    def close(self) -> None:
        """Stop the server."""
        self._server.terminate()
        self._server.wait()

    def _do(self, *words: object) -> None:
        subprocess.run(["xdotool", *map(str, words)], env=self.environment, check=True)
