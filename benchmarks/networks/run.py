# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Times the chosen mix of back ends on whole networks, in the same rounds as every other contender and ONNX Runtime.

    python3 benchmarks/networks/run.py [--threads 1,2] [--rounds 20] [--only NAME,NAME] [--out build/networks.json] [-- OPTION...]

Needs the tool (`sh examples/build.sh`); prepares the models and installs ONNX Runtime into an environment of its own the first time.
What follows `--` goes to `inlay bench`. A row: medians in milliseconds of exact, the fastest other contender and ONNX Runtime; the 95 %
interval of that contender's time over exact's; predicted over measured; parts. `predicted` rests on prices in place, which programs of
the same network gave; a second table predicts each network from its pieces alone, measured between the rounds, times factors that the other
networks gave (`correction.py`).
The last lines say how many rows keep the bars.
Exit status 1 where a contender beats exact by more than 3 % with 95 % confidence.
"""
import argparse
import json
import os
import platform
import subprocess
import sys

import correction

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.join(ROOT, "build")
TOOL = os.path.join(BUILD, "examples", "inlay", "inlay")
PACKAGES = ["onnxruntime==1.30.0", "numpy==2.4.6"]


def fail(sentence):
    print(f"run.py: {sentence}", file=sys.stderr)
    sys.exit(2)


def environment():
    """A Python with ONNX Runtime, made where it is missing."""
    folder = os.path.join(BUILD, "onnxruntime")
    python = os.path.join(folder, "bin", "python")
    stamp = os.path.join(folder, "packages.txt")
    wanted = "\n".join(PACKAGES) + "\n"
    if not (os.path.exists(stamp) and open(stamp, encoding="utf-8").read() == wanted):
        print(f"run.py: installing {', '.join(PACKAGES)} into {folder}", file=sys.stderr)
        for command in ([sys.executable, "-m", "venv", folder], [python, "-m", "pip", "install", "--quiet", "--only-binary=:all:"] + PACKAGES):
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                fail(f"{' '.join(command[:3])} failed: {(done.stderr.strip().splitlines() or ['no reason given'])[-1]}")
        with open(stamp, "w", encoding="utf-8") as file:
            file.write(wanted)
    return python


def models():
    done = subprocess.run([sys.executable, os.path.join(ROOT, "benchmarks", "models", "prepare.py")])
    if done.returncode != 0:
        fail("the models could not be prepared")
    with open(os.path.join(BUILD, "models", "manifest.json"), encoding="utf-8") as file:
        return json.load(file)["models"]


def shape_options(entry):
    return [word for name, extents in entry["shapes"].items() for word in ("--shape", f"{name}={','.join(map(str, extents))}")]


def bench(python, path, entry, threads, rounds, options):
    shapes = shape_options(entry)
    rival = [python, os.path.join(HERE, "onnxruntime_rival.py"), path, "--threads", str(threads)] + shapes
    command = [TOOL, "bench", path, "--json", "--quiet", "--threads", str(threads), "--rounds", str(rounds)] + shapes
    command += ["--pieces", "--rival", "onnxruntime=exec " + " ".join(f"'{word}'" for word in rival)] + options
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else None


def row_of(name, answer):
    exact = answer["contenders"][0]
    others = [c for c in answer["contenders"][1:] if c["median_ms"] is not None]
    best = min(others, key=lambda c: c["median_ms"])
    rival = answer.get("rivals", [{"median_ms": None}])[0]["median_ms"]
    return {
        "model": name,
        "threads": answer["threads"],
        "exact_ms": exact["median_ms"],
        "other": best["name"],
        "other_ms": best["median_ms"],
        "worst": min(c["ratio_to_exact"][1] for c in others),
        "ratio": best["ratio_to_exact"],
        "onnxruntime_ms": rival,
        "predicted": exact["predicted_ms"] / exact["median_ms"],
        "alone": {one["what"]: one.get("median_ms", one["predicted_ms"]) for one in answer["alone"]},
        "pieces": sum(one["pieces"] for one in answer["alone"]),
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


def own_and_tool_options():
    """The words of the call before `--`, and those after it, which go to the tool."""
    words = sys.argv[1:]
    at = words.index("--") if "--" in words else len(words)
    return words[:at], words[at + 1:]


def chosen_names(only, known, otherwise):
    names = only.split(",") if only else otherwise
    for name in names:
        if name not in known:
            fail(f"there is no model '{name}'; known are {', '.join(known)}")
    return names


def print_corrected(rows):
    """Predicts each network from prices alone and from factors that the others gave; how many are within 10 %."""
    print(f"\n{'model':14} thr {'alone/meas':>10} {'corrected/meas':>14} pieces")
    near = 0
    for row, told in zip(rows, correction.from_the_others(rows)):
        over = told / row["exact_ms"] if told else None
        near += over is not None and abs(over - 1) <= 0.1
        print(f"{row['model']:14} {row['threads']:3} {sum(row['alone'].values()) / row['exact_ms']:10.3f} {f'{over:14.3f}' if over else '             -'} {row['pieces']:6}")
    for threads in sorted({row["threads"] for row in rows}):
        factors = correction.fit([row for row in rows if row["threads"] == threads])
        print(f"on {threads} threads, from all networks: {', '.join(f'{kind} {factor:.3f}' for kind, factor in factors.items() if kind is not None)}")
    return near


def main():
    own, options = own_and_tool_options()
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--only", default="")
    parser.add_argument("--out", default=os.path.join(BUILD, "networks.json"))
    arguments = parser.parse_args(own)
    if not os.path.exists(TOOL):
        fail("there is no build/examples/inlay/inlay; run sh examples/build.sh first")
    known, python = models(), environment()
    names = chosen_names(arguments.only, known, [n for n in known if n != "bert_tiny"])
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8") if line.startswith("model name")), platform.processor())
    print(f"{cpu}; {os.cpu_count()} CPUs; float32; {arguments.rounds} interleaved rounds; medians in ms")
    print(f"{'model':14} thr {'exact':>9} {'next':>9} {'which':18} {'next/exact 95 %':>16} {'ORT':>9} {'exact/ORT':>9} {'pred/meas':>9} parts", flush=True)
    rows, failed = [], []
    for name in names:
        for threads in map(int, arguments.threads.split(",")):
            answer = bench(python, os.path.join(BUILD, "models", known[name]["file"]), known[name], threads, arguments.rounds, options)
            if answer is None or answer["contenders"][0]["median_ms"] is None:
                failed.append(f"{name} on {threads} threads")
                continue
            r = row_of(name, answer)
            rows.append(r)
            ort, over = (f"{r['onnxruntime_ms']:9.3f}", f"{r['exact_ms'] / r['onnxruntime_ms']:9.3f}") if r["onnxruntime_ms"] else (f"{'-':>9}", f"{'-':>9}")
            print(f"{name:14} {threads:3} {r['exact_ms']:9.3f} {r['other_ms']:9.3f} {r['other']:18} {r['ratio'][0]:7.3f} {r['ratio'][1]:8.3f} {ort} {over} "
                  f"{r['predicted']:9.3f} {r['parts']:5}", flush=True)
            with open(arguments.out, "w", encoding="utf-8") as file:
                json.dump({"cpu": cpu, "rounds": arguments.rounds, "rows": rows}, file, indent=1)
    corrected = print_corrected(rows)
    beaten = [r for r in rows if r["worst"] < 0.97]
    slow = [r for r in rows if r["onnxruntime_ms"] and r["exact_ms"] > 1.5 * r["onnxruntime_ms"]]
    near = [r for r in rows if abs(r["predicted"] - 1) <= 0.1]
    mixed = [r for r in rows if len(convolutions(r)) > 1]
    print(f"no contender faster than exact by over 3 %: {len(rows) - len(beaten)} of {len(rows)}")
    print(f"no contender cheaper by its own costs: {sum(not r['cheaper'] for r in rows)} of {len(rows)}")
    print(f"within 1.5 times ONNX Runtime: {len(rows) - len(slow)} of {len(rows)}")
    print(f"several oneDNN composites for convolutions in the plan of exact: {len(mixed)} of {len(rows)}")
    for r in mixed:
        print(f"  {r['model']} on {r['threads']} threads: {', '.join(f'{count} {name}' for name, count in sorted(convolutions(r).items()))}")
    print(f"predicted within 10 % of measured, prices in place: {len(near)} of {len(rows)}")
    print(f"predicted within 10 % of measured, prices alone corrected by the other networks: {corrected} of {len(rows)}")
    for text in failed:
        print(f"failed: {text}")
    sys.exit(1 if beaten or failed else 0)


if __name__ == "__main__":
    main()
