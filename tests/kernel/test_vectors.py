"""The output of the network is weighed by pairs, which compilers only do where the source lets them."""

from __future__ import annotations

import platform
import shutil
import subprocess

import pytest
from rules.strategies import every_variant

from turkengine import kernel
from turkengine.rules.variant import Variant


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="the instruction is one of x86-64")
@pytest.mark.skipif(shutil.which("objdump") is None, reason="there is no objdump (on Debian: binutils)")
@every_variant
def test_the_compiled_network_multiplies_and_adds_in_pairs(variant: Variant) -> None:
    module = kernel.load(variant).__file__
    done = subprocess.run(["objdump", "-d", module], capture_output=True, text=True, check=True)
    assert "pmaddwd" in done.stdout
