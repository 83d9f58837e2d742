"""The physics that are drawn over the scene: what is prepared, where it lies, and
what comes out as pixels.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import bpy
import footfall
import gpu
import numpy as np
import pytest
from blender_scene import add_detected_metarig, add_metarig
from footfall.addon.bake.stored_plan import (
    SIZE_KEY,
    StoredPlan,
    attach_plan,
    pack_plan,
    read_played_plan,
)
from footfall.addon.overlay import manager, view3d
from footfall.addon.overlay.physics import (
    COM_COLOR,
    PUSH_COLOR,
    SIDE_COLORS,
    VIOLATION_COLORS,
    PhysicsDisplay,
    build_physics_display,
    describe_limb,
)
from footfall.addon.overlay.shapes import build_com_path, build_footprints
from footfall.addon.overlay.timeline import StripArea
from footfall.addon.overlay.view3d import compute_arc_matrices, compute_arrow_matrices
from footfall.addon.rigs.options import RigOptions
from footfall.core.engine import generate
from footfall.core.motion import ConstraintViolation
from footfall.core.scenarios.scenarios import find_scenario
from mathutils import Matrix, Vector
from scipy.spatial import ConvexHull

SIZE = 400, 300


@pytest.fixture(scope="module")
def plan() -> Callable[[str], StoredPlan]:
    """Plans of scenarios, each made once, as if baked from frame 1001 on onto an
    armature at the origin.
    """
    made: dict[str, StoredPlan] = {}

    def of(name: str) -> StoredPlan:
        if name not in made:
            task = find_scenario(name).build_task(30.0, 2.5, 0, None)
            made[name] = StoredPlan(task, generate(task), np.eye(4), 1001, RigOptions())
        return made[name]

    return of


@pytest.fixture
def screen(scene: bpy.types.Scene) -> Iterator[gpu.types.GPUOffScreen]:
    """A picture to draw on; without a graphics driver these tests are left out."""
    try:
        if hasattr(gpu, "init"):
            gpu.init()
        else:
            _render_something()
        made = gpu.types.GPUOffScreen(*SIZE)
    except (SystemError, RuntimeError) as error:
        pytest.skip(f"there is no GPU to draw with: {error}")
    yield made
    made.free()


def _render_something() -> None:
    """What starts the GPU up to Blender 5.1."""
    scene = bpy.context.scene
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(camera)
    scene.camera = camera
    scene.render.engine = "BLENDER_WORKBENCH"
    scene.render.resolution_x = scene.render.resolution_y = 16
    bpy.ops.render.render()


def _carry(planned: StoredPlan) -> bpy.types.Object:
    """An armature that plays an action with a plan."""
    armature = add_metarig()
    action = bpy.data.actions.new("walk")
    attach_plan(action, pack_plan(planned))
    armature.animation_data_create().action = action
    return armature


def _picture(
    screen: gpu.types.GPUOffScreen, draw: Callable[[], None], view: Matrix, projection: Matrix
) -> np.ndarray:
    """What is drawn, on black: (height, width, 3), from 0 to 1."""
    with screen.bind(), gpu.matrix.push_pop(), gpu.matrix.push_pop_projection():
        gpu.state.active_framebuffer_get().clear(color=(0, 0, 0, 1))
        gpu.matrix.load_matrix(view)
        gpu.matrix.load_projection_matrix(projection)
        draw()
        buffer = gpu.state.active_framebuffer_get().read_color(0, 0, *SIZE, 4, 0, "UBYTE")
    buffer.dimensions = SIZE[0] * SIZE[1] * 4
    return np.array(buffer, np.uint8).reshape(SIZE[1], SIZE[0], 4)[..., :3] / 255


def _flat() -> tuple[Matrix, Matrix]:
    """Pixels as they are."""
    return Matrix(), Matrix(
        [(2 / SIZE[0], 0, 0, -1), (0, 2 / SIZE[1], 0, -1), (0, 0, -1, 0), (0, 0, 0, 1)]
    )


def _aside(physics: PhysicsDisplay, k: int) -> tuple[Matrix, Matrix]:
    """A look from the body's right side, 4 sizes wide."""
    middle = physics.com[k] - (0, 0, 0.4 * physics.com_height)
    turn = Matrix.Rotation(np.pi / 2, 4, "X").inverted()
    reach = 2 * physics.com_height
    wide = Matrix.Diagonal(
        (1 / reach, SIZE[0] / SIZE[1] / reach, -1 / (50 * physics.com_height), 1)
    )
    return turn @ Matrix.Translation(middle).inverted(), wide


def _near(picture: np.ndarray, colour: Any, off: float = 0.12) -> int:
    """How many pixels are of a colour."""
    return int((np.abs(picture - np.array(colour)).max(-1) < off).sum())


