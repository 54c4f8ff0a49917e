"""Chapter 12's condition number: too large for sixteen digits, so it is computed here with 330, in whole numbers."""

from math import isqrt

BITS, LENGTH, PAIRS = 1100, 2048, 64
ONE = 1 << BITS


def times(a, b):
    """Of two complex numbers, each a pair of whole numbers in units of 1 / ONE."""
    return (a[0] * b[0] - a[1] * b[1]) >> BITS, (a[0] * b[1] + a[1] * b[0]) >> BITS


def turned(angle):
    """cos and sin of an angle up to 1, by their series."""
    sums, term, n = [ONE, 0, 0, 0], ONE, 0
    while term:
        n += 1
        term = (term * angle >> BITS) // n
        sums[n % 4] += term
    return sums[0] - sums[2], sums[1] - sums[3]


def summed(step):
    """The sum of exp(i r a) over r from 0 to LENGTH - 1, where step is exp(i a)."""
    if step == (ONE, 0):
        return LENGTH * ONE, 0
    last = step
    for _ in range(LENGTH.bit_length() - 1):
        last = times(last, last)
    below = (ONE - step[0], -step[1])
    above = times((ONE - last[0], -last[1]), (below[0], -below[1]))
    size = (below[0] ** 2 + below[1] ** 2) >> BITS
    return above[0] * ONE // size, above[1] * ONE // size


def gram():
    """Inner products of 64 sines and 64 cosines, base 10,000, at distances 0 to 2,047."""
    ratio = ONE // 10_000
    for _ in range(6):  # the 64th root
        ratio = isqrt(ratio * ONE)
    angle, steps = ONE, []
    for _ in range(PAIRS):
        steps.append(turned(angle))
        angle = angle * ratio >> BITS
    G = [[0] * (2 * PAIRS) for _ in range(2 * PAIRS)]
    for i, a in enumerate(steps):
        for j, b in enumerate(steps):
            plus, minus = summed(times(a, b)), summed(times(a, (b[0], -b[1])) if i != j else (ONE, 0))
            G[i][j] = (minus[0] - plus[0]) // 2
            G[PAIRS + i][PAIRS + j] = (minus[0] + plus[0]) // 2
            G[i][PAIRS + j] = G[PAIRS + j][i] = (minus[1] + plus[1]) // 2
    return G


def test_about_ten_to_the_251():
    G, n = gram(), 2 * PAIRS
    factors, pivots, rest = [], [], [row[:] for row in G]
    for k in range(n):  # G = L D L^T
        column = [rest[i][k] * ONE // rest[k][k] for i in range(n)]
        pivots.append(rest[k][k])
        factors.append(column)
        for i in range(k + 1, n):
            row, share = rest[i], column[i]
            row[k:] = [x - (share * y >> BITS) for x, y in zip(row[k:], rest[k][k:], strict=True)]
    assert min(pivots) > 0

    x = [ONE // (i + 1) for i in range(n)]
    for _ in range(4):  # inverse iteration: towards the smallest eigenvalue
        for k in range(n):
            for i in range(k + 1, n):
                x[i] -= factors[k][i] * x[k] >> BITS
        x = [value * ONE // pivot for value, pivot in zip(x, pivots, strict=True)]
        for k in reversed(range(n)):
            x[k] -= sum(factors[k][i] * x[i] for i in range(k + 1, n)) >> BITS
        grown = isqrt(sum(value**2 for value in x))
        x = [value * ONE // grown for value in x]
    largest = [ONE] * n
    for _ in range(15):
        largest = [sum(a * b for a, b in zip(row, largest, strict=True)) >> BITS for row in G]
        size = isqrt(sum(value**2 for value in largest))
        largest = [value * ONE // size for value in largest]
    condition = grown * size // ONE // ONE
    assert len(str(condition)) == 252 and str(condition).startswith("136")  # 1.36e251
