"""The control rigs that Footfall knows, as data; `targets.py` says what the fields mean."""
from __future__ import annotations

from .targets import Leg, Target

# Limbs of Rigify's metarigs, from the hip or shoulder down, as each kind of animal names them.
LIMBS = (("thigh", "shin", "foot"), ("thigh", "lower_leg", "hind_foot", "r_toe"),
         ("front_thigh", "front_shin", "front_foot"), ("upper_arm", "forearm", "hand"),
         ("upper_arm", "forearm", "forefoot", "f_toe"))
# Toes that have one control for both ways of posing, and the hooves of horses.
TOES = ("toe", "r_toe", "f_toe", "front_toe", "r_hoof", "f_hoof")



def _rigify_leg(limb: tuple[str, ...], turns: tuple[tuple[str, str], ...], needs: tuple[str, ...] = ()) -> Leg:
    """A limb of Rigify's, by the names of its bones; those below the shin go with the controls that are given for them."""
    thigh, shin, foot = limb[:3]
    return Leg(
        needs=(f"{foot}_ik.{{s}}", f"{thigh}_ik_target.{{s}}", *(f"{name}.{{s}}" for name in needs)),
        bones=(f"DEF-{thigh}.{{s}}", f"DEF-{shin}.{{s}}", f"DEF-{foot}.{{s}}"),
        instead=tuple(f"{name}_fk.{{s}}" for name in (*limb, "toe")),
        turns=tuple((f"DEF-{bone}.{{s}}", f"{control}.{{s}}") for bone, control in turns),
        hip=(f"DEF-{thigh}.{{s}}", f"{thigh}_ik.{{s}}"),
        pole=(f"DEF-{thigh}.{{s}}", f"{thigh}_ik_target.{{s}}"),
        roll=(f"DEF-{shin}.{{s}}", f"{shin}_tweak.{{s}}"),
        switches={f"{thigh}_parent.{{s}}": {"IK_FK": 0.0, "IK_Stretch": 0.0, "pole_vector": 1.0}},
        stiff=(f"MCH-{shin}_ik.{{s}}", f"MCH-{shin}_ik2.{{s}}", f"MCH-{foot}_ik3.{{s}}"))


def _paw(limb: tuple[str, ...], toes: tuple[str, ...]) -> Leg:
    """A leg that stands on its toes: they go with the foot's control, the foot with its heel's."""
    foot = limb[2]
    turns = (*((toe, f"{foot}_ik") for toe in toes), (foot, f"{foot}_heel_ik"))
    return _rigify_leg(limb, turns, (f"{foot}_heel_ik",))


def _hoofed(limb: tuple[str, ...], hoof: str) -> Leg:
    """A leg that stands on a hoof."""
    foot, toe = limb[2:]
    turns = ((hoof, f"{foot}_ik"), (toe, f"{toe}_ik"), (foot, f"{foot}_heel_ik"))
    return _rigify_leg(limb, turns, (f"{toe}_ik", f"{foot}_heel_ik"))


HUMAN_LEG = _rigify_leg(LIMBS[0], (("foot", "foot_ik"), ("toe", "toe_ik")), ("foot_spin_ik",))

RIGIFY = Target(
    "Rigify", ("torso", "chest", "neck", "thigh_fk.L", "thigh_parent.L"),
    ("@chest", "torso"),
    (("DEF-spine{n}", "spine_fk{n}"), ("@neck", "neck"), ("@head", "head"),
     *((f"DEF-{name}.{{s}}", f"{name}_fk.{{s}}") for name in dict.fromkeys((*(n for limb in LIMBS for n in limb), "toe"))),
     *((f"DEF-{name}.{{s}}", f"{name}.{{s}}") for name in TOES)),
    {f"{name}_parent.{{s}}": {"IK_FK": 1.0, "IK_Stretch": 0.0} for name in dict.fromkeys(limb[0] for limb in LIMBS)},
    places=(("DEF-neck{n}", "tweak_neck{n}"), ("DEF-spine{n}", "tweak_spine{n}")),
    legs=(HUMAN_LEG, _hoofed(LIMBS[1], "r_hoof"), _hoofed(LIMBS[4], "f_hoof"), _paw(LIMBS[0], ("toe", "r_toe")),
          _paw(LIMBS[2], ("front_toe",)), _paw(LIMBS[3], ("f_toe",))))

TARGETS = (RIGIFY,)
