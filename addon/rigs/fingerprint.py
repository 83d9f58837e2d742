"""Digest of everything that decides how the controls of a rig pose its bones."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Any

import bpy

from ..animation.action_builder import bone_of, data_bone_of
from .locks import compute_rest_basis
from .rig_setting import RigSetting

SIMPLE_TYPES = ("BOOLEAN", "INT", "FLOAT", "ENUM", "STRING")
# Beginnings of the names of properties that do not move bones, or that a bake sets itself
IGNORED_PREFIXES = (
    "select",
    "hide",
    "show_",
    "custom_shape",
    "color",
    "active",
    "location",
    "rotation_a",
    "rotation_e",
    "rotation_q",
    "scale",
    "matrix",
    "enabled",  # the opposite of `mute`
    "name",
)


def compute_rig_fingerprint(
    armature: bpy.types.Object, bones: Iterable[str], settings: Sequence[RigSetting]
) -> str:
    """Return a digest of the bones of a rig: rest pose, locks, constraints, drivers, and the values
    of custom properties and of what else drivers and constraints read.

    Args:
        settings: values that the rig gets, whatever it has now.
    """
    digest = hashlib.blake2b(digest_size=16)
    digest.update(repr(settings).encode())
    for text in _RigDescription(armature, set(bones), settings).iterate():
        digest.update(text.encode())
    return digest.hexdigest()


class _RigDescription:
    """Texts that describe a rig. Values that drivers or `settings` set are left out."""

    def __init__(
        self, armature: bpy.types.Object, bones: Set[str], settings: Sequence[RigSetting]
    ) -> None:
        self.armature = armature
        self.drivers = []
        for owner, find_bone in ((armature, bone_of), (armature.data, data_bone_of)):
            data = owner.animation_data
            self.drivers += [
                curve
                for curve in (data.drivers if data else ())
                if find_bone(curve.data_path) in {*bones, ""}
            ]
        self.pose_bones = [bone for bone in armature.pose.bones if bone.name in bones]
        self.set_paths = {
            *(setting.data_path for setting in settings),
            *(curve.data_path for curve in self.drivers),
        }

    def iterate(self) -> Iterator[str]:
        """Yield the texts."""
        yield repr([tuple(row) for row in self.armature.matrix_world])
        for bone in self.pose_bones:
            yield from self._describe_bone(bone)
        for curve in self.drivers:
            yield from _describe_driver(self.armature, curve)

    def _describe_bone(self, bone: bpy.types.PoseBone) -> Iterator[str]:
        name = bpy.utils.escape_identifier(bone.name)
        path = f'pose.bones["{name}"]'
        yield f"\n{bone.name}"
        yield repr([tuple(row) for row in bone.bone.matrix_local])
        yield repr([tuple(row) for row in compute_rest_basis(bone)])
        for key, value in bone.items():
            if f'{path}["{bpy.utils.escape_identifier(key)}"]' not in self.set_paths:
                yield f"{key}={_to_plain(value)!r}"
        yield from self._describe_properties(bone, path)
        yield from self._describe_properties(bone.bone, f'bones["{name}"]')
        for constraint in bone.constraints:
            constraint_name = bpy.utils.escape_identifier(constraint.name)
            constraint_path = f'{path}.constraints["{constraint_name}"]'
            yield from self._describe_properties(constraint, constraint_path)
            yield _describe_target(self.armature, getattr(constraint, "target", None))
            for k, target in enumerate(getattr(constraint, "targets", ())):
                yield from self._describe_properties(target, f"{constraint_path}.targets[{k}]")
                yield _describe_target(self.armature, target.target)

    def _describe_properties(self, owner: Any, path: str) -> Iterator[str]:
        for prop in owner.bl_rna.properties:
            name = prop.identifier
            if (
                prop.type in SIMPLE_TYPES
                and not prop.is_readonly
                and not name.startswith(IGNORED_PREFIXES)
                and f"{path}.{name}" not in self.set_paths
            ):
                yield f"{name}={_to_plain(getattr(owner, name))!r}"


def _describe_target(armature: bpy.types.Object, target: bpy.types.Object | None) -> str:
    if target is None or target == armature:
        return ""
    return f"{target.name_full}{[tuple(row) for row in target.matrix_world]}"


def _describe_driver(armature: bpy.types.Object, curve: bpy.types.FCurve) -> Iterator[str]:
    driver = curve.driver
    yield f"\n{curve.data_path}{curve.array_index}{curve.mute}{driver.type}{driver.expression}"
    yield repr([tuple(key.co) for key in curve.keyframe_points])
    for variable in driver.variables:
        yield f"{variable.name}{variable.type}"
        for target in variable.targets:
            yield f"{target.data_path}{target.bone_target}{target.transform_type}"
            yield f"{target.transform_space}{target.rotation_mode}"
            if target.id is None or target.id == armature:
                continue
            yield target.id.name_full
            if variable.type == "SINGLE_PROP":
                try:
                    yield repr(_to_plain(target.id.path_resolve(target.data_path)))
                except ValueError:
                    yield "no such property"
            elif isinstance(target.id, bpy.types.Object):
                yield _describe_target(armature, target.id)


def _to_plain(value: Any) -> Any:
    """Return a value whose text shows its numbers."""
    if isinstance(value, (str, int, float)) or value is None:
        return value
    if isinstance(value, set):
        return sorted(value)
    if hasattr(value, "to_dict"):
        return sorted(value.to_dict().items(), key=str)
    return [_to_plain(v) for v in value] if hasattr(value, "__iter__") else str(value)
