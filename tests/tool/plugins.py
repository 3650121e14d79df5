# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Back ends that arrive as libraries: plugins.py PROGRAM"""
import json
import os
import shutil
import struct
import subprocess
import sys
import time

from tool import Bench, Tap, seeds

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
VECTOR = os.path.join(ROOT, "examples", "backends", "vector_c.c")

# The table of vector_c, under another kind, of which something is changed.
CHANGED = """
#define KIND "%s"
#define inlay_backend_entry whole_entry
#include "%s"
#undef inlay_backend_entry
%s
INLAY_BACKEND_EXPORT const inlay_backend* inlay_backend_entry(void) {
    static inlay_backend t;
    t = *whole_entry();
    %s
    return &t;
}
"""


def library(b, name, source, folder="libs"):
    """Compiles a library of C."""
    os.makedirs(b.path(folder), exist_ok=True)
    b.write("source.c", source)
    done = subprocess.run(["gcc", "-std=gnu99", "-shared", "-fPIC", "-I", os.path.join(ROOT, "include"), b.path("source.c"), "-o", b.path(f"{folder}/{name}.so")],
                          capture_output=True, text=True)
    if done.returncode != 0:
        b.problem(["gcc", name], done.stderr[-500:])


def changed(kind, change="", more=""):
    return CHANGED % (kind, VECTOR, more, change)


def network():
    """A convolution, whose Relu, sum and Softsign different back ends take."""
    some = [((7 * i) % 23 - 11) / 20 for i in range(216)]
    pads = [seeds.integers("kernel_shape", [3, 3]), seeds.integers("pads", [1, 1, 1, 1])]
    nodes = [seeds.node("Conv", ["x", "w"], ["a"], "conv", pads), seeds.node("Sigmoid", ["a"], ["b"], "gate"),
             seeds.node("Add", ["a", "b"], ["c"], "sum"), seeds.node("Relu", ["c"], ["d"], "cut"), seeds.node("Softsign", ["d"], ["y"], "soft")]
    return seeds.model(seeds.graph(nodes, [seeds.value_info("x", [1, 3, 8, 8])], [seeds.value_info("y", [1, 8, 8, 8])], [seeds.tensor("w", [8, 3, 3, 3], some)]))


def targets(b, *arguments):
    """What `inlay targets --json` lists, by kind, and what it skipped, by file."""
    whole = json.loads(b.answers(["targets", "--json", "--quiet", *arguments]) or '{"targets": [], "skipped": []}')
    return {t["kind"]: t for t in whole["targets"]}, {os.path.basename(s["library"]): s["reason"] for s in whole["skipped"]}


def owners(b, arguments):
    """Which back end has which node, by the plan."""
    b.answers(["partition", *arguments, "--out", "plan.json"])
    plan = json.loads(b.read("plan.json"))
    return {n: p["backend"] for p in plan["partitions"] for n in p["nodes"]}


