"""Write the files of tests/data/small, which tests read where there is no shared data, and the clip
of a scenario.

    python scripts/small_data.py [FOLDER]

All of them are made by Footfall: walks as BVH clips, and a biped robot as MJCF and URDF.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from footfall.core.clip import Knobs, Recording  # noqa: E402
from footfall.core.engine import generate  # noqa: E402
from footfall.core.scenarios.scenarios import find_scenario  # noqa: E402
from footfall.core.scenarios.tracker import CLIP  # noqa: E402
from recordings import make_recording  # noqa: E402

FOLDER = ROOT / "tests" / "data" / "small"
CENTIMETERS = 100.0  # in a meter
# Rows are the axes of a BVH file, with y up and z forward, in those of Footfall
BVH_AXES = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])


def write_bvh(recording: Recording) -> str:
    """Return a recording as the text of a BVH file [cm, degrees]."""
    order: list[int] = []
    lines = ["HIERARCHY"]

    def add_joint(joint: int, indent: str) -> None:
        order.append(joint)
        parent = recording.parents[joint]
        offset = np.zeros(3) if parent < 0 else BVH_AXES @ find_offset(recording, joint)
        channels = "Zrotation Xrotation Yrotation"
        lines.extend(
            [
                f"{indent}{'ROOT' if parent < 0 else 'JOINT'} {recording.joints[joint]}",
                f"{indent}{{",
                f"{indent}  OFFSET {format_row(CENTIMETERS * offset)}",
                f"{indent}  CHANNELS 6 Xposition Yposition Zposition {channels}"
                if parent < 0
                else f"{indent}  CHANNELS 3 {channels}",
            ]
        )
        children = [k for k, p in enumerate(recording.parents) if p == joint]
        for child in children:
            add_joint(child, indent + "  ")
        if not children:
            lines.extend([f"{indent}  End Site", f"{indent}  {{", f"{indent}    OFFSET 0 0 5"])
            lines.append(f"{indent}  }}")
        lines.append(f"{indent}}}")

    add_joint(0, "")
    lines += ["MOTION", f"Frames: {recording.frames}", f"Frame Time: {1 / recording.fps:.6f}"]
    for k in range(recording.frames):
        row = [format_row(CENTIMETERS * BVH_AXES @ recording.positions[k, 0])]
        for joint in order:
            parent = recording.parents[joint]
            rotation = recording.rotations[k, joint]
            local = rotation if parent < 0 else recording.rotations[k, parent].T @ rotation
            angles = Rotation.from_matrix(BVH_AXES @ local @ BVH_AXES.T).as_euler("ZXY")
            row.append(format_row(np.degrees(angles)))
        lines.append(" ".join(row))
    return "\n".join(lines) + "\n"


def find_offset(recording: Recording, joint: int) -> np.ndarray:
    """Return the position of a joint in the frame of its parent (3,) [m]."""
    parent = recording.parents[joint]
    difference = recording.positions[0, joint] - recording.positions[0, parent]
    return recording.rotations[0, parent].T @ difference


def format_row(numbers: np.ndarray) -> str:
    """Return numbers with three decimal places, none of them a negative zero."""
    return " ".join(f"{round(float(v), 3) + 0.0:.3f}" for v in numbers)


@dataclass(frozen=True)
class BipedLink:
    """A box of a biped robot that hangs from a hinge.

    Args:
        drop: height of the hinge above the hinge below [m].
        axis: of the hinge.
        limits: lower and upper limit of the hinge [rad].
        mass: [kg].
        size: (3,) of the box, whose top is at the hinge [m].
    """

    name: str
    drop: float
    axis: str
    limits: tuple[float, float]
    mass: float
    size: tuple[float, float, float]


PELVIS = BipedLink("pelvis", 0.0, "", (0.0, 0.0), 8.0, (0.15, 0.25, 0.2))
HIP_OFFSET = 0.1  # sideways distance of a hip from the middle [m]
LEG = (
    BipedLink("hip", 0.03, "1 0 0", (-0.4, 0.4), 0.8, (0.08, 0.08, 0.03)),
    BipedLink("thigh", 0.4, "0 1 0", (-1.5, 0.8), 3.0, (0.1, 0.1, 0.4)),
    BipedLink("shin", 0.4, "0 1 0", (0.0, 2.2), 2.0, (0.08, 0.08, 0.4)),
    BipedLink("foot", 0.06, "0 1 0", (-0.8, 0.8), 0.7, (0.22, 0.09, 0.06)),
)
SIDES = {"left": 1.0, "right": -1.0}


def compute_box_inertia(link: BipedLink) -> np.ndarray:
    """Return the moments of inertia of the box of a link (3,) [kg m^2]."""
    squares = np.square(link.size)
    return link.mass / 12 * (squares.sum() - squares)


def find_box_center(link: BipedLink) -> str:
    """Return the center of the box of a link, in the frame of its hinge [m]."""
    forward = 0.05 if link.name == "foot" else 0.0
    height = 0.0 if link is PELVIS else -0.5 * link.size[2]
    return f"{forward:g} 0 {height:g}"


def find_hinge_position(k: int, side: float) -> str:
    """Return the position of the hinge of a link of a leg in the frame of its parent [m]."""
    return f"0 {side * HIP_OFFSET:g} -0.1" if k == 0 else f"0 0 {-LEG[k - 1].drop:g}"


def write_mjcf() -> str:
    """Return the biped robot as the text of an MJCF file."""
    lines = [
        '<mujoco model="biped">',
        '  <compiler angle="radian" autolimits="true"/>',
        "  <worldbody>",
        '    <body name="pelvis" pos="0 0 1"><freejoint name="root"/>',
    ]

    def add_solid(link: BipedLink) -> None:
        center = find_box_center(link)
        moments = " ".join(f"{v:.6g}" for v in compute_box_inertia(link))
        half = " ".join(f"{0.5 * v:g}" for v in link.size)
        lines.append(f'<inertial mass="{link.mass:g}" pos="{center}" diaginertia="{moments}"/>')
        lines.append(f'<geom type="box" size="{half}" pos="{center}"/>')

    add_solid(PELVIS)
    for name, side in SIDES.items():
        for k, link in enumerate(LEG):
            low, high = link.limits
            lines.append(f'<body name="{name}_{link.name}" pos="{find_hinge_position(k, side)}">')
            lines.append(
                f'<joint name="{name}_{link.name}_joint" axis="{link.axis}" '
                f'range="{low:g} {high:g}"/>'
            )
            add_solid(link)
        lines.append("</body>" * len(LEG))
    lines.append("    </body>\n  </worldbody>\n</mujoco>")
    return "\n".join(lines) + "\n"


def write_urdf() -> str:
    """Return the biped robot as the text of a URDF file."""
    lines = ['<robot name="biped">']

    def add_link(name: str, link: BipedLink) -> None:
        xx, yy, zz = (f"{v:.6g}" for v in compute_box_inertia(link))
        center = f'<origin xyz="{find_box_center(link)}"/>'
        size = " ".join(f"{v:g}" for v in link.size)
        inertia = f'<inertia ixx="{xx}" iyy="{yy}" izz="{zz}" ixy="0" ixz="0" iyz="0"/>'
        lines.append(f'<link name="{name}">')
        lines.append(f'  <inertial>{center}<mass value="{link.mass:g}"/>{inertia}</inertial>')
        lines.append(f'  <collision>{center}<geometry><box size="{size}"/></geometry></collision>')
        lines.append("</link>")

    add_link("pelvis", PELVIS)
    for side_name, side in SIDES.items():
        parent = "pelvis"
        for k, link in enumerate(LEG):
            name = f"{side_name}_{link.name}"
            low, high = link.limits
            add_link(name, link)
            lines.append(f'<joint name="{name}_joint" type="revolute">')
            lines.append(f'  <origin xyz="{find_hinge_position(k, side)}"/>')
            lines.append(f'  <parent link="{parent}"/><child link="{name}"/>')
            lines.append(f'  <axis xyz="{link.axis}"/>')
            lines.append(f'  <limit lower="{low:g}" upper="{high:g}" effort="100" velocity="10"/>')
            lines.append("</joint>")
            parent = name
    lines.append("</robot>")
    return "\n".join(lines) + "\n"


def generate_saunter() -> Recording:
    """Return a walk that no style of the shelf has: leaned back, with a spring and wide arms."""
    task = replace(
        find_scenario("humanoid-walk").build_task(fps=30, seconds=3, speed=1.1),
        style="stroll",
        upper_style="proud",
        knobs=Knobs(arm_swing=1.5, arm_spread=10.0, bounce=1.4, lean=-5.0, knee_lift=12.0),
    )
    return make_recording(generate(task))


def write_files(folder: Path) -> None:
    """Write all files into a folder, and the clip of the scenario."""
    folder.mkdir(parents=True, exist_ok=True)
    CLIP.parent.mkdir(exist_ok=True)
    CLIP.write_text(write_bvh(generate_saunter()), encoding="utf-8")
    print(CLIP)
    walk = generate(find_scenario("humanoid-walk").build_task(fps=30, seconds=4))
    for name, text in (
        ("walk.bvh", write_bvh(make_recording(walk))),
        ("biped.xml", write_mjcf()),
        ("biped.urdf", write_urdf()),
    ):
        (folder / name).write_text(text, encoding="utf-8")
        print(folder / name)


if __name__ == "__main__":
    write_files(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