@pytest.mark.parametrize(
    "name", ["humanoid-walk", "humanoid-run", "humanoid-sidestep", "anymal-terrain"]
)
def test_support_is_the_hull_of_what_rests(plan: Callable[[str], StoredPlan], name: str) -> None:
    motion = plan(name).motion
    physics = build_physics_display(plan(name))
    areas = []
    for k in range(motion.frames):
        resting = motion.contact_position[k, motion.contact_active[k]]
        corners = physics.compute_support_polygon(k)
        on = [
            np.abs(resting - corner).max(1).min() if len(resting) else np.inf for corner in corners
        ]
        assert not len(corners) or max(on) == 0  # corners are contacts, at their heights
        if np.linalg.matrix_rank(resting[:, :2] - resting[:1, :2], 1e-6) < 2:
            assert len(corners) <= 2 or _area(corners) < 1e-8
            continue
        areas.append(_area(corners))
        assert areas[-1] == pytest.approx(ConvexHull(resting[:, :2]).volume, abs=1e-9)
    # a walking person rolls off one foot as the other comes flat: what rests then lies on one line
    assert max(areas, default=0.0) > 0.005 or name in ("humanoid-walk", "humanoid-run")


def _area(corners: np.ndarray) -> float:
    x = corners[:, 0]
    y = corners[:, 1]
    return 0.5 * float(np.abs(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))))


def test_arrows_are_forces_in_body_weights(plan: Callable[[str], StoredPlan]) -> None:
    motion = plan("humanoid-walk").motion
    physics = build_physics_display(plan("humanoid-walk"))
    weight = motion.link_mass.sum() * 9.81
    length = 0.6
    k = int(motion.contact_force[..., 2].sum(1).argmax())
    arrows = physics.make_force_arrows(k, length * physics.com_height)
    assert len(arrows) in (1, 2)
    for arrow in arrows:
        indices = [
            i for i, name in enumerate(motion.contact_limb) if name == physics.limbs[arrow.limb]
        ]
        force = motion.contact_force[k, indices]
        np.testing.assert_allclose(
            arrow.vector, length * physics.com_height * force.sum(0) / weight, atol=1e-9
        )
        share = np.linalg.norm(force, axis=1, keepdims=True)
        np.testing.assert_allclose(
            arrow.start,
            (share * motion.contact_position[k, indices]).sum(0) / share.sum(),
            atol=1e-6,
        )
        matrices = compute_arrow_matrices(arrow, physics.com_height)
        shaft, head = matrices.line, matrices.head
        np.testing.assert_allclose(shaft.translation, arrow.start, atol=1e-6)
        np.testing.assert_allclose(head.translation, arrow.start + arrow.vector, atol=1e-6)
        np.testing.assert_allclose(
            head.to_3x3().col[2].normalized(),
            arrow.vector / np.linalg.norm(arrow.vector),
            atol=1e-5,
        )
        joint = head @ Vector((0, 0, -0.9)) - shaft @ Vector((0, 0, 1))
        assert joint.length < 1e-5
    np.testing.assert_allclose(
        physics.force.sum(1), motion.contact_force.sum(1) / weight, atol=1e-9
    )


def test_a_moment_is_an_arc_with_its_head_where_it_turns_to(
    plan: Callable[[str], StoredPlan],
) -> None:
    motion = plan("humanoid-walk").motion
    weight = motion.link_mass.sum() * 9.81
    moment = np.zeros((motion.frames, 3))
    moment[7] = 0, 0, 30.0
    turned = replace(
        plan("humanoid-walk"), motion=replace(motion, push_moment=moment, push_point=motion.com)
    )
    physics = build_physics_display(turned)
    assert physics.make_moment_arcs(6, 1.0) == []
    (turn,) = physics.make_moment_arcs(7, 0.6 * physics.com_height)
    assert turn.radius == pytest.approx(3 * 0.6 * 30 / weight)
    assert turn.center == pytest.approx(motion.com[7])
    matrices = compute_arc_matrices(turn, physics.com_height)
    arc, head = matrices.line, matrices.head
    tip = head.translation - Vector(turn.center)
    direction = head.to_3x3().col[2]
    assert np.cross(tip, direction)[2] > 0, "counterclockwise about an axis that points up"
    assert tip.length == pytest.approx(turn.radius, rel=0.8)
    assert (arc @ Vector((1, 0, 0)) - Vector(turn.center)).length == pytest.approx(
        turn.radius, rel=1e-5
    )


