"""The physics that are drawn over the scene: what is prepared, where it lies, and what comes out as pixels."""
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
from blender_scene import add_metarig, detected
from footfall.addon.bake.stored_plan import BYTES, Planned, keep_plan, planned_of
from footfall.addon.overlay import manager, view3d
from footfall.addon.overlay.physics import COM, EASED, PUSH, SIDES, Physics, physics_of, spoken_limb
from footfall.addon.overlay.shapes import com_path, footprints
from footfall.addon.overlay.timeline import Room
from footfall.addon.overlay.view3d import placed, placed_turn
from footfall.addon.rigs.options import Way
from footfall.core.engine import generate
from footfall.core.motion import Easing
from footfall.core.scenarios.scenarios import scenario
from mathutils import Matrix, Vector
from scipy.spatial import ConvexHull

SIZE = 400, 300


@pytest.fixture(scope="module")
def plan() -> Callable[[str], Planned]:
    """Plans of scenarios, each made once, as if baked from frame 1001 on onto an armature at the origin."""
    made: dict[str, Planned] = {}

    def of(name: str) -> Planned:
        if name not in made:
            task = scenario(name).task(30.0, 2.5, 0, None)
            made[name] = Planned(task, generate(task), np.eye(4), 1001, Way())
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
    scene.camera, scene.render.engine = camera, "BLENDER_WORKBENCH"
    scene.render.resolution_x = scene.render.resolution_y = 16
    bpy.ops.render.render()


def _carry(planned: Planned) -> bpy.types.Object:
    """An armature that plays an action with a plan."""
    armature = add_metarig()
    action = bpy.data.actions.new("walk")
    keep_plan(action, planned)
    armature.animation_data_create().action = action
    return armature


def _picture(screen: gpu.types.GPUOffScreen, draw: Callable[[], None], view: Matrix, projection: Matrix) -> np.ndarray:
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
    return Matrix(), Matrix([(2 / SIZE[0], 0, 0, -1), (0, 2 / SIZE[1], 0, -1), (0, 0, -1, 0), (0, 0, 0, 1)])


def _aside(physics: Physics, k: int) -> tuple[Matrix, Matrix]:
    """A look from the body's right side, 4 sizes wide."""
    middle = physics.com[k] - (0, 0, 0.4 * physics.size)
    turn = Matrix.Rotation(np.pi / 2, 4, "X").inverted()
    reach = 2 * physics.size
    wide = Matrix.Diagonal((1 / reach, SIZE[0] / SIZE[1] / reach, -1 / (50 * physics.size), 1))
    return turn @ Matrix.Translation(middle).inverted(), wide


def _near(picture: np.ndarray, colour: Any, off: float = 0.12) -> int:
    """How many pixels are of a colour."""
    return int((np.abs(picture - np.array(colour)).max(-1) < off).sum())


@pytest.mark.parametrize("name", ["humanoid-walk", "humanoid-run", "humanoid-sidestep", "anymal-terrain"])
def test_support_is_the_hull_of_what_rests(plan: Callable[[str], Planned], name: str) -> None:
    motion, physics = plan(name).motion, physics_of(plan(name))
    areas = []
    for k in range(motion.frames):
        resting, corners = motion.contact_position[k, motion.contact_active[k]], physics.support(k)
        on = [np.abs(resting - corner).max(1).min() if len(resting) else np.inf for corner in corners]
        assert not len(corners) or max(on) == 0                  # corners are contacts, at their own height
        if np.linalg.matrix_rank(resting[:, :2] - resting[:1, :2], 1e-6) < 2:
            assert len(corners) <= 2 or _area(corners) < 1e-8
            continue
        areas.append(_area(corners))
        assert areas[-1] == pytest.approx(ConvexHull(resting[:, :2]).volume, abs=1e-9)
    # a walking person rolls off one foot as the other comes flat: what rests then lies on one line
    assert max(areas, default=0.0) > 0.005 or name in ("humanoid-walk", "humanoid-run")