def mixes(b, folder):
    """One call mixes three back ends, two of them from a folder, one with an option of its own."""
    b.write("net.onnx", network())
    known, skipped = targets(b, "--backend-dir", folder)
    if skipped or not {"vector_c", "tensorrt"} <= set(known):
        b.problem(["targets"], f"lists {sorted(known)} and skips {skipped}")
    if known.get("vector_c", {}).get("library") != os.path.join(folder, "vector_c.so") or known.get("tensorrt", {}).get("usable") is not False:
        b.problem(["targets"], f"says {known.get('vector_c')} and {known.get('tensorrt')}")
    python = "softsign_python" if "softsign_python" in known else "portable_c"
    b.answers(["run", "net.onnx", "--backend-dir", folder, "--target", f"{python}, vector_c -gbps=1e6, reference", "--partitioner", "eager", "--costs", "model",
               "--quiet", "--check"], "agrees")
    by = owners(b, ["net.onnx", "--backend-dir", folder, "--target", f"{python}, vector_c, reference", "--target-vector_c-gbps", "1e6", "--partitioner", "eager",
                    "--costs", "model", "--quiet"])
    if (by.get("sum"), by.get("cut"), by.get("soft"), by.get("conv")) != ("vector_c", "vector_c", python, "reference"):
        b.problem(["partition"], f"gives {by}")
    # Prices are measured in workers, which load the same.
    by = owners(b, ["net.onnx", "--backend-dir", folder, "--target", "vector_c -least=64, reference", "--quiet"])
    if not set(by.values()) <= {"vector_c", "reference"}:
        b.problem(["partition"], f"gives {by}")
    text = b.answers(["why", "net.onnx", "cut", "vector_c", "--backend-dir", folder, "--target", "vector_c, reference", "--target-vector_c-least", "100000", "--quiet"])
    if "it takes 100000 elements and more, and here are 512" not in text:
        b.problem(["why"], f"does not give the library's reason: {text[-400:]!r}")
    b.refuses(["why", "net.onnx", "cut", "tensorrt", "--backend-dir", folder, "--quiet"], "libnvinfer", "is not installed", "take this node as: activation", status=1)
    b.refuses(["partition", "net.onnx", "--backend-dir", folder, "--target", "vector_c -lest=3", "--quiet"], "'lest'", "least")
    b.refuses(["partition", "net.onnx", "--backend-dir", folder, "--target", "vector_c -least=0", "--quiet"], "'-least'", "from 1 to")
    b.refuses(["partition", "net.onnx", "--backend-dir", folder, "--target", "tensorrt", "--quiet"], "cannot run here")
    b.refuses(["partition", "net.onnx", "--target", "vector_c", "--quiet"], "'vector_c'")


def leaves_as_c(b, folder):
    """What a library says in C is part of a program that leaves."""
    b.write("net.onnx", network())
    b.answers(["emit", "net.onnx", "--backend-dir", folder, "--target", "vector_c, c", "--partitioner", "eager", "--costs", "model", "--quiet", "--target-vector_c-gbps",
               "1000", "--out", "out"])
    done = subprocess.run(["make", "-s", "check", "CFLAGS=-std=c99 -Wall -Wextra -Werror -pedantic"], cwd=b.path("out"), capture_output=True, text=True)
    if done.returncode != 0 or "0 of 512 elements are off" not in done.stdout or b"a[i] + b[i]" not in b.read("out/net.c"):
        b.problem(["make", "check"], f"{done.stdout[-300:]} {done.stderr[-300:]}")


def leaves_around_failures(b):
    """A library that has no C for a piece leaves that piece to others, and is asked again the next time."""
    b.write("net.onnx", network())
    library(b, "partly", changed("partly", "t.emit_c = no_c;", '''
static inlay_status no_c(void* instance, void* plan, const inlay_borders* borders, inlay_text name, const inlay_c_code* code, inlay_reply why) {
    (void)instance, (void)plan, (void)borders, (void)name, (void)code;
    say(why, "the C of it is lost");
    return INLAY_FAILED;
}'''))
    call = ["emit", "net.onnx", "--backend-dir", b.path("libs"), "--target", "partly, c", "--partitioner", "eager", "--costs", "model", "--target-partly-gbps", "1000", "--out", "out"]
    for _ in range(2):
        code, _, err = b.call(*call)
        if code != 0 or "back end 'partly' has no kernel for" not in err or "the C of it is lost" not in err:
            b.problem(call, f"ends with {code} and tells {err[-400:]!r}")
    kinds = {p["backend"] for p in json.loads(b.read("out/manifest.json"))["parts"]}
    if not kinds or "partly" in kinds:
        b.problem(call, f"has parts of {sorted(kinds)}")
    shutil.rmtree(b.path("libs"))


