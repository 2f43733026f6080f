"""Writes the numbers that tests/suite/oracles.rs holds the statistics to.

    python -m venv /tmp/oracles && /tmp/oracles/bin/pip install numpy scipy mpmath statsmodels
    /tmp/oracles/bin/python crates/stats/tests/oracles/make_oracles.py

Everything follows from the seed below, so a second run with the same versions changes nothing.
"""

import json
import math
import pathlib
import platform

import mpmath
import numpy
import scipy
import scipy.optimize
import statsmodels
from mpmath import mp, mpf
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

HERE = pathlib.Path(__file__).parent
VERSIONS = {
    "python": platform.python_version(),
    "numpy": numpy.__version__,
    "scipy": scipy.__version__,
    "mpmath": mpmath.__version__,
    "statsmodels": statsmodels.__version__,
}
rng = numpy.random.default_rng(20221)
mp.dps = 50


def write(name, cases):
    lines = ",\n".join(f"  {json.dumps(key)}: [\n" + ",\n".join("    " + json.dumps(row) for row in rows) + "\n  ]"
                       for key, rows in cases.items())
    (HERE / f"{name}.json").write_text(f'{{\n  "versions": {json.dumps(VERSIONS)},\n{lines}\n}}\n')


# --- distribution.json: 50 digits, rounded once ---------------------------------------------------------------------

def fraction_tail(a, b, x):
    """I_x(a, b) by the continued fraction DLMF 8.17.22."""
    d = 1 / (1 - (a + b) * x / (a + 1))
    c, h, m = mpf(1), d, 0
    while True:
        m += 1
        odd = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d, c = 1 / (1 + odd * d), 1 + odd / c
        h *= d * c
        even = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d, c = 1 / (1 + even * d), 1 + even / c
        h *= d * c
        if abs(d * c - 1) < mpf(10) ** -40:
            log_front = mp.loggamma(a + b) - mp.loggamma(a) - mp.loggamma(b) + a * mp.log(x) + b * mp.log(1 - x)
            return mp.exp(log_front) * h / a


def student(t, df):
    t, df, half = mpf(t), mpf(df), mpf(1) / 2
    x = df / (df + t * t)
    if x < (df / 2 + 1) / (df / 2 + 5 * half):
        return fraction_tail(df / 2, half, x)
    return 1 - fraction_tail(half, df / 2, t * t / (df + t * t))


def distribution():
    degrees = [1, 1.3, 2, 2.7, 3, 5, 9.5, 10, 24, 29, 49, 58.3, 61, 100.7, 299, 1e3, 3333.3, 1e4, 99999, 1e6, 1e7, 1e9, 1e12]
    points = [1e-9, 1e-4, 0.01, 0.1, 0.5, 1, 1.2, 1.5, 1.7, 1.7320508, 1.75, 1.8, 2, 2.5, 3, 4, 6, 7, 10, 15, 20, 30, 37, 60, 1e3]
    rows = [[float(df), float(t), float(p)] for df in degrees for t in points if (p := student(t, df)) > mpf("1e-300")]
    critical = [[float(df), float(mp.findroot(lambda t: student(t, df) - mpf(1) / 20, float(stats.t.ppf(0.975, df))))]
                for df in degrees]
    normal = [[float(z), float(mp.erfc(mpf(z) / mp.sqrt(2)))] for z in points if z < 38]
    write("distribution", {"student": rows, "critical": critical, "normal": normal})


# --- samples.json ---------------------------------------------------------------------------------------------------

def grid(n, multiplier, modulus, scale):
    """n whole numbers (i * multiplier) mod modulus, times a power of two: both languages make the same doubles."""
    return [((i * multiplier) % modulus) * scale for i in range(n)]


def normals(n, mean, sd, digits=3):
    return [round(float(x), digits) for x in rng.normal(mean, sd, n)]


def wholes(n, low, high):
    return [float(x) for x in rng.integers(low, high, n)]


