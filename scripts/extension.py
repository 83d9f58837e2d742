"""Build the extension with its wheels, one file a platform, and let Blender validate it.

    extension.py [PLATFORM ...]    of windows-x64, macos-arm64, linux-x64; by default this machine's

Blender brings numpy; everything else that the core needs travels along, for Python 3.11 and 3.13,
in the versions of `bundled-3.11.txt` and `bundled-3.13.txt` beside this script.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTHONS = ("3.11", "3.13")
TAGS = {
    "windows-x64": ["win_amd64"],
    "macos-arm64": ["macosx_11_0_arm64", "macosx_12_0_arm64", "macosx_13_0_arm64"],
    "linux-x64": [
        "manylinux2014_x86_64",
        "manylinux_2_17_x86_64",
        "manylinux_2_27_x86_64",
        "manylinux_2_28_x86_64",
    ],
}
SHIPPED = (
    "__init__.py",
    "registration.py",
    "blender_manifest.toml",
    "LICENSE",
    "README.md",
    "CHANGELOG.md",
    "addon",
    "core",
    "operators",
    "panels",
    "presets",
)


def detect_platform() -> str:
    """The name that Blender has for this machine."""
    system = {"Linux": "linux", "Darwin": "macos", "Windows": "windows"}[platform.system()]
    return f"{system}-{'arm64' if platform.machine() in ('arm64', 'aarch64') else 'x64'}"


def build(target: str, out: Path) -> Path:
    """Build for one platform; returns the file."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "footfall"
        source.mkdir()
        for name in SHIPPED:
            path_in_root = ROOT / name
            if path_in_root.is_dir():
                shutil.copytree(
                    path_in_root, source / name, ignore=shutil.ignore_patterns("__pycache__")
                )
            else:
                shutil.copy(path_in_root, source / name)
        wheels = _download(target, source / "wheels")
        manifest = source / "blender_manifest.toml"
        text = manifest.read_text(encoding="utf-8")
        listed = "".join(f'    "./wheels/{name}",\n' for name in wheels)
        extra = f'platforms = ["{target}"]\nwheels = [\n{listed}]\n\n'
        manifest.write_text(
            text.replace("[permissions]", extra + "[permissions]", 1), encoding="utf-8"
        )
        version = tomllib.loads(text)["version"]
        path = out / f"footfall-{version}-{target}.zip"
        out.mkdir(parents=True, exist_ok=True)
        _blender("validate", str(source))
        _blender("build", "--source-dir", str(source), "--output-filepath", str(path))
        _blender("validate", str(path))
    return path


def read_pins(python: str) -> dict[str, str]:
    """Return the versions of the packages that are bundled for a Python, by name."""
    lines = (ROOT / "scripts" / f"bundled-{python}.txt").read_text(encoding="utf-8").splitlines()
    pins = [line.partition("==") for line in lines if line and not line.startswith("#")]
    return {name: version for name, _, version in pins}


def find_wrong_wheels(names: list[str]) -> list[str]:
    """Return what is wrong with wheels: pinned ones that are missing, and ones that are not pinned.

    Args:
        names: names of the files.
    """
    pinned = {
        (name.replace("-", "_"), version, python)
        for python in PYTHONS
        for name, version in read_pins(python).items()
    }
    wrong = []
    for file in names:
        name, version, tag, *_ = file.split("-")
        pythons = [p for p in PYTHONS if tag in (f"cp{p.replace('.', '')}", "py3", "py2.py3")]
        entries = {(name, version, python) for python in pythons}
        wrong += [f"{file} is not pinned"] if not entries & pinned else []
        pinned -= entries
    return wrong + [f"{name} {version} for Python {p} is missing" for name, version, p in pinned]


def _download(target: str, folder: Path) -> list[str]:
    """Wheels of all dependencies but numpy, for each Python; returns their file names."""
    for python in PYTHONS:
        tags = [part for tag in TAGS[target] for part in ("--platform", tag)]
        subprocess.run(
            [
                sys.executable,
                "-m",
                "pip",
                "download",
                "--quiet",
                "--disable-pip-version-check",
                "--no-deps",
                "--only-binary=:all:",
                "--python-version",
                python,
                *tags,
                "--dest",
                str(folder),
                "--requirement",
                str(ROOT / "scripts" / f"bundled-{python}.txt"),
            ],
            check=True,
        )
    names = sorted(path.name for path in folder.glob("*.whl"))
    wrong = find_wrong_wheels(names)
    if wrong:
        sys.exit(f"The wheels are not those that are pinned: {'; '.join(wrong)}.")
    return names


def _blender(*arguments: str) -> None:
    """Run the extension tool that comes with Blender."""
    import bpy  # only here, since the pins are also read where there is no Blender

    tool = (
        Path(bpy.utils.resource_path("LOCAL"))
        / "scripts"
        / "addons_core"
        / "bl_pkg"
        / "cli"
        / "blender_ext.py"
    )
    subprocess.run([sys.executable, str(tool), *arguments], check=True)


def main() -> None:
    """Build the requested platforms."""
    for target in sys.argv[1:] or [detect_platform()]:
        if target not in TAGS:
            sys.exit(f"There is no platform {target!r}; there are: {', '.join(TAGS)}.")
        path = build(target, ROOT / "dist")
        print(f"{path}  {path.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