def skips(b):
    """Libraries that are broken, of another version, crash, end the process or lie are named and skipped, and the rest is there."""
    library(b, "a_fine", changed("fine"))
    b.write("libs/b_text.so", "no library")
    library(b, "c_silent", "int nothing;")
    library(b, "d_old", changed("old", "t.version = 99;"))
    library(b, "e_crash", "#include <stdlib.h>\n__attribute__((constructor)) static void fall(void) { abort(); }")
    library(b, "f_exit", "#include <stdlib.h>\n__attribute__((constructor)) static void leave(void) { exit(0); }")
    library(b, "g_small", changed("small", "t.size = 8;"))
    library(b, "h_many", changed("many", "t.option_count = (size_t)1 << 50;"))
    library(b, "i_late_crash", changed("late", "*(volatile int*)0 = 1;"))
    library(b, "j_undefined", "extern int nobody_has(void); int call(void) { return nobody_has(); }")
    library(b, "k_twin", changed("fine"))
    library(b, "l_builtin", changed("reference"))
    b.write("libs/notes.txt", "no library either")
    known, skipped = targets(b, "--backend-dir", b.path("libs"))
    if "fine" not in known or known["fine"]["library"] != b.path("libs/a_fine.so"):
        b.problem(["targets"], f"lists {sorted(known)}")
    for name, words in {"b_text.so": "cannot be loaded", "c_silent.so": "inlay_backend_entry", "d_old.so": "version 99", "e_crash.so": "crashed while it was loaded: signal 6",
                        "f_exit.so": "ended the process", "g_small.so": "8 bytes", "h_many.so": "at most 256", "i_late_crash.so": "signal 11", "k_twin.so": "which was first",
                        "j_undefined.so": "nobody_has", "l_builtin.so": "'reference' already"}.items():
        if words not in skipped.get(name, ""):
            b.problem(["targets"], f"says of {name}: {skipped.get(name)!r}")
    # Without --quiet they are told on standard error, and the call goes on.
    code, _, err = b.call("targets", "--backend-dir", b.path("libs"))
    if code != 0 or err.count(" is skipped: ") != 11:
        b.problem(["targets"], f"ends with {code} and tells {err[-300:]!r}")
    start = time.monotonic()
    targets(b, "--backend-dir", b.path("libs"))
    if not any(f.endswith(".verdict") for f in b.files()):
        b.problem(["targets"], "keeps no verdicts beside the database")
    if time.monotonic() - start > 5:
        b.problem(["targets"], "tries everything again")
    shutil.rmtree(b.path("libs"))


def searches(b):
    """Folders come from options, then from the environment; what is no folder is told; a thousand files are read over."""
    library(b, "one", changed("one"), "first")
    library(b, "two", changed("two"), "second")
    b.environment["INLAY_BACKEND_PATH"] = f"{b.path('second')}:{b.path('nowhere')}"
    known, skipped = targets(b, f"--backend-dir={b.path('first')}")
    if not {"one", "two"} <= set(known) or list(known).index("one") > list(known).index("two") or "No such file" not in skipped.get("nowhere", ""):
        b.problem(["targets"], f"lists {sorted(known)} and skips {skipped}")
    os.makedirs(b.path("closed"))
    os.chmod(b.path("closed"), 0)
    if os.getuid() != 0 and "Permission denied" not in targets(b, "--backend-dir", b.path("closed"))[1].get("closed", ""):
        b.problem(["targets"], "says nothing of a folder that it may not read")
    os.chmod(b.path("closed"), 0o700)
    for i in range(1000):
        b.write(f"second/file{i}.txt", "")
    if "two" not in targets(b)[0]:
        b.problem(["targets"], "does not find a library among a thousand files")
    del b.environment["INLAY_BACKEND_PATH"]