def pairs_of_samples():
    yield "two values", [1.0, 2.0], [4.0, 9.0]
    yield "two against many", [1.5, -2.0], normals(40, 1, 3)
    yield "unequal spreads", normals(12, 0, 0.01, 6), normals(25, 0.5, 40)
    yield "scores", wholes(30, 40, 130), wholes(30, 35, 120)
    yield "halves with ties", [x / 2 for x in wholes(60, -8, 9)], [x / 2 for x in wholes(60, -8, 7)]
    yield "equal means", [1.0, 2.0, 3.0, 4.0], [4.0, 3.0, 2.0, 1.0]
    yield "near-equal", [1000 + x / 64 for x in wholes(20, 0, 9)], [1000 + x / 64 for x in wholes(20, 0, 9)]
    yield "one side constant", [2.0] * 8, normals(8, 2.4, 1)
    yield "skewed", [round(float(x), 4) for x in rng.exponential(3, 45)], [round(float(x), 4) for x in rng.exponential(2, 45)]
    yield "no ties, fifty pairs", normals(50, 0.3, 1, 9), normals(50, 0, 1, 9)
    yield "no ties, fifty-one pairs", normals(51, 0.3, 1, 9), normals(51, 0, 1, 9)
    yield "significant", normals(80, 10, 1), normals(80, 6, 1.5)
    yield "p near 1e-200", normals(200, 40, 1.0), normals(200, 20, 1.0)
    yield "tiny numbers", [x * 2.0**-200 for x in wholes(15, 1, 99)], [x * 2.0**-200 for x in wholes(15, 1, 99)]
    yield "large numbers", [x * 2.0**200 for x in wholes(15, 1, 99)], [x * 2.0**200 for x in wholes(15, 1, 90)]
    yield "wins and losses", [1.0] * 27 + [0.0] * 13, [0.0] * 20 + [1.0] * 20


LARGE = [
    ("a hundred thousand", {"n": 100_000, "multiplier": 7919, "modulus": 10_007, "scale": 0.125},
     {"n": 100_000, "multiplier": 104_729, "modulus": 10_009, "scale": 0.125}),
    ("a hundred thousand, ties", {"n": 100_000, "multiplier": 7919, "modulus": 101, "scale": 1.0},
     {"n": 100_000, "multiplier": 7907, "modulus": 103, "scale": 1.0}),
]


def t_test(result):
    interval = result.confidence_interval(0.95)
    return {"t": float(result.statistic), "df": float(result.df), "p": float(result.pvalue),
            "low": float(interval.low), "high": float(interval.high)}


def wilcoxon(differences):
    kept = differences[differences != 0]
    exact = len(kept) <= 50
    if exact:
        ranks = stats.rankdata(numpy.abs(kept))
        # SciPy counts all assignments of signs of a few values, but has no exact distribution of many that tie.
        method = stats.PermutationMethod(n_resamples=math.inf) if 2 <= len(kept) <= 12 else "exact"
        result = stats.wilcoxon(kept, zero_method="wilcox", correction=False, method=method)
        statistic = float(min(ranks[kept > 0].sum(), ranks[kept < 0].sum()))
        p = signed_rank_p(ranks, statistic)
        assert len(kept) > 12 and len(numpy.unique(ranks)) < len(kept) or math.isclose(p, result.pvalue, rel_tol=1e-12)
    else:
        result = stats.wilcoxon(kept, zero_method="wilcox", correction=False, method="approx")
        statistic, p = float(result.statistic), float(result.pvalue)
    return {"statistic": statistic, "p": p, "exact": exact, "count": len(kept)}


def signed_rank_p(ranks, statistic):
    """2 P(W <= statistic) of a random subset of these ranks: sums and their numbers in whole numbers."""
    sums = {0: 1}
    for rank in (int(2 * rank) for rank in ranks):
        grown = dict(sums)
        for total, count in sums.items():
            grown[total + rank] = grown.get(total + rank, 0) + count
        sums = grown
    below = sum(count for total, count in sums.items() if total <= 2 * statistic)
    return min(1.0, 2 * below / 2 ** len(ranks))


def describe(x):
    low, high = stats.t.interval(0.95, len(x) - 1, x.mean(), stats.sem(x))
    return {"mean": float(x.mean()), "sd": float(x.std(ddof=1)), "standard_error": float(stats.sem(x)),
            "low": float(low), "high": float(high)}


def box_plot(x):
    q1, median, q3 = (float(q) for q in numpy.percentile(x, [25, 50, 75]))
    reach = 1.5 * (q3 - q1)
    inside = x[(x >= q1 - reach) & (x <= q3 + reach)]
    return {"min": float(x.min()), "q1": q1, "median": median, "q3": q3, "max": float(x.max()),
            "whisker_low": min(float(inside.min()), q1), "whisker_high": max(float(inside.max()), q3),
            "outliers": len(x) - len(inside)}