def test_path_is_colored_at_violations(plan: Callable[[str], StoredPlan]) -> None:
    planned = plan("humanoid-walk")
    report = replace(planned.motion.report, violations=(ConstraintViolation(0.5, 1.0, "turn"),))
    physics = build_physics_display(replace(planned, motion=replace(planned.motion, report=report)))
    path = build_com_path(physics)
    frames = np.arange(physics.frame_count) / physics.fps
    relaxed = (frames >= 0.5 - 1e-9) & (frames <= 1.0 + 1e-9)
    want = np.where(relaxed[:, None], VIOLATION_COLORS["turn"], COM_COLOR)
    np.testing.assert_allclose(path.colors[0::2, :3], want[:-1], atol=1e-6)
    np.testing.assert_allclose(path.points[1::2], physics.com[1:], atol=1e-5)
    assert physics.find_violation(20).reason == "turn"
    assert physics.find_violation(40) is None


def test_contacts_over_time_are_those_of_the_plan(plan: Callable[[str], StoredPlan]) -> None:
    for name, parts in (
        ("humanoid-walk", {"heel", "ball"}),
        ("anymal-terrain", {"point"}),
        ("humanoid-monkeybars", {"grip"}),
    ):
        motion = plan(name).motion
        physics = build_physics_display(plan(name))
        assert {bar.part for bar in physics.contact_spans} == parts
        count = np.zeros((motion.frames, len(physics.limbs)), bool)
        for bar in physics.contact_spans:
            count[bar.begin : bar.end + 1, bar.limb] = True
        for k, limb in enumerate(physics.limbs):
            indices = [i for i, of in enumerate(motion.contact_limb) if of == limb]
            np.testing.assert_array_equal(count[:, k], motion.contact_active[:, indices].any(1))
    assert not physics.bears_load.any()  # a hanging body has no ground contact
    assert [describe_limb(k) for k in ("leg.L", "hind.R", "arm.L")] == [
        "left leg",
        "right hind leg",
        "left arm",
    ]


def test_footprints_lie_under_the_soles(plan: Callable[[str], StoredPlan]) -> None:
    physics = build_physics_display(plan("humanoid-walk"))
    footprints = build_footprints(physics)
    inside, rims = footprints.area, footprints.outline
    assert len(physics.foot_contacts) >= 4
    each = len(rims) // len(physics.foot_contacts)
    for sole, rim in zip(physics.foot_contacts, rims.points.reshape(-1, each, 3), strict=True):
        length = np.linalg.norm(sole.tip - sole.heel)
        assert np.ptp(rim, axis=0).max() < 1.3 * length
        np.testing.assert_allclose(
            rim.mean(0)[:2], 0.5 * (sole.heel + sole.tip)[:2], atol=0.15 * length
        )
    assert len(inside) > 0


@pytest.mark.parametrize("root", ["BODY", "ROOT", "OBJECT", "PLACE"])
def test_overlay_follows_the_body(scene: bpy.types.Scene, root: str) -> None:
    scene.unit_settings.scale_length = 0.01
    scene.frame_start = 1001
    scene.frame_end = 1049
    scene.footfall.root_motion = root
    scene.footfall.natural_speed = True
    armature = add_detected_metarig(scene)
    for thing in (armature, scene.footfall.path):
        thing.scale = (100, 100, 100)
    bpy.ops.footfall.detect_character()
    if root == "ROOT":
        armature = _with_root(armature)
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    planned = read_played_plan(armature)
    shown = manager.get_entry(armature, scene)
    assert planned is not None
    assert shown is not None
    link = planned.motion.link_names.index("shin.L")
    for moved in ((0, 0, 0), (250.0, -130.0, 20.0)):
        if any(moved) and root == "OBJECT":
            break
        armature.location = moved
        for frame in (1001, 1013, 1040):
            scene.frame_set(frame)
            knee = armature.matrix_world @ armature.pose.bones["shin.L"].head
            k = shown.physics.to_motion_frame(frame)
            planned_knee = shown.compute_world_matrix(armature, scene) @ Vector(
                planned.motion.link_origin[k, link]
            )
            assert (knee - planned_knee).length < 0.5  # of 100 units a metre


def _with_root(armature: bpy.types.Object) -> bpy.types.Object:
    """Give it a root bone below the hips."""
    bpy.ops.object.mode_set(mode="EDIT")
    bone = armature.data.edit_bones.new("root")
    bone.head = (0, 0, 0)
    bone.tail = (0, 0.3, 0)
    armature.data.edit_bones["spine"].parent = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.footfall.detect_character()
    return armature