def fails_late(b):
    """A back end that states prices and then makes no code loses that candidate, the run goes on, and `why` keeps the reason."""
    b.write("net.onnx", network())
    library(b, "cold", changed("cold_c", "t.emit = cold;",
                               "static inlay_status cold(void* i, void* p, const inlay_borders* o, inlay_kernel* k, inlay_reply why) {\n"
                               "    (void)i, (void)p, (void)o, (void)k;\n    say(why, \"its oven is cold\");\n    return INLAY_FAILED;\n}"))
    by = ["--backend-dir", b.path("libs"), "--target", "cold_c -gbps=1000000, reference"]
    code, _, err = b.call("run", "net.onnx", *by, "--costs", "model", "--partitioner", "eager")
    if code != 0 or "has no kernel for cut, and planning goes on without it: its oven is cold" not in err:
        b.problem(["run"], f"gives {code} and says {err[-400:]!r}")
    # With measured prices the plan itself finds it out, and the database keeps it.
    found = owners(b, ["net.onnx", *by, "--quiet"])
    if "cold_c" in found.values():
        b.problem(["partition"], f"gives {found}")
    text = b.answers(["why", "net.onnx", "cut", "cold_c", *by, "--quiet"])
    if "its oven is cold" not in text:
        b.problem(["why"], f"does not keep the reason: {text[-400:]!r}")


# Functions of a library that does harm, and what the call says of it.
FAULTS = {
    "crash": ("*(volatile int*)0 = 1; return 0;", "crashed while it ran: signal 11"),
    "leave": ("exit(7);", "ended the process while it ran, with exit status 7"),
    "fall": ("abort();", "crashed while it ran: signal 6"),
}


def faulty_run(kind, text):
    """A library whose kernels do something else than to compute."""
    return changed(kind, "t.emit = bad_emit;", "#include <stdlib.h>\n#include <stdio.h>\nstatic int bad_run(void* s, const inlay_run* how) {\n    (void)s, (void)how;\n    " + text +
                   "\n}\nstatic inlay_status bad_emit(void* i, void* p, const inlay_borders* o, inlay_kernel* k, inlay_reply why) {\n    (void)i, (void)p, (void)o, (void)why;\n"
                   "    k->run = bad_run;\n    return INLAY_YES;\n}")


def survives_runs(b):
    """A library that crashes, aborts or exits at run is named, and the run is planned again without it."""
    b.write("net.onnx", network())
    for name, (text, words) in FAULTS.items():
        folder = "runs_" + name
        library(b, name, faulty_run(name + "_c", text), folder)
        call = ["run", "net.onnx", "--backend-dir", b.path(folder), "--target", f"{name}_c -gbps=1000000, reference", "--costs", "model", "--partitioner", "eager", "--check"]
        for more in ([], ["--unchecked"], ["--isolate", name]):
            code, out, err = b.call(*call, *more)
            said = words if "--isolate" not in more else "died by signal" if name != "leave" else "exit status 7"
            # The check of a kernel meets an isolated library first, whose process is gone then.
            is_said = said in err or ("--isolate" in more and "reports a failure" in err)
            if code != 0 or "agrees" not in out or not is_said or "planning goes on without it" not in err:
                b.problem([*call, *more], f"gives {code}, {out[-200:]!r} and says {err[-500:]!r}")
            # Later calls know the kernel and do not try it again; each finds one more of the same library, until all are known.
            for _ in range(6):
                code, out, err = b.call(*call, *more)
                if code != 0 or "agrees" not in out:
                    b.problem([*call, *more], f"gives {code} and says {err[-500:]!r}")
                if "is left out" not in err:
                    break
            else:
                b.problem([*call, *more], f"tries again and again what ended a process: {err[-500:]!r}")
            b.answers(["targets", "--failures", "--database", b.path("costs.sqlite")], f"{name}_c", words if "--isolate" not in more else "its process")
            for file in ("costs.sqlite", "costs.sqlite-wal", "costs.sqlite-shm"):
                if os.path.exists(b.path(file)):
                    os.remove(b.path(file))


