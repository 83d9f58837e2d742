"""The constants that `scripts/mutations.py` changes are there, and so are the tests that notice."""

from __future__ import annotations

from pathlib import Path

import pytest


def test_every_mutation_can_be_made(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(root / "scripts"))
    from mutations import list_mutations  # type: ignore[import-not-found]

    mutations = list_mutations()
    assert len(mutations) > 30
    assert len({mutation.name for mutation in mutations}) == len(mutations)
    for mutation in mutations:
        text = (root / mutation.path).read_text(encoding="utf-8")
        changed = mutation.apply(text)
        assert changed != text
        if mutation.path.endswith(".py"):
            compile(changed, mutation.path, "exec")
        assert all((root / test).is_file() for test in mutation.tests), mutation.name