def test_drawn_pixels_have_their_colours(
    scene: bpy.types.Scene, plan: Callable[[str], StoredPlan], screen: gpu.types.GPUOffScreen
) -> None:
    armature = _carry(plan("humanoid-walk"))
    settings = scene.footfall_overlay
    assert not settings.show  # until the user requests it
    shown = manager.get_entry(armature, scene)
    assert shown is not None
    physics = shown.physics
    # on both feet
    k = next(k for k in range(physics.frame_count) if (physics.vertical_force[k] > 0.3).all())
    view = _aside(physics, k)
    matrix = shown.compute_world_matrix(armature, scene)

    def drawn(**only: bool) -> np.ndarray:
        for name in ("com", "support", "footprints", "forces", "pushes"):
            setattr(settings, name, only.get(name, False))
        return _picture(screen, lambda: shown.view.draw(settings, k, matrix, 1.0), *view)

    assert drawn().max() == 0
    assert _near(drawn(com=True), COM_COLOR) > 200
    assert _near(drawn(forces=True), SIDE_COLORS["L"]) > 20
    assert _near(drawn(forces=True), SIDE_COLORS["R"]) > 20
    assert _near(drawn(forces=True), COM_COLOR) == 0
    assert _near(drawn(support=True), (0.55, 0.95, 0.60)) > 20
    assert drawn(footprints=True).max() > 0.2
    assert drawn(pushes=True).max() == 0
    physics.push_moment[k], physics.push_point[k] = (0, 0.06, 0), physics.com[k]
    assert _near(drawn(pushes=True), PUSH_COLOR) > 20
    physics.push_moment[k] = 0
    room = StripArea(0.0, SIZE[0], 0.0, 1.0)
    strip = _picture(screen, lambda: shown.strip.draw_panel(room, k, True, True), *_flat())
    assert _near(strip, SIDE_COLORS["L"]) > 300
    assert _near(strip, SIDE_COLORS["R"]) > 300
    assert strip[150:].max() == 0  # the upper half of the view stays free
    low = _picture(screen, lambda: shown.strip.draw_timeline(50.0, 350.0, 60.0, 1.0), *_flat())
    assert _near(low, SIDE_COLORS["L"]) > 100
    assert low[:, :49].max() == 0


def test_a_frame_takes_little_time(
    scene: bpy.types.Scene,
    plan: Callable[[str], StoredPlan],
    screen: gpu.types.GPUOffScreen,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What Python does for a frame; how long triangles take is the driver's matter."""
    armature = _carry(plan("anymal-terrain"))
    settings = scene.footfall_overlay
    shown = manager.get_entry(armature, scene)
    assert shown is not None
    # a plan that is prepared is not unpacked again
    monkeypatch.setattr(manager, "read_played_plan", None)
    made: list[str] = []
    spent: list[float] = []
    batch_of = view3d.create_batch
    monkeypatch.setattr(
        view3d, "create_batch", lambda mesh, kind: made.append(kind) or batch_of(mesh, kind)
    )

    def draw() -> None:
        shown.view.draw(settings, 0, Matrix(), 1.0)
        made.clear()
        for k in range(1, shown.physics.frame_count):
            before = time.thread_time()
            manager.get_entry(armature, scene)
            shown.compute_world_matrix(armature, scene)
            shown.view._create_batches(settings, k)
            for arrow in shown.physics.make_force_arrows(k, 1.0):
                compute_arrow_matrices(arrow, 1.0)
            spent.append(time.thread_time() - before)
        shown.view.draw(settings, k, Matrix(), 1.0)  # the same frame again: nothing is new

    _picture(screen, draw, *_flat())
    assert len(made) == 2 * (shown.physics.frame_count - 1)  # the support polygon and its edge
    assert np.median(spent) < 2e-3
    before = time.thread_time()
    for _ in range(1000):
        manager.get_cached_physics(armature)  # as the panel does
        manager.get_problem(armature)
    assert time.thread_time() - before < 0.2


def test_an_unreadable_plan_is_reported_once(
    scene: bpy.types.Scene, plan: Callable[[str], StoredPlan]
) -> None:
    from footfall.addon.bake import stored_plan

    armature = _carry(plan("humanoid-walk"))
    armature.animation_data.action[SIZE_KEY] = 100
    stored_plan._plan_cache.clear()
    manager._entries.clear()
    assert manager.get_entry(armature, scene) is None
    assert "generate the motion again" in manager.get_problem(armature)
    assert manager.get_cached_physics(armature) is None


def test_nothing_is_left_when_the_add_on_is_off(
    scene: bpy.types.Scene, plan: Callable[[str], StoredPlan]
) -> None:
    armature = _carry(plan("humanoid-walk"))
    assert manager.get_entry(armature, scene) is not None
    for _ in range(100):
        footfall.unregister()
        assert manager._handles == []
        assert manager._entries == {}
        assert not hasattr(bpy.types.Scene, "footfall_overlay")
        footfall.register()
        assert len(manager._handles) == 3
