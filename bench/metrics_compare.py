#!/usr/bin/python3
"""Prints one line of bench/metrics.sh: metrics_compare.py NAME PLAIN.json OURS.json COMMAND_SECONDS

The first two hold seconds and scores; COMMAND_SECONDS is the wall time of the whole `assay metric` command, start,
reading twice and writing included. The scores of both sides must agree; where nltk's BLEU has no common 4-gram it
returns a tiny number and ours 0.
"""
import json
import sys


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def main():
    name, plain, ours, command = sys.argv[1], load(sys.argv[2]), load(sys.argv[3]), float(sys.argv[4])
    compared = 0
    for key, mine in ours["scores"].items():
        theirs = plain["scores"][key]
        if mine == 0 and theirs < 1e-60:
            continue
        if abs(mine - theirs) > 1e-9:
            sys.exit(f"{name}: {key} is {mine} here and {theirs} there")
        compared += 1
    times = plain["seconds"] / ours["seconds"]
    print(f"{name}: Python {plain['seconds']:.3f} s, assay {ours['seconds']:.4f} s: {times:.0f} times faster; "
          f"the whole command {command:.3f} s: {plain['seconds'] / command:.0f} times "
          f"({plain['rows']} rows, {compared} scores above 0 equal to 1e-9)")
    if times < 50:
        sys.exit(f"{name}: less than 50 times faster")


main()
