"""The program that OpenEvolve changes: it names the formulas of the search, written as in `seeds`."""

# EVOLVE-BLOCK-START
WEIGHT = -1


def genome():
    return f"select = Q + 0.5*sqrt(ln(N)/n); untried = {WEIGHT}*race; final = n"


# EVOLVE-BLOCK-END
