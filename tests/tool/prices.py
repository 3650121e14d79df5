# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Prices through the tool stay true: prices.py PROGRAM

What was disturbed, is old or is wrong is measured again; workers run side by side; bench plans again where prices are off.
"""
import json
import os
import re
import shlex
import sqlite3
import subprocess
import sys
import time

from tool import Bench, Tap, convolution, seeds

QUIET = ["--quiet", "--json"]
KINDS = ["--target", "reference"]


def parsed(b, arguments, **how):
    return json.loads(b.answers(arguments, **how) or "{}")


def row(b, name, sql):
    """The first row that the database answers with."""
    with sqlite3.connect(b.path(name)) as database:
        found = database.execute(sql).fetchone()
    database.close()
    return found


def change(b, name, sql):
    """Changes the database as a day under load would have; gives how many rows were changed."""
    with sqlite3.connect(b.path(name)) as database:
        count = database.execute(sql).rowcount
    database.close()
    return count


def refresh(b):
    """tune --refresh measures again what is old or was disturbed, --refresh=all everything, --refresh=never nothing; what is good stays."""
    tune = ["tune", "conv.onnx", *KINDS, "--database", "again.sqlite", *QUIET]
    first = parsed(b, tune)["models"][0]
    if first["measured"] == 0:
        b.problem(tune, f"says {first}")
    change(b, "again.sqlite", "UPDATE measurement SET disturbed = 0")
    known = parsed(b, tune)["models"][0]
    # What a whole program took may give reason to doubt a price by itself, which is then measured again; that is not told in advance.
    if known["measured"] != 0 or known["again"] >= known["known"]:
        b.problem(tune, f"measures what is known and good: {known}")
    for what in ("disturbed = 1, measured_at = measured_at - 100", "measured_at = measured_at - 40 * 86400"):
        # A price of a hundred seconds that nothing but measuring again can mend.
        changed = change(b, "again.sqlite", f"UPDATE measurement SET median = 100, minimum = 100, {what} WHERE failure = ''")
        told = parsed(b, tune + ["--refresh=never"])["models"][0]
        if told["again"] != 0:
            b.problem(tune + ["--refresh=never"], f"says {told} after {what}")
        told = parsed(b, tune + ["--refresh"])["models"][0]
        if changed == 0 or told["again"] == 0:
            b.problem(tune + ["--refresh"], f"says {told} after {what}")
        left = row(b, "again.sqlite", "SELECT count(*) FROM measurement WHERE median > 50")[0]
        if left > changed - told["again"]:
            b.problem(tune + ["--refresh"], f"measures {told['again']} of {changed} prices again and leaves {left} as they were after {what}")
    change(b, "again.sqlite", "UPDATE measurement SET disturbed = 0, measured_at = measured_at - 100")
    told = parsed(b, tune + ["--refresh"])["models"][0]
    if told["again"] >= told["known"]:
        b.problem(tune + ["--refresh"], f"measures again what is new and good: {told}")
    told = parsed(b, tune + ["--refresh=all"])["models"][0]
    if told["again"] != told["known"] or told["again"] == 0:
        b.problem(tune + ["--refresh=all"], f"says {told}")
    b.refuses(["tune", "conv.onnx", "--refresh=some"], "refresh", "some")
    b.refuses(["tune", "conv.onnx", "--refresh", "--costs", "model"], "--refresh", "--costs model")


def older(b):
    """A database of version 1 is brought up to date, and its prices count as disturbed."""
    tune = ["tune", "conv.onnx", *KINDS, "--database", "old.sqlite", *QUIET]
    first = parsed(b, tune)["models"][0]
    with sqlite3.connect(b.path("old.sqlite")) as database:
        database.executescript("CREATE TABLE old AS SELECT * FROM measurement; DROP TABLE measurement; CREATE TABLE measurement (key BLOB PRIMARY KEY, median REAL NOT NULL, "
                               "minimum REAL NOT NULL, spread REAL NOT NULL, samples INTEGER NOT NULL, failure TEXT NOT NULL, label TEXT NOT NULL, place TEXT NOT NULL) "
                               "WITHOUT ROWID; INSERT INTO measurement SELECT key, median, minimum, spread, samples, failure, label, place FROM old; DROP TABLE old; PRAGMA user_version = 1")
    database.close()
    told = parsed(b, tune)["models"][0]
    # A price that was asked for twice, since a program gave reason to doubt it, is known twice.
    if told["measured"] != 0 or told["known"] < first["measured"]:
        b.problem(tune, f"knows nothing of what version 1 had: {first}, {told}")
    told = parsed(b, tune + ["--refresh"])["models"][0]
    if told["measured"] != 0:
        b.problem(tune + ["--refresh"], f"says {told}")


def price(b):
    """price shows how old a price is and how far it spreads."""
    call = ["price", "conv.onnx", *KINDS, "--database", "age.sqlite"]
    composites = [c for p in parsed(b, call + QUIET)["partitions"] for c in p["composites"]]
    if not composites or any(not 0 <= time.time() - c["measured_at"] < 600 or c["windows"] < 1 or c["disturbed"] not in (True, False) for c in composites):
        b.problem(call, f"gives {composites}")
    change(b, "age.sqlite", "UPDATE measurement SET disturbed = 0, measured_at = measured_at - 10800")
    out = b.answers(call + ["--quiet"], "spread", "age 3 h")
    if "disturbed" in out:
        b.problem(call, f"calls a good price disturbed: {out}")
    modelled = parsed(b, ["price", "conv.onnx", *KINDS, "--costs", "model", *QUIET])["partitions"]
    if any(c["measured_at"] is not None for p in modelled for c in p["composites"]):
        b.problem(["price"], f"gives a modelled price a time: {modelled}")


def cores():
    return len(os.sched_getaffinity(0))


def children_of(parent, workers):
    """The cores that each child of a process may use, by its number: of those that measure, or of the others."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                is_worker = b"--inlay-worker" in file.read()
            with open(f"/proc/{name}/status", encoding="utf-8") as file:
                status = file.read()
        except OSError:
            continue
        if is_worker == workers and re.search(rf"^PPid:\t{parent}$", status, re.MULTILINE):
            found[name] = re.search(r"^Cpus_allowed_list:\t(.*)$", status, re.MULTILINE).group(1)
    return found