def _area(corners: np.ndarray) -> float:
    x, y = corners[:, 0], corners[:, 1]
    return 0.5 * float(np.abs(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))))


def test_arrows_are_forces_in_body_weights(plan: Callable[[str], Planned]) -> None:
    motion, physics = plan("humanoid-walk").motion, physics_of(plan("humanoid-walk"))
    weight, length = motion.link_mass.sum() * 9.81, 0.6
    k = int(motion.contact_force[..., 2].sum(1).argmax())
    arrows = physics.arrows(k, length * physics.size)
    assert len(arrows) in (1, 2)
    for arrow in arrows:
        own = [i for i, name in enumerate(motion.contact_limb) if name == physics.limbs[arrow.limb]]
        force = motion.contact_force[k, own]
        np.testing.assert_allclose(arrow.way, length * physics.size * force.sum(0) / weight, atol=1e-9)
        share = np.linalg.norm(force, axis=1, keepdims=True)
        np.testing.assert_allclose(arrow.start, (share * motion.contact_position[k, own]).sum(0) / share.sum(), atol=1e-6)
        shaft, head = placed(arrow, physics.size)
        np.testing.assert_allclose(shaft.translation, arrow.start, atol=1e-6)
        np.testing.assert_allclose(head.translation, arrow.start + arrow.way, atol=1e-6)
        np.testing.assert_allclose(head.to_3x3().col[2].normalized(), arrow.way / np.linalg.norm(arrow.way), atol=1e-5)
        joint = head @ Vector((0, 0, -0.9)) - shaft @ Vector((0, 0, 1))
        assert joint.length < 1e-5
    np.testing.assert_allclose(physics.force.sum(1), motion.contact_force.sum(1) / weight, atol=1e-9)


def test_a_moment_is_an_arc_with_its_head_where_it_turns_to(plan: Callable[[str], Planned]) -> None:
    motion = plan("humanoid-walk").motion
    weight = motion.link_mass.sum() * 9.81
    moment = np.zeros((motion.frames, 3))
    moment[7] = 0, 0, 30.0
    turned = replace(plan("humanoid-walk"), motion=replace(motion, push_moment=moment, push_point=motion.com))
    physics = physics_of(turned)
    assert physics.turns(6, 1.0) == []
    turn, = physics.turns(7, 0.6 * physics.size)
    assert turn.radius == pytest.approx(3 * 0.6 * 30 / weight)
    assert turn.place == pytest.approx(motion.com[7])
    arc, head = placed_turn(turn, physics.size)
    tip, way = head.translation - Vector(turn.place), head.to_3x3().col[2]
    assert np.cross(tip, way)[2] > 0, "counterclockwise about an axis that points up"
    assert tip.length == pytest.approx(turn.radius, rel=0.8)
    assert (arc @ Vector((1, 0, 0)) - Vector(turn.place)).length == pytest.approx(turn.radius, rel=1e-5)


def test_path_is_coloured_where_something_gave_way(plan: Callable[[str], Planned]) -> None:
    planned = plan("humanoid-walk")
    report = replace(planned.motion.report, eased=(Easing(0.5, 1.0, "turn"),))
    physics = physics_of(replace(planned, motion=replace(planned.motion, report=report)))
    path = com_path(physics)
    frames = np.arange(physics.frames) / physics.fps
    eased = (frames >= 0.5 - 1e-9) & (frames <= 1.0 + 1e-9)
    want = np.where(eased[:, None], EASED["turn"], COM)
    np.testing.assert_allclose(path.colours[0::2, :3], want[:-1], atol=1e-6)
    np.testing.assert_allclose(path.points[1::2], physics.com[1:], atol=1e-5)
    assert physics.told(20).reason == "turn"
    assert physics.told(40) is None