def compared(a, b):
    a, b = numpy.array(a), numpy.array(b)
    row = {"describe": describe(b), "box_plot": box_plot(b), "welch": t_test(stats.ttest_ind(a, b, equal_var=False)),
           "a12": float(stats.mannwhitneyu(a, b).statistic / (len(a) * len(b)))}
    pooled = ((len(a) - 1) * a.var(ddof=1) + (len(b) - 1) * b.var(ddof=1)) / (len(a) + len(b) - 2)
    row["cohen_d"] = float((a.mean() - b.mean()) / math.sqrt(pooled))
    if len(a) == len(b):
        row["paired"] = t_test(stats.ttest_rel(a, b))
        row["wilcoxon"] = wilcoxon(a - b)
        row["cohen_dz"] = float((a - b).mean() / (a - b).std(ddof=1))
    return row


def samples():
    given = [{"name": name, "a": a, "b": b, **compared(a, b)} for name, a, b in pairs_of_samples()]
    large = [{"name": name, "a": a, "b": b, **compared(grid(**a), grid(**b))} for name, a, b in LARGE]
    # Four wins of five decks, six of six, and ties and zeros: small samples of a game that is won, drawn or lost.
    small = numpy.random.default_rng(63)
    ties = [[1.0] * 4 + [0.0], [1.0] * 6, [-0.5, -0.5, 1.0], [0.5] * 50, [1.0] * 30 + [-1.0] * 10 + [0.0] * 9]
    ties += [[float(x) / 2 for x in small.integers(-2, 3, n)] for n in range(3, 41) for _ in range(2)]
    ties = [{"differences": d, **wilcoxon(numpy.array(d))} for d in ties if any(d)]
    write("samples", {"given": given, "large": large, "ties": ties})


# --- the rest -------------------------------------------------------------------------------------------------------

def families():
    rows = []
    for n in (1, 2, 5, 30):
        p = [float(x) for x in rng.uniform(0, 1, n) ** 3]
        rows.append(p)
    rows += [[0.05, 0.05, 0.05], [0.0, 1.0, 1e-200, 0.01, 0.01], [1.0]]
    write("holm", {"families": [{"p": p, "adjusted": [float(x) for x in multipletests(p, method="holm")[1]]} for p in rows]})


def fisher_tables():
    tables = [[[8, 2], [1, 5]], [[3, 9], [11, 2]], [[0, 7], [5, 0]], [[15, 9], [10, 14]], [[1, 24], [22, 3]],
              [[250, 310], [190, 280]], [[12, 13], [12, 13]], [[4_000, 6_100], [3_900, 6_000]], [[0, 25], [1, 24]]]
    write("fisher", {"two_sided": [{"table": t, "p": float(stats.fisher_exact(t)[1])} for t in tables]})


def proportions():
    counts = [(0, 1), (1, 1), (0, 20), (20, 20), (1, 29), (7, 10), (15, 25), (81, 263), (500_000, 1_000_000), (3, 10**12)]
    rows = [[k, n, *(float(x) for x in proportion_confint(k, n, alpha=0.05, method="wilson"))] for k, n in counts]
    write("proportion", {"wilson": rows})


