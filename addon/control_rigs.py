"""The control rigs that Footfall knows, as data; `targets.py` says what the fields mean."""
from __future__ import annotations

from .targets import Target

# Limbs of Rigify's metarigs, from the hip or shoulder down, as each kind of animal names them.
LIMBS = (("thigh", "shin", "foot"), ("thigh", "lower_leg", "hind_foot", "r_toe"),
         ("front_thigh", "front_shin", "front_foot"), ("upper_arm", "forearm", "hand"),
         ("upper_arm", "forearm", "forefoot", "f_toe"))
# Toes that have one control for both ways of posing, and the hooves of horses.
TOES = ("toe", "r_toe", "f_toe", "front_toe", "r_hoof", "f_hoof")

RIGIFY = Target(
    "Rigify", ("torso", "chest", "neck", "thigh_fk.L", "thigh_parent.L"),
    ("@chest", "torso"),
    (("DEF-spine{n}", "spine_fk{n}"), ("@neck", "neck"), ("@head", "head"),
     *((f"DEF-{name}.{{s}}", f"{name}_fk.{{s}}") for name in dict.fromkeys((*(n for limb in LIMBS for n in limb), "toe"))),
     *((f"DEF-{name}.{{s}}", f"{name}.{{s}}") for name in TOES)),
    {f"{name}_parent.{{s}}": {"IK_FK": 1.0, "IK_Stretch": 0.0} for name in dict.fromkeys(limb[0] for limb in LIMBS)},
    places=(("DEF-neck{n}", "tweak_neck{n}"), ("DEF-spine{n}", "tweak_spine{n}")))

TARGETS = (RIGIFY,)