def test_contacts_over_time_are_those_of_the_plan(plan: Callable[[str], Planned]) -> None:
    for name, parts in (("humanoid-walk", {"heel", "ball"}), ("anymal-terrain", {"point"}), ("humanoid-monkeybars", {"grip"})):
        motion, physics = plan(name).motion, physics_of(plan(name))
        assert {bar.part for bar in physics.bars} == parts
        count = np.zeros((motion.frames, len(physics.limbs)), bool)
        for bar in physics.bars:
            count[bar.begin:bar.end + 1, bar.limb] = True
        for k, limb in enumerate(physics.limbs):
            own = [i for i, of in enumerate(motion.contact_limb) if of == limb]
            np.testing.assert_array_equal(count[:, k], motion.contact_active[:, own].any(1))
    assert not physics.resting.any()                       # who hangs stands on nothing
    assert [spoken_limb(k) for k in ("leg.L", "hind.R", "arm.L")] == ["left leg", "right hind leg", "left arm"]


def test_footprints_lie_under_the_soles(plan: Callable[[str], Planned]) -> None:
    physics = physics_of(plan("humanoid-walk"))
    inside, rims = footprints(physics)
    assert len(physics.soles) >= 4
    each = len(rims) // len(physics.soles)
    for sole, rim in zip(physics.soles, rims.points.reshape(-1, each, 3), strict=True):
        length = np.linalg.norm(sole.tip - sole.heel)
        assert np.ptp(rim, axis=0).max() < 1.3 * length
        np.testing.assert_allclose(rim.mean(0)[:2], 0.5 * (sole.heel + sole.tip)[:2], atol=0.15 * length)
    assert len(inside) > 0


@pytest.mark.parametrize("root", ["BODY", "ROOT", "OBJECT", "PLACE"])
def test_it_lies_on_the_body_wherever_that_goes(scene: bpy.types.Scene, root: str) -> None:
    scene.unit_settings.scale_length, scene.frame_start, scene.frame_end = 0.01, 1001, 1049
    scene.footfall.root_motion, scene.footfall.natural_speed = root, True
    armature = detected(scene)
    for thing in (armature, scene.footfall.path):
        thing.scale = (100, 100, 100)
    bpy.ops.footfall.detect_character()
    if root == "ROOT":
        armature = _with_root(armature)
    assert bpy.ops.footfall.generate() == {"FINISHED"}
    planned, shown = planned_of(armature), manager.shown_of(armature, scene)
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
            k = shown.physics.index(frame)
            told = shown.matrix(armature, scene) @ Vector(planned.motion.link_origin[k, link])
            assert (knee - told).length < 0.5              # of 100 units a metre


def _with_root(armature: bpy.types.Object) -> bpy.types.Object:
    """Give it a root bone below the hips."""
    bpy.ops.object.mode_set(mode="EDIT")
    bone = armature.data.edit_bones.new("root")
    bone.head, bone.tail = (0, 0, 0), (0, 0.3, 0)
    armature.data.edit_bones["spine"].parent = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.footfall.detect_character()
    return armature


