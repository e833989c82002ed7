#!/usr/bin/python3
"""The other side of bench/metrics.sh: BLEU by python3-nltk, ROUGE-L by a plain dynamic-programming table.

    metrics_plain.py bleu|rouge-l ROWS REPEAT

Reads the rows before the clock starts, scores every row REPEAT times in one process (nltk is single-threaded), prints
one JSON object: seconds of the fastest pass, and the scores by id, so that the script can check that both sides
computed the same thing.
"""
import json
import sys
import time


def rows_of(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            yield row["id"], row["output"], row["references"]


def bleu_scores(rows):
    from nltk.translate.bleu_score import sentence_bleu
    import warnings
    warnings.filterwarnings("ignore")  # it warns of every row without a common 4-gram
    for key, output, references in rows:
        yield key, sentence_bleu([text.split() for text in references], output.split())


def lcs_length(a, b):
    before = [0] * (len(b) + 1)
    for x in a:
        now = [0]
        for j, y in enumerate(b):
            now.append(before[j] + 1 if x == y else max(before[j + 1], now[j]))
        before = now
    return before[-1]


def rouge_scores(rows):
    """nlg-eval's convention: words at white space, beta 1.2; the mean over the references."""
    for key, output, references in rows:
        words = output.split()
        total = 0.0
        for text in references:
            other = text.split()
            shared = lcs_length(words, other)
            if shared:
                p, r = shared / len(words), shared / len(other)
                total += (1 + 1.2 ** 2) * p * r / (r + 1.2 ** 2 * p)
        yield key, total / len(references)


def main():
    metric, path, repeat = sys.argv[1], sys.argv[2], int(sys.argv[3])
    rows = list(rows_of(path))
    function = bleu_scores if metric == "bleu" else rouge_scores
    seconds = float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        scores = list(function(rows))
        seconds = min(seconds, time.perf_counter() - start)
    json.dump({"seconds": seconds, "rows": len(rows), "scores": dict(scores)}, sys.stdout)


main()
