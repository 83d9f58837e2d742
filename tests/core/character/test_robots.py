"""Characters of robot files: their limbs, their dynamics, and errors of invalid files."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest
from footfall.core.character.character import Character
from footfall.core.character.from_robot.robots import load_robot
from footfall.core.character.kinematic_model import KinematicModel
from footfall.core.character.load import load_builtin, load_character
from footfall.core.character.reach import compute_leg_reaches
from footfall.core.errors import CharacterError
from footfall.core.geometry import so3

LEG = """
<body name="{n}_hip" pos="{x} {y} 0"><inertial mass="0.7" pos="0 {h} 0" diaginertia="1e-3 1e-3 1e-3"/>
  <joint name="{n}_roll" axis="1 0 0" range="-40 40"/>
  <body name="{n}_thigh" pos="0 {h} 0"><inertial mass="1" pos="0 0 -0.05" fullinertia="6e-3 6e-3 1e-3 0 1e-4 0"/>
    <joint name="{n}_pitch" axis="0 1 0" range="-90 90"/><geom type="mesh" mesh="thigh"/>
    <body name="{n}_calf" pos="0 0 -0.2"><inertial mass="0.2" pos="0 0 -0.1" diaginertia="1e-3 1e-3 1e-4"/>
      <joint name="{n}_knee" axis="0 1 0" range="{range}"/>
      <geom type="capsule" size="0.01" fromto="0 0 0 0 0 -0.2"/><geom type="sphere" size="0.02" pos="0 0 -0.2"/>{more}
    </body></body></body>"""


def _dog(
    ranges: tuple[str, str] = ("-160 0", "-160 0"),
    key: str = "",
    base: str = "<freejoint/>",
    more: str = "",
    turn: str = "1 0 0 0",
    beside: str = "",
) -> str:
    """A quadruped robot in MJCF; ranges of the rear and front knees. Its mesh is nowhere."""
    legs = "".join(
        LEG.format(n=row + side, x=x, y=y, h=0.08 * np.sign(y), range=knee_range, more=more)
        for row, x, knee_range in (("F", 0.2, ranges[1]), ("H", -0.2, ranges[0]))
        for side, y in (("R", -0.05), ("L", 0.05))
    )
    return f"""<mujoco><compiler angle="degree" autolimits="true"/><asset><mesh name="thigh" file="nowhere.stl"/>