def survives_later_runs(b):
    """A kernel that is right when it is checked and crashes later is kept as one that crashes; the library's other kernels run."""
    b.write("net.onnx", network())
    library(b, "later", changed("later_c", "t.emit = late_emit; whole_emit = whole_entry()->emit;", """
static inlay_status (*whole_emit)(void*, void*, const inlay_borders*, inlay_kernel*, inlay_reply);
typedef struct { inlay_kernel whole; int runs; } late_kernel;
static int late_run(void* s, const inlay_run* how) {
    late_kernel* k = (late_kernel*)s;
    if (++k->runs == 3) *(volatile int*)0 = 1;
    return k->whole.run(k->whole.state, how);
}
static void late_release(void* s) {
    late_kernel* k = (late_kernel*)s;
    if (k->whole.release != NULL) k->whole.release(k->whole.state);
    free(k);
}
static inlay_status late_emit(void* i, void* p, const inlay_borders* o, inlay_kernel* made, inlay_reply why) {
    const inlay_status said = whole_emit(i, p, o, made, why);
    if (said != INLAY_YES) return said;
    late_kernel* k = (late_kernel*)calloc(1, sizeof *k);
    k->whole = *made;
    made->state = k;
    made->run = late_run;
    made->release = late_release;
    return said;
}"""), "later")
    call = ["run", "net.onnx", "--backend-dir", b.path("later"), "--target", "later_c -gbps=1000000, reference", "--costs", "model", "--partitioner", "eager", "--check"]
    for said in ("is left out", "has no kernel"):
        code, out, err = b.call(*call)
        if code != 0 or "agrees" not in out or said not in err or "crashed while it ran: signal 11" not in err:
            b.problem(call, f"gives {code}, {out[-200:]!r} and says {err[-500:]!r}, without {said!r}")
    b.answers(["targets", "--failures", "--database", b.path("costs.sqlite")], "later_c", "signal 11")


def checks_folders(b):
    """Processes of `check` find the same libraries, isolated or not, and one that crashes fails no folder."""
    os.makedirs(b.path("case/test_data_set_0"), exist_ok=True)
    b.write("case/model.onnx", network())
    given = [((5 * i) % 17 - 8) / 8 for i in range(192)]
    b.write("case/test_data_set_0/input_0.pb", seeds.tensor("x", [1, 3, 8, 8], given))
    b.call("run", "case/model.onnx", "--interpret", "--input", "x=case/test_data_set_0/input_0.pb", "--out", "y.npy")
    whole = b.read("y.npy")
    meant = struct.unpack("<512f", whole[len(whole) - 2048:])
    b.write("case/test_data_set_0/output_0.pb", seeds.tensor("y", [1, 8, 8, 8], meant))
    library(b, "fine", changed("fine"), "checked")
    library(b, "crash", faulty_run("crash_c", FAULTS["crash"][0]), "checked")
    for more in ([], ["--isolate", "crash"], ["--isolate", "all"]):
        for target, taken in (("fine -gbps=1000000, reference", "fine"), ("crash_c -gbps=1000000, reference", "crash_c")):
            out = b.answers(["check", "case", "--backend-dir", b.path("checked"), "--target", target, "--prefer", taken, "--rtol", "1e-7", *more], "1 passed, 0 failed")
            if taken == "fine" and out.split("\t")[2] == "0":
                b.problem(["check", *more], f"gives the library nothing: {out!r}")