def test_drawn_pixels_have_their_colours(scene: bpy.types.Scene, plan: Callable[[str], Planned],
                                         screen: gpu.types.GPUOffScreen) -> None:
    armature, wish = _carry(plan("humanoid-walk")), scene.footfall_overlay
    assert not wish.show                                   # until the user asks for it
    shown = manager.shown_of(armature, scene)
    assert shown is not None
    physics = shown.physics
    k = next(k for k in range(physics.frames) if (physics.upward[k] > 0.3).all())       # on both feet
    view = _aside(physics, k)
    matrix = shown.matrix(armature, scene)

    def drawn(**only: bool) -> np.ndarray:
        for name in ("com", "support", "footprints", "forces", "pushes"):
            setattr(wish, name, only.get(name, False))
        return _picture(screen, lambda: shown.view.draw(wish, k, matrix, 1.0), *view)

    assert drawn().max() == 0
    assert _near(drawn(com=True), COM) > 200
    assert _near(drawn(forces=True), SIDES["L"]) > 20
    assert _near(drawn(forces=True), SIDES["R"]) > 20
    assert _near(drawn(forces=True), COM) == 0
    assert _near(drawn(support=True), (0.55, 0.95, 0.60)) > 20
    assert drawn(footprints=True).max() > 0.2
    assert drawn(pushes=True).max() == 0
    physics.push_moment[k], physics.push_point[k] = (0, 0.06, 0), physics.com[k]
    assert _near(drawn(pushes=True), PUSH) > 20
    physics.push_moment[k] = 0
    room = Room(0.0, SIZE[0], 0.0, 1.0)
    strip = _picture(screen, lambda: shown.strip.draw_panel(room, k, True, True), *_flat())
    assert _near(strip, SIDES["L"]) > 300
    assert _near(strip, SIDES["R"]) > 300
    assert strip[150:].max() == 0                          # the upper half of the view stays free
    low = _picture(screen, lambda: shown.strip.draw_along(50.0, 350.0, 60.0, 1.0), *_flat())
    assert _near(low, SIDES["L"]) > 100
    assert low[:, :49].max() == 0


def test_a_frame_takes_little_time(scene: bpy.types.Scene, plan: Callable[[str], Planned], screen: gpu.types.GPUOffScreen,
                                   monkeypatch: pytest.MonkeyPatch) -> None:
    """What Python does for a frame; how long triangles take is the driver's matter."""
    armature, wish = _carry(plan("anymal-terrain")), scene.footfall_overlay
    shown = manager.shown_of(armature, scene)
    assert shown is not None
    monkeypatch.setattr(manager, "planned_of", None)          # a plan that is prepared is not unpacked again
    made: list[str] = []
    spent: list[float] = []
    batch_of = view3d.batch_of
    monkeypatch.setattr(view3d, "batch_of", lambda mesh, kind: made.append(kind) or batch_of(mesh, kind))

    def draw() -> None:
        shown.view.draw(wish, 0, Matrix(), 1.0)
        made.clear()
        for k in range(1, shown.physics.frames):
            before = time.thread_time()
            manager.shown_of(armature, scene)
            shown.matrix(armature, scene)
            shown.view._make(wish, k)
            for arrow in shown.physics.arrows(k, 1.0):
                placed(arrow, 1.0)
            spent.append(time.thread_time() - before)
        shown.view.draw(wish, k, Matrix(), 1.0)            # the same frame again: nothing is new

    _picture(screen, draw, *_flat())
    assert len(made) == 2 * (shown.physics.frames - 1)     # the support polygon and its edge
    assert np.median(spent) < 2e-3
    before = time.thread_time()
    for _ in range(1000):
        manager.known_of(armature)                         # what the panel asks
        manager.trouble_of(armature)
    assert time.thread_time() - before < 0.2


def test_a_plan_that_cannot_be_read_is_told_once(scene: bpy.types.Scene, plan: Callable[[str], Planned]) -> None:
    from footfall.addon.bake import stored_plan
    armature = _carry(plan("humanoid-walk"))
    armature.animation_data.action[BYTES] = 100
    stored_plan._unpacked.clear()
    manager._shown.clear()
    assert manager.shown_of(armature, scene) is None
    assert "generate the motion again" in manager.trouble_of(armature)
    assert manager.known_of(armature) is None


def test_nothing_is_left_when_the_add_on_is_off(scene: bpy.types.Scene, plan: Callable[[str], Planned]) -> None:
    armature = _carry(plan("humanoid-walk"))
    assert manager.shown_of(armature, scene) is not None
    for _ in range(100):
        footfall.unregister()
        assert manager._handles == []
        assert manager._shown == {}
        assert not hasattr(bpy.types.Scene, "footfall_overlay")
        footfall.register()
        assert len(manager._handles) == 3