def sign_flips():
    rows = []
    for n in (2, 3, 6, 9, 12):
        for d in (wholes(n, -3, 6), normals(n, 0.6, 1)):
            if any(d):
                test = stats.permutation_test((numpy.array(d),), lambda x, axis: x.mean(axis=axis), vectorized=True,
                                              permutation_type="samples", n_resamples=math.inf)
                rows.append({"differences": d, "p": float(test.pvalue), "draws": [], "samples": 1})
    for n in (16, 20):
        d = rng.integers(-20, 31, n)
        sums = numpy.zeros(1, dtype=numpy.int64)
        for x in d:
            sums = numpy.concatenate([sums + x, sums - x])
        rows.append({"differences": [float(x) for x in d], "p": float(numpy.mean(abs(sums) >= abs(d.sum()))),
                     "draws": [], "samples": 1})
    for n in (21, 64, 70):
        d, count, words = rng.integers(1, 31, n) * rng.choice([-1, 1, 1], n), 60, -(-n // 64)
        draws = [int(x) for x in rng.integers(0, 2**64, count * words, dtype=numpy.uint64)]
        extreme = 0
        for i in range(count):
            bits = sum(word << (64 * place) for place, word in enumerate(draws[i * words:(i + 1) * words]))
            extreme += abs(sum(int(x) * (-1) ** (bits >> place & 1) for place, x in enumerate(d))) >= abs(int(d.sum()))
        rows.append({"differences": [float(x) for x in d], "p": (extreme + 1) / (count + 1), "draws": draws, "samples": count})
    write("permutation", {"sign_flip": rows})


def exact_pairs():
    """Few games that are won, drawn or lost: SciPy's permutation test, and the ends of its interval by trying values."""
    few, rows = numpy.random.default_rng(64), []
    records = [[1.0] * 5 + [0.0], [1.0] * 3 + [0.5] * 3, [1.0] * 9 + [-1.0], [-0.5] * 7 + [0.5]]
    records += [[float(x) / 2 for x in few.integers(-1, 3, n)] for n in range(2, 12) for _ in range(3)]

    def p_value(d):
        return stats.permutation_test((d,), lambda x, axis: x.mean(axis=axis), vectorized=True, permutation_type="samples",
                                      n_resamples=math.inf).pvalue

    for d in (numpy.array(record) for record in records if len(set(record)) > 1):
        # The p-value changes at means of subsets alone.
        sums = numpy.zeros((1, 2))
        for x in d:
            sums = numpy.concatenate([sums, sums + (x, 1)])
        means = sorted(set(sums[1:, 0] / sums[1:, 1]))
        low, high = -1.0, 1.0
        if p_value(d - d.min() + 1e-6) < 0.05:
            low = next(mean for mean in means if p_value(d - mean) >= 0.05)
            high = next(mean for mean in reversed(means) if p_value(d - mean) >= 0.05)
        rows.append({"differences": d.tolist(), "p": float(p_value(d)), "low": low, "high": high})
    for n in (2, 5, 6, 12, 19, 40):
        low, high = proportion_confint(n, n, alpha=0.05, method="beta")
        rows.append({"differences": [1.0] * n, "p": 2.0 ** (1 - n), "low": float(2 * low - 1), "high": float(2 * high - 1)})
    write("paired", {"exact": rows})


def bootstraps():
    rows = []
    for n, resamples in ((2, 40), (7, 50), (30, 101)):
        values, weights = normals(n, 5, 2), normals(n, 20, 3)
        draws = [int(x) for x in rng.integers(0, 2**64, n * resamples, dtype=numpy.uint64)]
        indices = numpy.array([draw * n >> 64 for draw in draws]).reshape(resamples, n)
        v, w = numpy.array(values)[indices], numpy.array(weights)[indices]
        means = numpy.percentile(v.mean(axis=1), [2.5, 97.5])
        ratios = numpy.percentile(v.sum(axis=1) / w.sum(axis=1), [2.5, 97.5])
        rows.append({"values": values, "weights": weights, "draws": draws, "resamples": resamples,
                     "mean": [float(x) for x in means], "ratio": [float(x) for x in ratios]})
    write("bootstrap", {"percentile": rows})


def leagues():
    rows = []
    for players, games, prior in ((2, 10, 0.0), (3, 20, 0.0), (3, 20, 0.5), (6, 50, 0.0), (6, 50, 2.0), (13, 30, 0.0), (13, 30, 0.5)):
        strength = rng.normal(0, 0.8, players)
        met = []
        for i in range(players):
            for j in range(i):
                score = float(rng.binomial(2 * games, 1 / (1 + math.exp(strength[j] - strength[i])))) / 2
                met.append([i, j, score, games - score])

        def gradient(*theta):
            # The prior fixes the level of the ratings; without one the first equation is replaced by it.
            slope = [prior * (mpf(1) / 2 - 1 / (1 + mp.exp(-t))) for t in theta]
            for i, j, a, b in met:
                p = 1 / (1 + mp.exp(theta[j] - theta[i]))
                slope[i] += a - (a + b) * p
                slope[j] -= a - (a + b) * p
            if prior == 0:
                slope[0] = sum(theta)
            return slope

        theta = list(mp.findroot(gradient, [float(x) for x in strength - strength.mean()], tol=1e-60))
        mean = sum(theta) / players
        rows.append({"players": players, "prior": prior, "encounters": met,
                     "elo": [float((t - mean) * 400 / mp.log(10)) for t in theta]})
    write("ratings", {"leagues": rows})


def sequential():
    rows = []
    counts = [[10, 60, 120, 90, 20], [223, 9863, 21279, 10037, 246], [871, 26175, 55983, 26678, 821], [0, 0, 0, 0, 3],
              [5, 0, 0, 0, 0], [0, 1, 1, 0, 0], [0, 0, 7, 0, 0], [1, 1, 1, 1, 1], [3, 0, 15, 0, 12], [10**6] * 5]
    for pairs in counts:
        for elo0, elo1 in ((0, 5), (-3, 1), (0.5, 2.5), (0, 200), (-800, 800)):
            c = [mpf(x) if x else mpf(1) / 1000 for x in pairs]

            def likelihood(elo):
                s = 1 / (1 + mp.power(10, -mpf(elo) / 400))
                d = [mpf(i) / 4 - s for i in range(5)]
                low, high = -1 / (1 - s), 1 / s
                width = mpf(10) ** -25
                m = mp.findroot(lambda m: sum(x * y / (1 + m * y) for x, y in zip(c, d)),
                                (low * (1 - width), high * (1 - width)), solver="anderson", maxsteps=4000, tol=1e-40, verify=False)
                for _ in range(4):
                    slope = sum(x * y / (1 + m * y) for x, y in zip(c, d))
                    m += slope / sum(x * (y / (1 + m * y)) ** 2 for x, y in zip(c, d))
                assert low < m < high and abs(sum(x / (1 + m * y) for x, y in zip(c, d)) / sum(c) - 1) < mpf(10) ** -30
                return -sum(x * mp.log(1 + m * y) for x, y in zip(c, d))

            rows.append({"pairs": pairs, "elo0": elo0, "elo1": elo1, "llr": float(likelihood(elo1) - likelihood(elo0))})
    write("sprt", {"logistic": rows})


def significant_at_looks(count, level, points=4001):
    """The p-values that are significant at the looks if level * t**2 is spent: trapezoids for the density of the sum."""
    sums, density, values = None, None, []
    sd = math.sqrt(1 / count)
    for look in range(1, count + 1):
        t, spent = look / count, level * (2 * look - 1) / count**2
        if look == 1:
            z = stats.norm.isf(spent / 2)
        else:
            def beyond(z):
                upper, lower = (z * math.sqrt(t) - sums) / sd, (-z * math.sqrt(t) - sums) / sd
                return numpy.trapezoid(density * (stats.norm.sf(upper) + stats.norm.cdf(lower)), sums)
            z = scipy.optimize.brentq(lambda z: beyond(z) - spent, 0, 12, xtol=1e-13)
        ends = numpy.linspace(-z * math.sqrt(t), z * math.sqrt(t), points)
        if look == 1:
            density = stats.norm.pdf(ends, scale=sd)
        else:
            density = numpy.array([numpy.trapezoid(stats.norm.pdf(end - sums, scale=sd) * density, sums) for end in ends])
        sums = ends
        values.append(2 * stats.norm.sf(z))
    return values


def course_at_looks(significant, drift, points=4001):
    """Power and expected share of the data where all data have a mean of `drift`, for these p-values: trapezoids."""
    count, sums, density, power, share = len(significant), None, None, 0.0, 0.0
    sd = math.sqrt(1 / count)
    for look, p in enumerate(significant, 1):
        end = stats.norm.isf(p / 2) * math.sqrt(look / count)
        places = numpy.linspace(-end, end, points)
        share += (1 - power) / count
        if look == 1:
            tails = [stats.norm.sf(end, drift / count, sd), stats.norm.cdf(-end, drift / count, sd)]
            reached = stats.norm.pdf(places, drift / count, sd)
        else:
            before = sums + drift / count
            tails = [numpy.trapezoid(density * stats.norm.sf(end, before, sd), sums),
                     numpy.trapezoid(density * stats.norm.cdf(-end, before, sd), sums)]
            reached = numpy.array([numpy.trapezoid(stats.norm.pdf(place, before, sd) * density, sums) for place in places])
        power += sum(tails)
        sums, density = places, reached
    return float(power), float(share)


def looks():
    rows = [{"looks": count, "level": level, "p": significant_at_looks(count, level)}
            for count, level in ((1, 0.05), (5, 0.05), (10, 0.05 / 6), (20, 0.001))]
    courses = [{"looks": row["looks"], "level": row["level"], "drift": drift, "course": course_at_looks(row["p"], drift)}
               for row in rows for drift in (0.0, 1.0, 3.0, 5.0)]
    write("looks", {"significant": rows, "courses": courses})


for make in (distribution, samples, families, fisher_tables, proportions, sign_flips, bootstraps, leagues, sequential, looks,
             exact_pairs):
    make()