<texture name="skin" type="2d" file="nowhere.png"/><material name="skin" texture="skin"/></asset><worldbody>
<geom type="plane" size="1 1 1"/><light pos="0 0 3"/>{beside}<body name="trunk" pos="0 0 0.45" quat="{turn}">{base}
<inertial mass="5" pos="0.01 0 0" diaginertia="0.02 0.07 0.08"/><geom type="box" size="0.2 0.06 0.05" material="skin"/>{legs}</body>
</worldbody><actuator><motor joint="FL_knee"/></actuator>{key}</mujoco>"""


def _load(tmp_path: Path, text: str, name: str = "robot.xml", **how: object) -> Character:
    (tmp_path / name).write_text(text)
    return load_robot(tmp_path / name, **how)  # type: ignore[arg-type]


def _hinges(model: KinematicModel) -> dict[str, int]:
    """Where the angle of each joint of one hinge is in a pose."""
    return {
        link.joint.name: int(model.joint_coordinates(link.joint.name)[0])
        for link in model.character.links
        if link.joint.kind == "hinges"
    }


def test_a_quadruped_is_recognized_by_its_structure(tmp_path: Path) -> None:
    character = _load(tmp_path, _dog())
    assert character.name == "robot"
    assert [(leg.name, leg.row, leg.side) for leg in character.legs] == [
        ("leg.0.L", 0, 1),
        ("leg.0.R", 0, -1),
        ("leg.1.L", 1, 1),
        ("leg.1.R", 1, -1),
    ]
    assert [character.links[k].name for k in character.legs[0].links] == [
        "HL_hip",
        "HL_thigh",
        "HL_calf",
    ]
    assert character.mass == pytest.approx(5 + 4 * 1.9)
    assert character.body_length == pytest.approx(0.4)
    assert all(foot.is_point and foot.radius == pytest.approx(0.02) for foot in character.feet)
    # the foot is under the hinge that swings it, with the knee bent as its range has it: backward
    np.testing.assert_allclose(
        character.neutral_foot_positions[:, 0], [-0.2, -0.2, 0.2, 0.2], atol=1e-3
    )
    assert np.ptp(character.neutral_foot_positions[:, 2]) < 1e-3
    knee = character.neutral_joint_position(character.legs[0].links[2])
    assert knee[0] < character.hip_positions[0, 0] - 0.05
    np.testing.assert_allclose(compute_leg_reaches(character), np.hypot(0.4, 0.08), rtol=1e-4)
    assert any("knees were bent" in note for note in character.notes)


def test_free_knees_bend_towards_the_middle(tmp_path: Path) -> None:
    character = _load(tmp_path, _dog(("-500 500", "-500 500")))
    for leg in character.legs:
        knee = character.neutral_joint_position(leg.links[2])
        hip = character.neutral_joint_position(leg.links[0])
        assert (knee[0] - hip[0]) * (1 if leg.row == 0 else -1) > 0.05
        assert character.links[leg.links[2]].joint.ranges[0][1] > np.pi


def test_a_key_pose_is_stood_in(tmp_path: Path) -> None:
    bent = "0 0.6 -1.2 " * 4
    key = (
        f"<keyframe><key name='other' qpos='0 0 1 1 0 0 0 {'0 0 0 ' * 4}'/><key name='home' "
        f"qpos='0 0 .3 1 0 0 0 {bent}'/></keyframe>"
    )
    character = _load(tmp_path, _dog(key=key))
    assert character.hip_height == pytest.approx(0.4 * np.cos(0.6) + 0.02)
    assert character.notes == ()
    low, high = character.links[character.legs[0].links[2]].joint.ranges[0]
    np.testing.assert_allclose([low, high], [np.radians(-160) + 1.2, 1.2])


def test_it_faces_along_its_axes_and_may_be_on_a_stand(tmp_path: Path) -> None:
    """A robot that is turned about in its file, and one whose base is fixed to the world."""
    straight = _load(tmp_path, _dog())
    turned = _load(tmp_path, _dog(turn="0 0 0 1", base=""))
    np.testing.assert_allclose(
        turned.neutral_foot_positions, straight.neutral_foot_positions, atol=1e-4
    )


def _check_dynamics(path: Path, character: Character, seed: int = 0) -> None:
    """Center of mass and momenta are those of MuJoCo's model, at any pose and speed."""
    spec = mujoco.MjSpec.from_file(str(path))
    for geom in list(spec.geoms):
        if geom.type == mujoco.mjtGeom.mjGEOM_MESH:
            spec.delete(geom)
        else:
            geom.material = ""
    for kind in ("meshes", "materials", "textures"):
        for one in list(getattr(spec, kind)):
            spec.delete(one)
    reference = spec.compile()
    data = mujoco.MjData(reference)
    model = KinematicModel(character)
    rng = np.random.default_rng(seed)
    # the standing pose, which only the ranges determine
    where = _hinges(model)
    stand = {
        name: float(
            reference.joint(name).range[0]
            - model.character.links[
                next(k for k, x in enumerate(character.links) if x.joint.name == name)
            ].joint.ranges[0][0]
        )
        for name in where
    }
    pose = model.neutral.copy()
    velocity = rng.normal(size=model.nv)
    pose[3:7] = so3.quat_exp(np.array([0.3, -0.2, 0.5]))
    for name, k in where.items():
        pose[k] = rng.normal(scale=0.4)
        joint = reference.joint(name)
        data.qpos[joint.qposadr[0]] = stand[name] + pose[k]
        data.qvel[joint.dofadr[0]] = velocity[model.joint_dofs(name)[0]]
    data.qpos[:7], data.qvel[:6] = pose[:7], velocity[:6]
    mujoco.mj_kinematics(reference, data)
    mujoco.mj_comPos(reference, data)
    mujoco.mj_comVel(reference, data)
    mujoco.mj_subtreeVel(reference, data)
    c = model.compute_centroidal_dynamics(pose[None])
    np.testing.assert_allclose(c.com[0], data.subtree_com[1], atol=1e-7)
    np.testing.assert_allclose(c.com_jacobian[0] @ velocity, data.subtree_linvel[1], atol=1e-6)
    np.testing.assert_allclose(c.angular_map[0] @ velocity, data.subtree_angmom[1], atol=1e-5)


def test_dynamics_are_those_of_the_file(tmp_path: Path) -> None:
    character = _load(tmp_path, _dog())
    _check_dynamics(tmp_path / "robot.xml", character)


