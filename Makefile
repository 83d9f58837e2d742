# Each target sets up the environment that it needs. `make PYTHON=python3.11 test` chooses the Python.
PYTHON ?= $(shell sh scripts/find-python)
OTHER = $(shell sh scripts/find-python $(if $(findstring 3.13,$(shell $(PYTHON) -V)),3.11,3.13))
PLATFORM ?=
ZIP ?=
CYCLES ?= 3
KILLS ?= 3

.PHONY: demo test test-other test-exhaustive test-gui bench gallery pictures extension clean

demo:
	@$(MAKE) --no-print-directory needs-bpy
	@env=$$(sh scripts/environment $(PYTHON) demo) && $$env/bin/python demo/make.py out/demo

test:
	@env=$$(sh scripts/environment $(PYTHON) test) && sh scripts/test $$env

test-other:
	@if [ -z "$(OTHER)" ]; then echo "There is no second Python here that has a Blender module; its tests were left out."; \
	else env=$$(sh scripts/environment $(OTHER) test) && OPENBLAS_NUM_THREADS=1 $$env/bin/python -m pytest tests/blender tests/core/simulate/test_bullet.py -m "not long and not exhaustive" -n auto --dist loadfile; fi

# The cases that the other targets leave out, such as every style at every speed on every slope.
test-exhaustive:
	@env=$$(sh scripts/environment $(PYTHON) test) && OPENBLAS_NUM_THREADS=1 $$env/bin/python -m pytest tests -m exhaustive -n auto --dist load

# A session in a real Blender with a window, on Linux: BLENDER=… is its command, ZIP=… an extension that was built before.
test-gui:
	@$(or $(PYTHON),python3) tests/gui/session.py --check
	@if [ -z "$(ZIP)" ]; then $(MAKE) --no-print-directory extension PLATFORM=linux-x64; fi
	@$(or $(PYTHON),python3) tests/gui/session.py $(if $(ZIP),--zip "$(ZIP)") --cycles $(CYCLES) --kills $(KILLS)

bench:
	@$(MAKE) --no-print-directory needs-bpy
	@env=$$(sh scripts/environment $(PYTHON) demo) && export OPENBLAS_NUM_THREADS=1 && \
	$$env/bin/footfall bench && $$env/bin/python scripts/bench_bake.py

gallery:
	@env=$$(sh scripts/environment $(PYTHON) plot) && $$env/bin/python scripts/gallery.py

# All pictures of docs/ that show motions: the demo's, the gallery's and those of styles.
pictures:
	@$(MAKE) --no-print-directory needs-bpy
	@env=$$(sh scripts/environment $(PYTHON) demo) && export OPENBLAS_NUM_THREADS=1 && \
	$$env/bin/python demo/make.py out/demo && cp out/demo/walk.webp out/demo/walk.png out/demo/strip.png docs/pictures/ && \
	$$env/bin/python scripts/styles.py && $$env/bin/python scripts/styles.py --on horse && \
	$$env/bin/python scripts/styles.py --on dog stalk && $$env/bin/python scripts/gallery.py

extension:
	@$(MAKE) --no-print-directory needs-bpy
	@env=$$(sh scripts/environment $(PYTHON) test) && $$env/bin/python scripts/extension.py $(PLATFORM)

.PHONY: needs-bpy
needs-bpy:
	@if [ -z "$(PYTHON)" ]; then exit 1; fi
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] not in ((3, 11), (3, 13)))' || \
	{ echo "This needs Blender as a Python module, which there is for Python 3.11 and 3.13; $(PYTHON) is $$($(PYTHON) -V)."; exit 1; }

clean:
	rm -rf .venv-* out build dist .mypy_cache .ruff_cache .pytest_cache *.egg-info