def says_one_line(b):
    """A library's reasons and its prints are one escaped line each, on standard error."""
    b.write("net.onnx", network())
    library(b, "loud", changed("loud_c", "t.emit = loud; t.read = chatty; whole_read = whole_entry()->read;",
                               "#include <stdio.h>\nstatic inlay_status (*whole_read)(void*, uint32_t, const inlay_region*, const uint32_t*, size_t, void**, inlay_reply);\n"
                               "__attribute__((constructor)) static void hello(void) { puts(\"loaded\\033[31m\"); }\n"
                               "static inlay_status chatty(void* i, uint32_t c, const inlay_region* r, const uint32_t* v, size_t n, void** p, inlay_reply why) {\n"
                               "    printf(\"reading\\n\");\n    fprintf(stderr, \"to errors\\r\\n\");\n    return whole_read(i, c, r, v, n, p, why);\n}\n"
                               "static inlay_status loud(void* i, void* p, const inlay_borders* o, inlay_kernel* k, inlay_reply why) {\n"
                               "    (void)i, (void)p, (void)o, (void)k;\n    say(why, \"two\\nlines\\033[31m\");\n    return INLAY_FAILED;\n}"), "loud")
    call = ["run", "net.onnx", "--backend-dir", b.path("loud"), "--target", "loud_c -gbps=1000000, reference", "--costs", "model", "--partitioner", "eager"]
    code, out, err = b.call(*call, "--json")
    try:
        json.loads(out)
    except ValueError:
        b.problem(call, f"prints what a library prints: {out[-300:]!r}")
    for words in ("two\\x0alines\\x1b[31m", "prints: loaded\\x1b[31m", "prints: reading", "prints: to errors\\x0d"):
        if code != 0 or words not in err or "\033" in err:
            b.problem(call, f"gives {code} and says {err[-500:]!r}, without {words!r}")
    if any(not line.startswith("inlay: ") for line in err.splitlines() if "so far" not in line):
        b.problem(call, f"has a line that is none of the tool's: {err[-500:]!r}")


def leaves_around_missing_c(b):
    """C without a function, and an exception, leave a piece to others."""
    b.write("net.onnx", network())
    library(b, "empty", changed("empty", "t.emit_c = no_function;", '''
static inlay_status no_function(void* instance, void* plan, const inlay_borders* borders, inlay_text name, const inlay_c_code* code, inlay_reply why) {
    (void)instance, (void)plan, (void)borders, (void)name, (void)why, (void)code;
    return INLAY_YES;
}'''), "empty")
    thrower = changed("thrower", "t.emit_c = throws;", "extern void inlay_test_throw(void);\nstatic inlay_status throws(void* i, void* p, const inlay_borders* o, inlay_text n, "
                      "const inlay_c_code* c, inlay_reply why) {\n    (void)i, (void)p, (void)o, (void)n, (void)c, (void)why;\n    inlay_test_throw();\n    return INLAY_YES;\n}")
    os.makedirs(b.path("thrower"), exist_ok=True)
    b.write("thrower.c", thrower)
    b.write("throw.cpp", '#include <stdexcept>\nextern "C" void inlay_test_throw() { throw std::runtime_error("a bad\\nday"); }\n')
    for command in (["gcc", "-std=gnu99", "-fexceptions", "-c", "-fPIC", "-I", os.path.join(ROOT, "include"), b.path("thrower.c"), "-o", b.path("thrower.o")],
                    ["g++", "-shared", "-fPIC", b.path("throw.cpp"), b.path("thrower.o"), "-o", b.path("thrower/thrower.so")]):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            b.problem(command, done.stderr[-500:])
    for kind, words in (("empty", "gives no function 'part'"), ("thrower", "threw an exception while it made C: a bad\\x0aday")):
        call = ["emit", "net.onnx", "--backend-dir", b.path(kind), "--target", f"{kind}, c", "--partitioner", "eager", "--costs", "model", f"--target-{kind}-gbps", "1000", "--out", kind + "_out"]
        code, _, err = b.call(*call)
        if code != 0 or words not in err:
            b.problem(call, f"ends with {code} and tells {err[-400:]!r}")
            continue
        kinds = {p["backend"] for p in json.loads(b.read(kind + "_out/manifest.json"))["parts"]}
        if kind in kinds:
            b.problem(call, f"has parts of {sorted(kinds)}")


