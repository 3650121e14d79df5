# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Times the chosen mix of back ends on whole networks, in the same rounds as every other contender, ONNX Runtime and OpenVINO.

    python3 benchmarks/networks/run.py [--threads 1,2] [--rounds 20] [--only NAME,NAME] [--quantized] [--beside] [--busy] [--out build/networks.json] [-- OPTION...]

Needs the tool (`sh examples/build.sh`); prepares the models and installs the rivals into an environment of their own the first time.
With `--quantized` each network is quantised first (quantize.py), and everybody runs it with int8 weights and uint8 between.
With `--beside` a second line follows: the plan that was decided last once more, while a process takes the last core, and how many times slower that
made exact and the better rival; with `--busy` one more, of a plan that was decided by prices beside such a process. What follows `--` goes to `inlay bench`. A row: medians in milliseconds of exact, the fastest other contender and each rival; the 95 %
interval of that contender's time over exact's; the better rival's time over exact's; predicted over measured; parts. A rival that does not
run a network has no time in its row. `predicted` rests on prices in place, which programs of the same network gave; a second table predicts
each network from its pieces alone, measured between the rounds, times factors that the other networks gave (`correction.py`).
The last lines say how many rows keep the bars, and what the better rival takes over exact: the geometric mean of all rows, and the least.
Exit status 1 where a contender beats exact by more than 3 % with 95 % confidence.
"""
import argparse
import contextlib
import json
import math
import os
import platform
import shlex
import subprocess
import sys

import correction
from shared import BUILD, RIVALS, TOOL, chosen_names, environment, models, need_tool, own_and_tool_options, path_of, quantized, rival_command, say, shape_options


@contextlib.contextmanager
def process_beside():
    """A process that takes the last core as long as the block lasts."""
    last = max(os.sched_getaffinity(0))
    loop = subprocess.Popen([sys.executable, "-c", f"import os; os.sched_setaffinity(0, {{{last}}})\nwhile True: pass"])
    try:
        yield
    finally:
        loop.kill()
        loop.wait()


def bench(python, path, entry, threads, rounds, options):
    shapes = shape_options(entry)
    command = [TOOL, "bench", path, "--json", "--quiet", "--threads", str(threads), "--rounds", str(rounds)] + shapes
    for name in RIVALS:
        command += ["--rival", f"{name}=exec " + shlex.join(rival_command(python, name, path, "--threads", str(threads), *shapes))]
    command += options
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else None


def tell_missing(name, answer):
    for rival in answer["rivals"]:
        if rival["median_ms"] is None:
            say(f"{name} on {answer['threads']} threads goes on without {rival['name']}: {rival['reason']}")


def row_of(name, answer):
    exact = answer["contenders"][0]
    others = [c for c in answer["contenders"][1:] if c["median_ms"] is not None]
    best = min(others, key=lambda c: c["median_ms"], default={"name": "-", "median_ms": None, "ratio_to_exact": [None, None]})
    rivals = {rival["name"]: rival["median_ms"] for rival in answer["rivals"]}
    rival = min((ms for ms in rivals.values() if ms is not None), default=None)
    return {
        "model": name,
        "threads": answer["threads"],
        "exact_ms": exact["median_ms"],
        "other": best["name"],
        "other_ms": best["median_ms"],
        "worst": min((c["ratio_to_exact"][1] for c in others), default=None),
        "ratio": best["ratio_to_exact"],
        "contenders": len(others),
        "beaten": sum(c["ratio_to_exact"][0] > 1.05 for c in others),
        "rivals_ms": rivals,
        "rival": rival / exact["median_ms"] if rival is not None else None,  # the better one over exact
        "predicted": exact["predicted_ms"] / exact["median_ms"],
        "alone": {one["what"]: one.get("median_ms", one["predicted_ms"]) for one in answer.get("alone", [])},
        "pieces": sum(one["pieces"] for one in answer.get("alone", [])),
        "parts": exact["partitions"],
        "composites": exact["composites"],
        "search_ms": answer["search_ms"],
        "measure_s": answer["measure_s"],
        # A second plan rests on other prices, so the two predictions are not to be compared.
        "cheaper": min((c["predicted_ms"] for c in others if c["name"] != "exact_replanned"), default=float("inf")) < exact["predicted_ms"] * (1 - 1e-9),
    }


def convolutions(row):
    """The composites of oneDNN that convolve in the plan of exact, and how many pieces each has."""
    return {name: count for name, count in row["composites"].items() if name.startswith("onednn.convolution")}


def cell(number, width):
    return f"{'-' if number is None else f'{number:.3f}':>{width}}"


def print_corrected(rows):
    """Predicts each network from prices alone and from factors that the others gave; how many are within 10 %."""
    print(f"\n{'model':15} thr {'alone/meas':>10} {'corrected/meas':>14} pieces")
    near = 0
    for row, told in zip(rows, correction.from_the_others(rows)):
        over = told / row["exact_ms"] if told else None
        near += over is not None and abs(over - 1) <= 0.1
        print(f"{row['model']:15} {row['threads']:3} {sum(row['alone'].values()) / row['exact_ms']:10.3f} {cell(over, 14)} {row['pieces']:6}")
    for threads in sorted({row["threads"] for row in rows}):
        factors = correction.fit([row for row in rows if row["threads"] == threads])
        print(f"on {threads} threads, from all networks: {', '.join(f'{kind} {factor:.3f}' for kind, factor in factors.items() if kind is not None)}")
    return near


def print_row(name, r):
    print(f"{name:15} {r['threads']:3} {r['exact_ms']:9.3f} {cell(r['other_ms'], 9)} {r['other']:18} {cell(r['ratio'][0], 7)} {cell(r['ratio'][1], 8)} "
          f"{' '.join(cell(ms, 11) for ms in r['rivals_ms'].values())} {cell(r['rival'], 11)} {r['predicted']:9.3f} {r['parts']:5}", flush=True)


def is_beaten(row):
    return row["worst"] is not None and row["worst"] < 0.97


def mean_of(ratios):
    """The geometric mean."""
    return math.exp(sum(math.log(ratio) for ratio in ratios) / len(ratios))


def tell_loaded(rows, key, what):
    """What a process beside them cost exact and the better rival, over all rows that were raced both ways."""
    both = [r for r in rows if r["rival"] and r.get(key, {}).get("rival")]
    if not both:
        return
    own = mean_of([r[key]["exact_ms"] / r["exact_ms"] for r in both])
    theirs = mean_of([r[key]["exact_ms"] * r[key]["rival"] / (r["exact_ms"] * r["rival"]) for r in both])
    least = min(both, key=lambda r: r[key]["rival"])
    print(f"{what}: the better rival over exact, geometric mean {mean_of([r[key]['rival'] for r in both]):.3f}, least {least[key]['rival']:.3f} "
          f"({least['model']} on {least['threads']} threads); exact {own:.2f} times slower than without, the better rival {theirs:.2f}")


def tell_bars(rows):
    """What becomes of the bars over all rows."""
    corrected = print_corrected(rows)
    near = [r for r in rows if abs(r["predicted"] - 1) <= 0.1]
    mixed = [r for r in rows if len(convolutions(r)) > 1]
    raced = [r for r in rows if r["rival"]]
    contested = [r for r in rows if r["worst"] is not None]
    print(f"no contender faster than exact by over 3 %: {sum(not is_beaten(r) for r in contested)} of {len(contested)}")
    print(f"contenders that exact beats by over 5 % with 95 % confidence: {sum(r['beaten'] for r in contested)} of {sum(r['contenders'] for r in contested)}")
    print(f"no contender cheaper by its own costs: {sum(not r['cheaper'] for r in contested)} of {len(contested)}")
    print(f"several oneDNN composites for convolutions in the plan of exact: {len(mixed)} of {len(rows)}")
    for r in mixed:
        print(f"  {r['model']} on {r['threads']} threads: {', '.join(f'{count} {name}' for name, count in sorted(convolutions(r).items()))}")
    print(f"predicted within 10 % of measured, prices in place: {len(near)} of {len(rows)}")
    print(f"predicted within 10 % of measured, prices alone corrected by the other networks: {corrected} of {len(rows)}")
    if raced:
        mean, least = mean_of([r["rival"] for r in raced]), min(raced, key=lambda r: r["rival"])
        print(f"the better rival over exact: geometric mean {mean:.3f}, least {least['rival']:.3f} ({least['model']} on {least['threads']} threads), "
              f"quicker in {sum(r['rival'] < 1 for r in raced)} of {len(raced)}")
    tell_loaded(rows, "beside", "beside a process on the last core")
    tell_loaded(rows, "busy", "the same, decided beside such a process")


def main():
    own, options = own_and_tool_options()
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--only", default="")
    parser.add_argument("--quantized", action="store_true")
    parser.add_argument("--beside", action="store_true")
    parser.add_argument("--busy", action="store_true")
    parser.add_argument("--out", default=os.path.join(BUILD, "networks.json"))
    arguments = parser.parse_args(own)
    need_tool()
    known, python = models(), environment()
    names = chosen_names(arguments.only, known)
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8") if line.startswith("model name")), platform.processor())
    print(f"{cpu}; {os.cpu_count()} CPUs; {'int8 and uint8' if arguments.quantized else 'float32'}; {arguments.rounds} interleaved rounds; medians in ms; {', '.join(RIVALS.values())}")
    print(f"{'model':15} thr {'exact':>9} {'next':>9} {'which':18} {'next/exact 95 %':>16} {' '.join(f'{rival:>11}' for rival in RIVALS)} "
          f"{'rival/exact':>11} {'pred/meas':>9} parts", flush=True)
    rows, failed = [], []
    if arguments.quantized:
        options = ["--by-steps", *options]
    for name in names:
        path = quantized(name, known[name]) if arguments.quantized else path_of(known[name])
        if path is None:
            continue
        for threads in map(int, arguments.threads.split(",")):
            answer = bench(python, path, known[name], threads, arguments.rounds, ["--pieces", *options])
            if answer is None or answer["contenders"][0]["median_ms"] is None:
                failed.append(f"{name} on {threads} threads")
                continue
            tell_missing(name, answer)
            r = row_of(name, answer)
            rows.append(r)
            print_row(name, r)
            def race_loaded(key, what, how):
                loaded = bench(python, path, known[name], threads, arguments.rounds, ["--exact-alone", *how, *(o for o in options if o != "--exact-alone")])
                if loaded is not None and loaded["contenders"][0]["median_ms"] is not None:
                    r[key] = row_of(name, loaded)
                    print_row(what, r[key])

            if arguments.beside:
                with process_beside():
                    race_loaded("beside", "  beside a load", ["--last"])
            if arguments.busy:
                race_loaded("busy", "  decided so", ["--busy"])
            with open(arguments.out, "w", encoding="utf-8") as file:
                json.dump({"cpu": cpu, "rounds": arguments.rounds, "rows": rows}, file, indent=1)
    if rows:
        tell_bars(rows)
    for text in failed:
        print(f"failed: {text}")
    sys.exit(1 if failed or any(is_beaten(r) for r in rows) else 0)


if __name__ == "__main__":
    main()