URDF = """<robot name="biped"><link name="base"><inertial><mass value="8"/><inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0"
iyz="0"/></inertial><visual><geometry><mesh filename="package://nowhere/base.dae"/></geometry></visual></link>{legs}</robot>"""
URDF_LEG = """<link name="{s}thigh">{m}</link><link name="{s}shin">{m}</link><link name="{s}foot">{m}<collision>
<origin xyz="0.05 0 -0.05"/><geometry><box size="0.24 0.1 0.02"/></geometry></collision></link><link name="{s}camera"/>
<joint name="{s}h" type="revolute"><parent link="base"/><child link="{s}thigh"/><origin xyz="0 {y} 0"/><axis xyz="0 1 0"/>
<limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
<joint name="{s}k" type="revolute"><parent link="{s}thigh"/><child link="{s}shin"/><origin xyz="0 0 -0.4"/><axis xyz="0 1 0"/>
<limit lower="0" upper="2.4" effort="1" velocity="1"/></joint>
<joint name="{s}a" type="revolute"><parent link="{s}shin"/><child link="{s}foot"/><origin xyz="0 0 -0.4"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="{s}c" type="fixed"><parent link="{s}shin"/><child link="{s}camera"/><origin xyz="0 0 -0.2"/></joint>"""
URDF_MASS = """<inertial><origin xyz="0 0 -0.1"/><mass value="1"/><inertia ixx=".02" iyy=".02" izz=".01" ixy="0" ixz="0"
iyz="0"/></inertial>"""


def test_a_urdf_biped_stands_on_its_soles(tmp_path: Path) -> None:
    legs = "".join(URDF_LEG.format(s=s, y=y, m=URDF_MASS) for s, y in (("l_", 0.1), ("r_", -0.1)))
    character = _load(tmp_path, URDF.format(legs=legs), "biped.urdf")
    assert character.mass == pytest.approx(14)  # the soles' boxes weigh nothing
    assert [leg.name for leg in character.legs] == ["leg.L", "leg.R"]
    assert KinematicModel(character).nv == 12
    foot = character.feet[0]
    leg = character.legs[0]
    assert not foot.is_point
    np.testing.assert_allclose(foot.tip - foot.heel, [0.24, 0, 0], atol=0.01)
    assert foot.heel[2] == pytest.approx(foot.tip[2])
    # its knee is in front
    assert (
        character.neutral_joint_position(leg.links[1])[0]
        > character.neutral_joint_position(leg.links[0])[0] + 0.05
    )
    np.testing.assert_allclose(compute_leg_reaches(character), 0.8, rtol=1e-4)


def test_springs_and_rods_on_legs_are_held(tmp_path: Path) -> None:
    rod = (
        '<body name="rod{k}" pos="0 0 -0.1"><inertial mass="0.1" pos="0.03 0 0" diaginertia="1e-4 '
        '1e-4 1e-4"/><joint type="ball"/></body>'
    )
    parts = _dog(more="@").split("@")
    text = parts[0] + "".join(rod.format(k=k) + part for k, part in enumerate(parts[1:]))
    character = _load(tmp_path, text)
    assert KinematicModel(character).nv == 18
    assert character.mass == pytest.approx(5 + 4 * 2.0)
    assert any("do not lead to a foot" in note for note in character.notes)
    stiff = _load(tmp_path, _dog(), fixed_joint_names=["FL_roll", "FR_roll"])
    assert KinematicModel(stiff).nv == 16


def _sprawling() -> str:
    legs = ""
    for k, angle in enumerate(np.radians([45, 90, 135, -45, -90, -135])):
        c = np.cos(angle)
        s = np.sin(angle)
        legs += f"""<body name="coxa{k}" pos="{0.1 * c} {0.06 * s} 0" euler="0 0 {np.degrees(angle)}">
<geom type="capsule" size="0.01" fromto="0 0 0 0.05 0 0"/><joint name="yaw{k}" axis="0 0 1" range="-40 40"/>
<body name="femur{k}" pos="0.05 0 0"><geom type="capsule" size="0.01" fromto="0 0 0 0.07 0 0"/>
<joint name="lift{k}" axis="0 1 0" range="-90 90"/><body name="tibia{k}" pos="0.07 0 0">
<geom type="capsule" size="0.008" fromto="0 0 0 0.13 0 0"/><joint name="knee{k}" axis="0 1 0" range="-120 120"/>
</body></body></body>"""
    return f"""<mujoco><compiler autolimits="true"/><worldbody><body name="body"><freejoint/>
<geom type="box" size="0.12 0.06 0.02"/>{legs}</body></worldbody></mujoco>"""


