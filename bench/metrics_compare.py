#!/usr/bin/python3
"""Prints one line of bench/metrics.sh: metrics_compare.py NAME PLAIN.json OURS.jsonl SECONDS

SECONDS is the wall time of the whole `assay metric` command, reading and writing included. The scores of both sides
must agree; rows without a common 4-gram are left out for BLEU, because nltk then returns a tiny number, not 0.
"""
import json
import sys


def main():
    name, plain_path, ours_path, seconds = sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4])
    with open(plain_path, encoding="utf-8") as file:
        plain = json.load(file)
    compared = 0
    with open(ours_path, encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            theirs = plain["scores"][row["id"]]
            if row["score"] == 0 and theirs < 1e-60:
                continue
            if abs(row["score"] - theirs) > 1e-9:
                sys.exit(f"{name}: {row['id']} is {row['score']} here and {theirs} there")
            compared += 1
    times = plain["seconds"] / seconds
    print(f"{name}: plain Python {plain['seconds']:.3f} s, assay {seconds:.3f} s, {times:.0f} times faster "
          f"({plain['rows']} rows, {compared} scores above 0 equal to 1e-9)")
    if times < 50:
        sys.exit(f"{name}: less than 50 times faster")


main()
