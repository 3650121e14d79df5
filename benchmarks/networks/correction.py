# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""What pieces take inside a program, told from what each takes by itself: a factor per back end, fitted on other networks.

A row is {"model", "threads", "exact_ms", "alone": {"onednn": ms, ..., "conversion": ms}}. The fit minimises the relative squared error of
sum(factor * alone) against exact_ms, with the factors drawn a little towards a common one, which is all that few networks can tell of a
back end that has little to do in them. A time per piece and one per byte at its border were fitted as well: they came out as a fraction of
a microsecond of either sign, and as nothing.
"""

RIDGE = 0.1


def solve(matrix, right):
    """The solution of a small regular system of linear equations: Gaussian elimination with pivoting."""
    rows = [list(row) + [value] for row, value in zip(matrix, right)]
    size = len(rows)
    for i in range(size):
        pivot = max(range(i, size), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(size):
            if r != i:
                share = rows[r][i] / rows[i][i]
                rows[r] = [a - share * b for a, b in zip(rows[r], rows[i])]
    return [rows[i][size] / rows[i][i] for i in range(size)]


def fit(rows):
    """The factor of each back end, and that of all under None, for what no row has."""
    kinds = sorted({kind for row in rows for kind in row["alone"]})
    shares = [[row["alone"].get(kind, 0.0) / row["exact_ms"] for kind in kinds] for row in rows]
    totals = [sum(share) for share in shares]
    common = sum(totals) / sum(total * total for total in totals)
    size = len(kinds)
    matrix = [[sum(s[i] * s[j] for s in shares) + (RIDGE if i == j else 0) for j in range(size)] for i in range(size)]
    right = [sum(s[i] for s in shares) + RIDGE * common for i in range(size)]
    return {None: common, **dict(zip(kinds, solve(matrix, right)))}


def predicted(row, factors):
    """Milliseconds."""
    return sum(ms * factors.get(kind, factors[None]) for kind, ms in row["alone"].items())


def from_the_others(rows):
    """For each row, what the networks of other names on as many threads predict of its time: milliseconds, or None where there are none."""
    told = []
    for row in rows:
        others = [other for other in rows if other["model"] != row["model"] and other["threads"] == row["threads"]]
        told.append(predicted(row, fit(others)) if others else None)
    return told
