"""The compiled module that the processor can run.

The wheel for x86-64 has two: one for processors with AVX2 and BMI2 (2015 and later), and in the folder ``x86_64`` one for
every processor, which is slower. Both give the same results."""

from __future__ import annotations


def is_new() -> bool:
    """Whether Linux says that the first processor has what the faster module uses."""
    try:
        with open("/proc/cpuinfo") as file:
            flags = next((line.split() for line in file if line.startswith("flags")), [])
    except OSError:
        return False
    return {"avx2", "bmi2"} <= set(flags)
