"""Pictures of the panels for docs/panels.md, taken from a real Blender with a window.

    panel_pictures.py [--zip FILE] [--out FOLDER] [--display NUMBER]

As for `make test-gui`, this needs Linux, Xvfb, xdotool, and Blender as `$BLENDER` or on the path.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "gui"))

from display import Display, Picture, list_missing_programs  # noqa: E402  (needs the path set above)
from running import Blender  # noqa: E402
from session import find_newest_zip  # noqa: E402

WINDOW = 1280, 1000
# Width of the tabs at the right of the sidebar [pixels].
TABS = 32
# Margin below the panel [pixels].
MARGIN = 8
SET_UP = """
settings = bpy.context.scene.footfall
bpy.ops.footfall.detect_character()
curve = bpy.data.curves.new("Path", "CURVE")
curve.splines.new("POLY").points.add(1)
curve.splines[0].points[1].co = (0, -3, 0, 1)
settings.path = bpy.data.objects.new("Path", curve)
bpy.context.scene.collection.objects.link(settings.path)
"""
MARKERS = (
    "settings.path_from = 'MARKERS'; things = [bpy.data.objects.new('Marker', None) for _ in "
    "range(3)]; [bpy.context.scene.collection.objects.link(thing) for thing in things]; "
    "[setattr(settings.markers.add(), 'thing', thing) for thing in things]; settings.markers[1]"
    ".faces = "
    "True"
)
PLANNED = "settings.jumps.clear(); bpy.ops.footfall.generate()"
STEPS = "bpy.ops.footfall.show_steps(); bpy.context.view_layer.objects.active = list_footsteps()[3]"
PHYSICS = (
    "bpy.context.view_layer.objects.active = find_rig(); "
    "bpy.context.scene.footfall_overlay.show = True"
)
# Names of left and right that contradict the toes, so that the facing is in doubt
CONTRADICTION = (
    "names = [bone.name for bone in find_rig().data.bones]; "
    "[setattr(find_rig().data.bones[name], 'name', name.replace('.L', '.#')) for name in names if "
    "'.L' in name]; "
    "[setattr(find_rig().data.bones[name], 'name', name.replace('.R', '.L')) for name in names if "
    "'.R' in name]; "
    "[setattr(bone, 'name', bone.name.replace('.#', '.R')) for bone in find_rig().data.bones]; "
    "bpy.context.view_layer.objects.active = find_rig(); bpy.ops.footfall.detect_character()"
)
# Offset of the arrow that unfolds the bones of the panel Character [pixels].
BONES = 22, 129
CLIP = ROOT / "tests" / "data" / "small" / "walk.bvh"
PANELS = {  # Picture: panel and setup.
    "character": ("FOOTFALL_PT_character", ""),
    "path": ("FOOTFALL_PT_path", ""),
    "markers": ("FOOTFALL_PT_path", MARKERS),
    "obstacles": ("FOOTFALL_PT_obstacles", "settings.path_from = 'CURVE'"),
    "motion": ("FOOTFALL_PT_motion", ""),
    "motion-preview": (
        "FOOTFALL_PT_motion",
        "settings.engine = 'preview'; settings.legs_used = 'left'",
    ),
    "motion-fast": ("FOOTFALL_PT_motion", "settings.engine = 'learned'"),
    "clip": (
        "FOOTFALL_PT_motion",
        f"settings.engine = 'centroidal'; settings.style_from = 'FILE'; "
        f"settings.clip = {str(CLIP)!r}",
    ),
    "style": ("FOOTFALL_PT_style", "settings.style_from = 'SHELF'"),
    "key-poses": ("FOOTFALL_PT_key_poses", "bpy.ops.footfall.add_struck()"),
    "pushes": ("FOOTFALL_PT_pushes", "settings.struck.clear(); bpy.ops.footfall.add_push()"),
    "waits": ("FOOTFALL_PT_waits", "settings.pushes.clear(); bpy.ops.footfall.add_wait()"),
    "jumps": ("FOOTFALL_PT_jumps", "settings.waits.clear(); bpy.ops.footfall.add_jump()"),
    "live": ("FOOTFALL_PT_live", PLANNED),
    "footsteps": ("FOOTFALL_PT_steps", STEPS),
    "bake": ("FOOTFALL_PT_bake", ""),
    "physics": ("FOOTFALL_PT_physics", PHYSICS),
    "bones": ("FOOTFALL_PT_character", ""),
    "question": ("FOOTFALL_PT_character", CONTRADICTION),
}


def crop_panel(screenshot: Picture, frame: tuple[int, int, int, int]) -> Picture:
    """Return the sidebar down to the end of its only panel."""
    left, top, width, height = frame
    side = screenshot.crop(left, top, width - TABS, height)
    # Pixels of a row, away from the border, by whose color a panel differs from the view.
    edge = 3 * 20
    panel = side.row(14)[edge : edge + 3]
    last = max(y for y in range(height) if side.row(y)[edge : edge + 3] == panel)
    return side.crop(0, 0, side.width, min(last + MARGIN, height))


def take_pictures(blender: Blender, display: Display, out: Path) -> None:
    """Save a picture of each panel."""
    lines = "".join(f"    {line}\n" for line in SET_UP.strip().splitlines())
    blender.execute(f"with override_context():\n{lines}")
    for name, (panel, setting) in PANELS.items():
        if setting:
            blender.execute(f"with override_context():\n    {setting}")
        blender.execute(f"show_only({panel!r})")
        blender.wait_until(lambda: blender.evaluate("open_sidebar()"), "The sidebar")
        blender.execute("redraw()")
        blender.execute("redraw()")  # A new panel moves to its place first.
        frame = tuple(blender.evaluate("get_region_frame('UI')"))
        folded = crop_panel(display.capture(), frame)
        if name == "bones":
            display.click(frame[0] + BONES[0], frame[1] + BONES[1])
            display.move(WINDOW[0] // 3, WINDOW[1] // 3)
            blender.execute("redraw()")
        picture = crop_panel(display.capture(), frame)
        if name == "bones" and picture.height <= folded.height:
            raise SystemExit(
                "The bones did not unfold; the panel Character has changed, and BONES has to "
                "change with it."
            )
        path = picture.save(out / f"{name}.png")
        print(
            f"{path}  {picture.width} x {picture.height}, {path.stat().st_size / 1e3:.0f} kB",
            flush=True,
        )


def main() -> None:
    """Start Blender, take the pictures and quit."""
    parser = argparse.ArgumentParser(description="Pictures of the panels.")
    parser.add_argument("--zip", type=Path, help="the extension (the newest in dist/)")
    parser.add_argument(
        "--out",
        type=Path,
        default=ROOT / "docs" / "pictures" / "panels",
        help="folder for the pictures",
    )
    parser.add_argument("--display", type=int, help="number of the display (a free one)")
    options = parser.parse_args()
    if list_missing_programs():
        raise SystemExit(f"This needs {' and '.join(list_missing_programs())}; install it.")
    with tempfile.TemporaryDirectory(prefix="gui-") as folder:
        display = Display(Path(folder), *WINDOW, options.display)
        try:
            blender = Blender(display, Path(folder), options.zip or find_newest_zip())
            try:
                take_pictures(blender, display, options.out)
            finally:
                blender.close()
        finally:
            display.close()


if __name__ == "__main__":
    main()