def test_legs_that_lie_level_in_the_file_sprawl(tmp_path: Path) -> None:
    """Knees above the hips, feet outside of them, all on one level."""
    character = _load(tmp_path, _sprawling())
    assert [len(row) for row in character.rows] == [2, 2, 2]
    assert np.ptp(character.neutral_foot_positions[:, 2]) < 0.005
    assert character.hip_height > 0.06
    for leg, foot in zip(character.legs, character.neutral_foot_positions, strict=True):
        knee = character.neutral_joint_position(leg.links[2])
        hip = character.neutral_joint_position(leg.links[0])
        assert knee[2] > hip[2]
        assert np.linalg.norm(foot[:2]) > np.linalg.norm(hip[:2]) + 0.05


def test_legs_of_two_hinges_stand_at_the_height_that_they_can(tmp_path: Path) -> None:
    """The feet of such legs go where their angles put them, but all to one height."""
    text = _sprawling()
    for k in range(6):
        text = text.replace(f'<joint name="lift{k}" axis="0 1 0" range="-90 90"/>', "")
    character = _load(tmp_path, text)
    assert KinematicModel(character).nv == 18
    assert np.ptp(character.neutral_foot_positions[:, 2]) < 0.005
    assert character.hip_height > 0.06


def test_characters_are_loaded_by_name_or_path(tmp_path: Path) -> None:
    (tmp_path / "Robot.xml").write_text(_dog())
    (tmp_path / "mine.toml").write_text('like = "nothing"\nmass = 1')
    assert load_character("dog") is load_builtin("dog")
    assert load_character(str(tmp_path / "Robot.xml")).name == "Robot"
    with pytest.raises(CharacterError, match=r"nothing\.toml cannot be opened"):
        load_character(tmp_path / "mine.toml")
    with pytest.raises(
        CharacterError, match=r"no character 'unicorn'\. Built-in ones are: anymal, "
    ):
        load_character("unicorn")


