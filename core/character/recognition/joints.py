"""The three joints of an arm, or of a leg without a hock, by their shape and their names."""
from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np

from .anatomy import ArmBones
from .names import says, says_any, stem
from .tree import Tree

ONE_PLACE = 1e-3          # of the skeleton's extent
BRANCHES = 0.8            # worth of a bone on which many hang, as a wrist


def split(tree: Tree, chain: list[int], parts: tuple[str, str, str], most_left_over: float) -> tuple[int, int, int]:
    """Positions in a chain of the three joints that part off its two long segments.

    The two are about equally long and make up most of the chain; names that say it decide.
    """
    names = tree.bones.names
    silent = not any(says(names[k], part) for k in chain for part in parts)
    along = np.concatenate([[0.0], np.cumsum([tree.step(a, b) for a, b in pairwise(chain)])])
    best, best_score = (0, 1, 2), -np.inf
    for a, b, c in combinations(range(len(chain)), 3):
        first, second = along[b] - along[a], along[c] - along[b]
        if min(first, second) < 1e-6:
            continue
        rest = (along[-1] - along[c]) / along[-1]
        score = ((first + second) / along[-1] - abs(np.log(first / second)) - 4.0 * max(rest - most_left_over, 0.0))
        score += sum(1.0 for k, part in zip((a, b, c), parts, strict=True) if says(names[chain[k]], part))
        score -= sum(1.0 for k in (a, b, c) if says(names[chain[k]], "twist"))
        score -= 0.3 * any(says(names[chain[k]], parts[0]) for k in range(a))     # the first bone so named is the joint
        score -= 0.3 * sum(k > 0 and says_any(names[chain[k]]) and stem(names[chain[k]]) == stem(names[chain[k - 1]])
                           for k in (a, b, c))
        score += BRANCHES * (silent and len(tree.children[chain[c]]) >= 3)        # what fingers hang on is a hand
        if score > best_score:
            best, best_score = (a, b, c), score
    return best


def knee_of(tree: Tree, chain: tuple[int, ...], foot: int) -> int:
    """The bone of a leg's segments that begins at the knee: two about equal lengths, and where it bends most."""
    def score(k: int) -> float:
        upper, lower = tree.step(chain[0], chain[k]), tree.step(chain[k], foot)
        first, second = (tree.bones.heads[b] - tree.bones.heads[a] for a, b in ((chain[0], chain[k]), (chain[k], foot)))
        straight = float(first @ second) / max(upper * lower, 1e-12)
        return -abs(float(np.log(max(upper, 1e-9) / max(lower, 1e-9)))) - straight

    return chain[max(range(1, len(chain)), key=score)]


def split_leg(tree: Tree, bone: int, mate: int) -> tuple[int, int, int, int | None]:
    """Bones at whose heads hip, knee and ankle are, and the toe's.

    Args:
        mate: the topmost bone of the other leg; where both begin at one place they only lead out to the hips.
    """
    chain = tree.chain(bone, avoid="heel")
    if len(chain) > 3 and tree.step(mate, bone) < ONE_PLACE * tree.extent:
        chain = chain[1:]
    a, b, c = split(tree, chain, ("thigh", "shin", "foot"), most_left_over=0.35)
    names = tree.bones.names
    toes = [k for k in chain[c + 1:] if not says_any(names[k]) or stem(names[k]) != stem(names[chain[c]])]
    return chain[a], chain[b], chain[c], toes[0] if toes else None


def split_arm(tree: Tree, bone: int) -> ArmBones:
    """Bones of an arm, its side open."""
    chain = tree.chain(bone)
    a, b, c = split(tree, chain, ("upper_arm", "forearm", "hand"), most_left_over=0.45)
    return ArmBones(chain[a], chain[b], chain[c], 0)