def workers(b):
    """tune --workers N runs N workers side by side on cores of their own, or says that there are not as many."""
    many = cores() + 1
    b.refuses(["tune", "many.onnx", *KINDS, "--workers", str(many), "--threads", "1"], "--workers", f"want {many} cores", f"may use {cores()}")
    b.refuses(["tune", "many.onnx", *KINDS, "--workers", "2", "--threads", str(cores())], "--workers", f"may use {cores()}")
    if cores() < 2:
        return
    call = ["tune", "many.onnx", *KINDS, "--database", "side.sqlite", "--workers", "2", *QUIET]
    process = subprocess.Popen([b.program, *call], cwd=b.folder, env=b.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    apart = 0
    while process.poll() is None:
        at_once = sorted(children_of(process.pid, True).values())
        apart += len(at_once) == 2 and at_once[0] != at_once[1] and all(c.isdigit() for c in at_once)
        time.sleep(0.02)
    out, err = process.communicate()
    if process.returncode != 0 or err:
        b.problem(call, f"gives {process.returncode}, {err!r}")
    elif json.loads(out)["models"][0]["measured"] == 0:
        b.problem(call, f"measures nothing: {out!r}")
    if apart == 0:
        b.problem(call, "never had two workers on cores of their own")


def has_ended(process):
    """Whether a process is gone, or waits for nothing but to be asked how it ended."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            return file.read().rpartition(") ")[2].startswith("Z")
    except OSError:
        return True


def soon(condition):
    """Whether something becomes true within some seconds."""
    for _ in range(500):
        if condition():
            return True
        time.sleep(0.01)
    return False


def apart_and_beside(b, name):
    """How many prices of a quiet machine a database has, and how many of one with a busy core."""
    return row(b, name, "SELECT count(*) FILTER (WHERE place NOT LIKE '%beside a busy core%'), count(*) FILTER (WHERE place LIKE '%beside a busy core%') FROM measurement")


def busy(b):
    """With --busy a process takes the last core, ends with the tool, and its prices and those of a quiet machine do not mix."""
    tune = ["tune", "conv.onnx", *KINDS, "--database", "busy.sqlite", *QUIET]
    quiet, loaded = parsed(b, tune), parsed(b, tune + ["--busy"])
    if "busy" in quiet or loaded.get("busy") is not True:
        b.problem(tune + ["--busy"], f"does not say which: {quiet}, {loaded}")
    quiet, loaded = quiet["models"][0], loaded["models"][0]
    if loaded["measured"] == 0 or loaded["disturbed"] != 0:
        b.problem(tune + ["--busy"], f"says {loaded} after {quiet}")
    apart, beside = apart_and_beside(b, "busy.sqlite")
    rejected = change(b, "busy.sqlite", "UPDATE measurement SET disturbed = 1 WHERE disturbed = 1 AND place LIKE '%beside a busy core%'")
    if beside < loaded["measured"] or apart < quiet["measured"] or rejected != 0:
        b.problem(tune + ["--busy"], f"writes down {beside} prices, {rejected} of them disturbed, beside {apart} of a quiet machine")
    # Without its own prices a verb measures, and never what belongs to the other.
    for verb in ("partition", "price"):
        change(b, "busy.sqlite", "DELETE FROM measurement WHERE place LIKE '%beside a busy core%'")
        call = [verb, "conv.onnx", *KINDS, "--database", "busy.sqlite", *QUIET]
        parsed(b, call)
        apart, beside = apart_and_beside(b, "busy.sqlite")
        parsed(b, call + ["--busy"])
        then = apart_and_beside(b, "busy.sqlite")
        if beside != 0 or then[0] != apart or then[1] == 0:
            b.problem(call + ["--busy"], f"takes prices from the other: ({apart}, {beside}) of them became {then}")
    b.refuses(["tune", "conv.onnx", "--busy", "--workers", "2", "--threads", "1"] if cores() > 1 else ["tune", "conv.onnx", "--busy", "--workers", "2"], "--workers")

    bench = ["bench", "conv.onnx", *KINDS, "--costs", "model", "--rounds", "3", "--quiet", "--busy"]
    last = max(os.sched_getaffinity(0))
    b.answers(bench, f"3 rounds beside a process that takes core {last};")
    told = parsed(b, bench + ["--json"])
    if told.get("busy") is not True or told["rounds"] != 3 or told["disturbed_rounds"] != 0:
        b.problem(bench, f"says {told}")
    b.answers(["run", "conv.onnx", *KINDS, "--costs", "model", "--quiet", "--busy", "--check"], "agrees")

    serve = ["run", "conv.onnx", *KINDS, "--costs", "model", "--quiet", "--busy", "--serve"]
    for how in ("ends", "is killed"):
        process = subprocess.Popen([b.program, *serve], cwd=b.folder, env=b.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        process.stdout.readline()
        soon(lambda: list(children_of(process.pid, False).values()) == [str(last)])
        beside = children_of(process.pid, False)
        if list(beside.values()) != [str(last)]:
            b.problem(serve, f"has beside it, by number and cores, {beside}")
        if how == "ends":
            process.stdin.close()
        else:
            process.kill()
        process.wait()
        if not soon(lambda: all(map(has_ended, beside))):
            b.problem(serve, f"leaves its load behind when it {how}")
        process.stdout.close()


def slow(b):
    """bench takes a contender that is over five times slower out after one round, and its table is for people."""
    rivals = ["--rival", "slow=echo ready; while read line; do echo 5; done", "--rival", "quick=echo ready; while read line; do echo 0.000001; done"]
    call = ["bench", "conv.onnx", *KINDS, "--costs", "model", "--rounds", "4", "--quiet", *rivals]
    told = parsed(b, call + ["--json"])
    by_name = {r["name"]: r for r in told.get("rivals", [])}
    if by_name.get("slow", {}).get("rounds") != 1 or "rounds" in by_name.get("quick", {"rounds": 0}) or by_name["slow"]["median_ms"] != 5000:
        b.problem(call, f"says {told}")
    if not 4 <= told.get("rounds", 0) <= 8:
        b.problem(call, f"ran {told.get('rounds')} rounds where 4 were asked for")
    told = parsed(b, call + ["--json", "--exact-alone"])
    if [c["name"] for c in told["contenders"]] not in (["exact"], ["exact", "exact_replanned"]) or {r["name"] for r in told["rivals"]} != {"slow", "quick"}:
        b.problem(call, f"with --exact-alone says {told}")
    told = parsed(b, call + ["--json", "--exact-alone", "--last"])
    if [c["name"] for c in told["contenders"]] != ["exact"]:
        b.problem(call, f"with --last says {told}")
    b.refuses([*call, "--last"], "--last", "--exact-alone")
    told = parsed(b, call + ["--json", "--rival", "absent=echo there is no such model; exit 2"])
    absent = next((r for r in told.get("rivals", []) if r["name"] == "absent"), {})
    if absent.get("median_ms", 0) is not None or "there is no such model" not in absent.get("reason", "") or len(told["rivals"]) != 3:
        b.problem(call, f"says of a rival that does not start {told.get('rivals')}")
    out = b.answers(call, "contender", "median ms", "spread ms", "to best", "5000", "over 5 times slower: 1 round")
    if not re.search(r"^exact +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9]+ +[0-9.]+", out, re.MULTILINE):
        b.problem(call, f"has no row of exact with its figures: {out!r}")


def serving(b):
    """What another build serves is a rival of bench, and a line that it does not know ends it."""
    serve = ["run", "conv.onnx", *KINDS, "--costs", "model", "--quiet", "--serve"]
    told = parsed(b, ["bench", "conv.onnx", *KINDS, "--costs", "model", "--rounds", "4", "--quiet", "--json", "--rival", "itself=exec " + shlex.join([b.program, *serve])])
    row = told.get("rivals", [{}])[0]
    if row.get("name") != "itself" or not row.get("median_ms"):
        b.problem(serve, f"is no rival: {told}")
    done = subprocess.run([b.program, *serve], cwd=b.folder, env=b.environment, input="run\nwalk\n", capture_output=True, text=True, timeout=60, check=False)
    if done.returncode != 2 or len(done.stdout.splitlines()) != 2 or not done.stdout.startswith("ready\n") or "walk" not in done.stderr:
        b.problem(serve, f"gives {done.returncode}, {done.stdout!r}, {done.stderr!r}")
    b.refuses([*serve, "--check"], "--serve", "--check")


def long_convolution():
    """Conv and Relu whose sums, not the borders around them, take the time: the usual kernels are several times as quick as reference's."""
    some = [((7 * i) % 23 - 11) / 300 for i in range(64 * 64 * 9)]
    pads = [seeds.integers("kernel_shape", [3, 3]), seeds.integers("pads", [1, 1, 1, 1])]
    nodes = [seeds.node("Conv", ["x", "w"], ["c"], "conv", pads), seeds.node("Relu", ["c"], ["y"], "relu")]
    return seeds.model(seeds.graph(nodes, [seeds.value_info("x", [1, 64, 24, 24])], [seeds.value_info("y", [1, 64, 24, 24])],
                                   [seeds.tensor("w", [64, 64, 3, 3], some)]))


def replanned(b):
    """Where wrong prices made another contender win, bench plans again, and exact stays what was planned first."""
    usable = [t["kind"] for t in parsed(b, ["targets", "--json"])["targets"] if t["usable"] and t["by_default"] and t["kind"] != "reference"]
    for kind in usable[:1]:
        call = ["long.onnx", "--target", kind, "--database", "wrong.sqlite", *QUIET]
        parsed(b, ["tune", *call])
        before = parsed(b, ["price", *call])["partitions"]
        if not any(p["backend"] == kind for p in before):
            continue
        turns = 4
        for turn in range(turns):
            changed = change(b, "wrong.sqlite", f"UPDATE measurement SET median = 1, minimum = 1, spread = 0 WHERE label LIKE '{kind}.%' AND failure = ''")
            change(b, "wrong.sqlite", "UPDATE measurement SET disturbed = 0")
            if changed == 0:
                b.problem(["tune", *call], f"has no prices of {kind}")
            # Prices by themselves that are wrong are found out when the contenders' programs run, and other kernels for the same nodes get
            # prices. What these programs showed, and these prices, are to be wrong as well.
            if turn + 1 < turns:
                parsed(b, ["bench", *call, "--rounds", "1"])
        told = parsed(b, ["bench", *call, "--rounds", "5"])
        by_name = {c["name"]: c for c in told["contenders"]}
        if told["contenders"][0]["name"] != "exact" or "exact_replanned" not in by_name:
            b.problem(["bench", *call], f"does not plan again: {told['contenders']}")
        elif by_name["exact_replanned"]["median_ms"] > by_name["exact"]["median_ms"]:
            b.problem(["bench", *call], f"plans again, and worse: {told['contenders']}")
        # Which kernel is quickest while something else runs is another matter: the wrong prices are to be gone then as well.
        after = parsed(b, ["price", *call])["partitions"]
        mended = row(b, "wrong.sqlite", f"SELECT count(*) FROM measurement WHERE label LIKE '{kind}.%' AND failure = '' AND median < 1")[0]
        is_busy = any(c["disturbed"] for p in after for c in p["composites"])
        if not any(p["backend"] == kind for p in after) and not (is_busy and mended):
            b.problem(["price", *call], f"still believes wrong prices: {after}")


def check_off(b, call, code, out, err):
    """Says what is wrong with what a profiled run said of prices that are off, and with a run that was not asked for a profile."""
    if code != 0 or "`inlay tune --refresh=all`" not in err or "reference." not in err or "has a price of 1" not in err:
        b.problem([*call, "--profile", "trace.json"], f"gives {code}, {out!r}, {err!r}")
    runs = {e["args"]["run"] for e in json.loads(b.read("trace.json"))["traceEvents"] if e["ph"] == "X"}
    if runs != {0}:
        b.problem([*call, "--profile", "trace.json"], f"writes the runs {runs}")
    code, out, err = b.call(*call)
    if code != 0 or err:
        b.problem(call, f"gives {code}, {out!r}, {err!r}")


def profiled(b):
    """run --profile names the pieces that took another time than their prices say, and writes the trace of one run."""
    call = ["run", "conv.onnx", *KINDS, "--database", "off.sqlite", "--quiet"]
    b.call(*call)
    b.answers(["partition", "conv.onnx", *KINDS, "--database", "off.sqlite", "--quiet", "--out", "good.json"])
    plan = json.loads(b.read("good.json"))
    for part in plan["partitions"]:
        for composite in part["composites"]:
            composite["seconds"] = 100
        part["seconds"] = 100 * len(part["composites"])
    b.write("off.json", json.dumps(plan))
    # What takes a hundred seconds by its price is quicker, whatever else runs on the machine. A program that was never run before is run
    # where a plan is made, and its pieces then have good prices: these are made wrong in turn.
    turns = 4
    for turn in range(turns):
        if change(b, "off.sqlite", "UPDATE measurement SET median = 100, minimum = 100, spread = 0, samples = 9, disturbed = 0 WHERE failure = ''") == 0:
            b.problem(call, "writes down no prices")
        code, out, err = b.call(*call, "--profile", "trace.json")
        if err or turn + 1 == turns:
            check_off(b, call, code, out, err)
            break
    call = ["run", "conv.onnx", "--plan", "off.json", "--quiet"]
    check_off(b, call, *b.call(*call, "--profile", "trace.json"))
    modelled = ["run", "conv.onnx", *KINDS, "--costs", "model", "--quiet", "--profile", "trace.json"]
    code, out, err = b.call(*modelled)
    if code != 0 or err:
        b.problem(modelled, f"holds what a model says against the clock: {code}, {err!r}")


def decided(b):
    """run, and bench --last, take the plan that was last decided; --anew, other options, --refresh and a decision that is damaged have it decided again."""
    call = ["run", "conv.onnx", *KINDS, "--database", "decided.sqlite", "--quiet"]
    b.answers([*call, "--check"], "agrees")

    def measures(*more, of=[*call, "--check"], says="agrees"):
        """Whether a call looks for prices, of which there are none left. Its results are right in any case."""
        change(b, "decided.sqlite", "DELETE FROM measurement")
        b.answers([*of, *more], says)
        return row(b, "decided.sqlite", "SELECT count(*) FROM measurement")[0] != 0

    for more, expected in (((), False), (("--anew",), True), ((), False), (("--partitioner", "eager"), True), (("--partitioner", "eager"), False), (("--threads", "2"), True)):
        if measures(*more) != expected:
            b.problem([*call, *more], "decides anew" if not expected else "does not decide anew")
    bench = ["bench", *call[1:], "--rounds", "1", "--threads", "2", "--exact-alone", "--last"]
    for more, expected in (((), False), (("--refresh=never",), False), (("--refresh=all",), True)):
        if measures(*more, of=bench, says="exact") != expected:
            b.problem([*bench, *more], "decides anew" if not expected else "does not decide anew")
    for damage in ("'{'", "''", "'{\"version\": 1}'", "replace(decided, 'float32', 'float64')"):
        if change(b, "decided.sqlite", f"UPDATE decision SET decided = {damage}") == 0:
            b.problem(call, "keeps no decision")
        if not measures():
            b.problem(call, f"takes a decision that was set to {damage}")
    b.refuses(["run", "conv.onnx", "--plan", "plan.json", "--anew"], "--plan", "--anew")


def main(arguments):
    b = Bench(arguments[0])
    b.write("conv.onnx", convolution())
    b.write("long.onnx", long_convolution())
    # Relus of different sizes, each of which has a price of its own.
    sizes = [(1 << 14) + 64 * i for i in range(40)]
    b.write("many.onnx", seeds.model(seeds.graph([seeds.node("Relu", [f"x{s}"], [f"y{s}"], f"r{s}") for s in sizes],
                                                 [seeds.value_info(f"x{s}", [s]) for s in sizes], [seeds.value_info(f"y{s}", [s]) for s in sizes])))
    tap = Tap()
    for group in (refresh, older, price, workers, busy, slow, serving, profiled, decided, replanned):
        group(b)
        tap.verdict(group.__doc__.splitlines()[0], b.take())
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