def test_links_without_solids_are_drawn_as_sticks(tmp_path: Path) -> None:
    character = _load(tmp_path, _dog())
    thigh = character.links[character.legs[0].links[1]]  # whose mesh is left out
    assert [shape.kind for shape in thigh.shapes] == ["capsule"]
    np.testing.assert_allclose(
        thigh.shapes[0].end, character.links[character.legs[0].links[2]].offset
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("what is this", "neither an MJCF nor a URDF"),
        ("<sdf/>", "neither an MJCF nor a URDF"),
        ("<mujoco><worldbody/></mujoco>", "0 bodies that stand on the world"),
        (
            _dog(beside='<body name="ball"><freejoint/><geom size="0.1"/></body>'),
            "several bodies that move freely: 'ball', 'trunk'",
        ),
        (
            _dog(base='<joint name="rail" type="slide"/>'),
            "attached to the world by the joint 'rail'",
        ),
        (
            _dog(base="", beside='<body name="box"><geom size="0.1"/></body>'),
            "2 bodies that stand on the world",
        ),
        (
            (
                '<mujoco><worldbody><body name="b"><freejoint/><geom '
                'size="0.1"/></body></worldbody></mujoco>'
            ),
            "no joint leads",
        ),
        (
            _dog()
            .replace('<inertial mass="0.2" pos="0 0 -0.1" diaginertia="1e-3 1e-3 1e-4"/>', "")
            .replace('type="capsule"', 'mass="0"')
            .replace('type="sphere"', 'mass="0"'),
            r"no body that can move.*mass",
        ),
        (
            _dog().replace('name="FL_knee" axis', 'name="FL_knee" type="slide" axis'),
            r"'FL_knee' of a leg of robot\.xml slides",
        ),
        (
            _dog(more='<joint name="{n}_odd" pos="0 0 -0.1" axis="1 0 0"/>'.replace("{n}", "X"))
            .replace("X_odd", "a", 1)
            .replace("X_odd", "b", 1)
            .replace("X_odd", "c", 1),
            r"hinges of the body '.._calf' of robot\.xml are at different places",
        ),
        (
            _dog(more='<joint axis="1 0 0"/><joint/><joint axis="1 1 0" armature="1"/>'),
            "4 joints in series",
        ),
        (_dog(ranges=("-1 1", "nonsense")), "neither an MJCF"),
        (
            _dog()
            .replace('pos="0 0 -0.2"', 'pos="0 0 0.2"')
            .replace("0 0 0 0 0 -0.2", "0 0 0 0 0 0.2"),
            "nothing ends below its base",
        ),
        (
            _dog(("-160 0", "-10 0")).replace(
                'name="FR_pitch" axis="0 1 0" range="-90 90"',
                'name="FR_pitch" axis="0 1 0" range="60 90"',
            ),
            r"no standing pose for robot\.xml: the foot 'F._calf' misses its target by 0\.03 m",
        ),
    ],
)
def test_bad_robots_say_what_is_wrong(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(CharacterError, match=says):
        _load(tmp_path, text)


def test_files_and_joints_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(CharacterError, match="cannot be opened: No such file"):
        load_robot(tmp_path / "nowhere.xml")
    with pytest.raises(CharacterError, match="no joint 'tail' to fix; its joints are: FL_knee"):
        _load(tmp_path, _dog(), fixed_joint_names=["tail"])


@pytest.mark.parametrize(
    ("path", "freedom", "mass", "legs", "bent"),
    [
        ("menagerie/anybotics_anymal_c/anymal_c.xml", 18, 44.965, 4, (-1, 1)),
        ("menagerie/unitree_go1/go1.xml", 18, 12.743, 4, (-1, -1)),
        ("erd_anymal_c/anymal.urdf", 18, 52.135, 4, (-1, 1)),
        ("erd_solo12/solo12.urdf", 18, 2.5, 4, (-1, 1)),
        ("erd_simple_humanoid/simple_humanoid.urdf", 35, 130.8, 2, (1, 1)),
    ],
)
def test_real_robots(
    shared: Path, path: str, freedom: int, mass: float, legs: int, bent: tuple[int, int]
) -> None:
    """They load without their meshes and stand on bent legs; `bent`:
    where the knees of front and rear legs point.
    """
    file = shared / "data" / "robots" / path
    character = load_robot(file)
    model = KinematicModel(character)
    assert (model.nv, len(character.legs)) == (freedom, legs)
    assert character.mass == pytest.approx(mass, rel=1e-4)
    assert np.ptp(character.neutral_foot_positions[:, 2]) < 0.01 * character.hip_height
    com = model.compute_link_poses(model.neutral[None]).com[0]
    assert (
        character.neutral_foot_positions[:, 1].min()
        < com[1]
        < character.neutral_foot_positions[:, 1].max()
    )
    for leg, reach, foot, hip in zip(
        character.legs,
        compute_leg_reaches(character),
        character.neutral_foot_positions,
        character.hip_positions,
        strict=True,
    ):
        assert 0.6 < (hip[2] - foot[2]) / reach < 1.0
        places = np.array([character.neutral_joint_position(k) for k in leg.links])
        sign = bent[0] if leg.row == len(character.rows) - 1 else bent[1]
        line = np.interp(places[:, 2], [foot[2], hip[2]], [foot[0], places[0, 0]])
        assert (sign * (places[:, 0] - line)).max() > 0.05 * reach
    if file.suffix == ".xml":
        _check_dynamics(file, character)


def test_rods_that_close_a_loop_are_no_legs(tmp_path: Path) -> None:
    rod = (
        '<body name="{n}_rod" pos="0 0 -0.02"><inertial mass="0.1" pos="0 0 -0.1" '
        'diaginertia="1e-4 1e-4 1e-4"/><joint name="{n}_rod" axis="0 1 0"/>'
        '<geom type="capsule" size="0.01" fromto="0 0 0 0 0 -0.35"/></body>'
    )
    text = _dog()
    for name in ("FR", "FL", "HR", "HL"):
        hip = f'<joint name="{name}_roll" axis="1 0 0" range="-40 40"/>'
        text = text.replace(hip, hip + rod.format(n=name))
    loops = "".join(
        f'<connect body1="{n}_rod" body2="{n}_calf" anchor="0 0 -0.35"/>'
        for n in ("FR", "FL", "HR", "HL")
    )
    with_loops = text.replace("</mujoco>", f"<equality>{loops}</equality></mujoco>")
    character = _load(tmp_path, with_loops)
    plain = _load(tmp_path, _dog())
    assert [link.name for link in character.links] == [link.name for link in plain.links]
    assert [leg.links for leg in character.legs] == [leg.links for leg in plain.legs]