def looks_only_where_needed(b):
    """Pipes, devices and endless files are skipped; a name of no library is an error; verbs that need no back ends look into no folder."""
    library(b, "fine", changed("fine"), "odd")
    os.mkfifo(b.path("odd/pipe.so"))
    os.symlink("/dev/zero", b.path("odd/zero.so"))
    with open(b.path("odd/endless.so"), "wb") as file:
        file.truncate(1 << 40)
    known, skipped = targets(b, "--backend-dir", b.path("odd"))
    if "fine" not in known or set(skipped) != {"pipe.so", "zero.so", "endless.so"}:
        b.problem(["targets"], f"lists {sorted(known)} and skips {skipped}")
    b.refuses(["targets", "--backend-dir", b.path("odd"), "--isolate", "fin", "--quiet"], "'fin'", "no folder of back ends has a library of that name")
    b.refuses(["targets", "--isolate", "fine", "--quiet"], "'fine'")
    b.write("net.onnx", network())
    library(b, "marks", "#include <stdio.h>\n__attribute__((constructor)) static void mark(void) { FILE* f = fopen(\"marked\", \"w\"); if (f != NULL) fclose(f); }", "marks")
    for verb in (["show", "net.onnx"], ["grep", "Relu", "net.onnx"], ["equal", "net.onnx", "net.onnx"]):
        b.answers([*verb, "--backend-dir", b.path("marks")])
        if os.path.exists(b.path("marked")):
            b.problem(verb, "loads back ends that it has no use for")
    b.answers(["targets", "--backend-dir", b.path("marks")])
    if not os.path.exists(b.path("marked")):
        b.problem(["targets"], "loads nothing")


def isolates(b, folder):
    """A library that is kept in a process of its own answers as before, and one that dies there ends no run."""
    b.write("net.onnx", network())
    by = ["--target", "vector_c -gbps=1000000, reference", "--costs", "model", "--partitioner", "eager"]
    b.answers(["run", "net.onnx", "--backend-dir", folder, "--isolate", "vector_c", *by, "--quiet", "--check"], "agrees")
    known, _ = targets(b, "--backend-dir", folder, "--isolate", "all")
    if known.get("vector_c", {}).get("patterns") != ["relu_of_sum", "relu_of_product", "relu"]:
        b.problem(["targets", "--isolate", "all"], f"says {known.get('vector_c')}")
    library(b, "deadly", changed("deadly_c", "t.emit = fall;", "#include <stdlib.h>\nstatic inlay_status fall(void* i, void* p, const inlay_borders* o, "
                                 "inlay_kernel* k, inlay_reply why) {\n    (void)i, (void)p, (void)o, (void)k, (void)why;\n    abort();\n}"), "deadly")
    code, _, err = b.call("run", "net.onnx", "--backend-dir", b.path("deadly"), "--isolate", "deadly", "--target", "deadly_c -gbps=1000000, reference", "--costs", "model",
                          "--partitioner", "eager")
    if code != 0 or "died by signal 6" not in err:
        b.problem(["run", "--isolate"], f"gives {code} and says {err[-400:]!r}")
    library(b, "falls", "#include <stdlib.h>\n__attribute__((constructor)) static void fall(void) { abort(); }", "falls")
    _, skipped = targets(b, "--backend-dir", b.path("falls"), "--isolate", "falls")
    if "died by signal 6" not in skipped.get("falls.so", ""):
        b.problem(["targets", "--isolate"], f"says {skipped}")


def main(program):
    tap = Tap()
    folder = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(program))), "backends")
    b = Bench(program)
    # A tool that is compiled with ASan is to die of a bad pointer as any other does.
    b.environment["ASAN_OPTIONS"] = b.environment.get("ASAN_OPTIONS", "") + ":handle_segv=0"
    if not os.path.exists(os.path.join(folder, "vector_c.so")) or not shutil.which("gcc"):
        tap.skip("back ends arrive as libraries", "examples/backends is not built, or there is no gcc")
        return tap.done()
    for check in (mixes, leaves_as_c, isolates):
        check(b, folder)
        tap.verdict(check.__doc__, b.take())
    for check in (leaves_around_failures, leaves_around_missing_c, skips, searches, looks_only_where_needed, fails_late, survives_runs, survives_later_runs, checks_folders, says_one_line):
        check(b)
        tap.verdict(check.__doc__, b.take())
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
