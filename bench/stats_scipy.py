"""The same intervals with scipy, for `bench/stats.sh`: plain (every resample recomputed) and clever (group
correlations computed once). Plain is measured on fewer resamples and scaled, because 10,000 take minutes."""
import json
import sys
import time

import numpy as np
from scipy import stats


def load(human, scores, field, dimension):
    score = {}
    with open(scores) as lines:
        for line in lines:
            row = json.loads(line)
            score[row["id"]] = row[field]
    groups = {}
    with open(human) as lines:
        for line in lines:
            row = json.loads(line)
            pair = (score[row["id"]], row["human"][dimension])
            groups.setdefault(row["group"], []).append(pair)
    return [np.array(pairs).T for pairs in groups.values()]


def grouped(groups):
    taus = [stats.kendalltau(x, y)[0] for x, y in groups]
    return np.nanmean(taus)


def main():
    human, scores, field, dimension, resamples, plain = sys.argv[1:7]
    resamples, plain = int(resamples), int(plain)
    begin = time.perf_counter()
    groups = load(human, scores, field, dimension)
    reading = time.perf_counter() - begin
    random = np.random.default_rng(7)

    begin = time.perf_counter()
    for _ in range(plain):
        drawn = random.integers(len(groups), size=len(groups))
        grouped([groups[i] for i in drawn])
    grouped_plain = (time.perf_counter() - begin) / plain * resamples

    begin = time.perf_counter()
    taus = np.array([stats.kendalltau(x, y)[0] for x, y in groups])
    drawn = random.integers(len(taus), size=(resamples, len(taus)))
    means = np.nanmean(taus[drawn], axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    grouped_clever = time.perf_counter() - begin

    x, y = np.concatenate([g[0] for g in groups]), np.concatenate([g[1] for g in groups])
    begin = time.perf_counter()
    for _ in range(plain):
        drawn = random.integers(len(x), size=len(x))
        stats.kendalltau(x[drawn], y[drawn])
    pooled = (time.perf_counter() - begin) / plain * resamples

    print(json.dumps({"reading": reading, "grouped": grouped_plain, "grouped_clever": grouped_clever,
                      "pooled": pooled, "tau": float(np.nanmean(taus)), "ci": [low, high]}))


main()
