# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""What the source tree says about itself: its headers, what they include, and which third parties a file needs.

Used by the tests about the tree, and by Meson at configure time:
  source_tree.py headers           prints each header under include/ and the third parties that it needs, directly or not
  source_tree.py needs FOLDER      prints each .cpp in FOLDER (relative to the root) and the third parties that it needs
  source_tree.py folders           prints the folders of tests that mirror the library's, separated by commas
"""
import functools
import os
import re
import shutil
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INCLUDE = os.path.join(ROOT, "include")

# A folder includes only itself and folders to its left.
FOLDERS = ("core graph pattern rewrite target placement candidate cost search partition ir ops passes loops accelerator codegen plan io runtime measure "
           "backend testing").split()

# How the include lines of each third party look, and what a compiler needs for it where Meson is not at hand.
THIRD_PARTY = {
    "benchmark": (r"benchmark/", ["-lbenchmark"]),
    "boost": (r"boost/", []),
    "cli11": (r"CLI/", []),
    "doctest": (r"doctest/", []),
    "eigen": (r"Eigen/", ["-isystem", "/usr/include/eigen3"]),
    "highway": (r"hwy/", []),
    "json": (r"nlohmann/", []),
    "onednn": (r"(oneapi/)?dnnl|oneapi/dnnl/", ["-ldnnl"]),
    "onnx": (r"onnx/|google/protobuf/", ["-DONNX_NAMESPACE=onnx", "-DONNX_ML=1", "-lonnx_proto", "-lprotobuf"]),
    "openblas": (r"cblas\.h|openblas", ["-lopenblas"]),
    "range-v3": (r"range/v3/", []),
    "rapidcheck": (r"rapidcheck", ["-lrapidcheck"]),
    "sqlite": (r"sqlite3\.h", ["-lsqlite3"]),
    "tbb": (r"(oneapi/)?tbb/|oneapi/tbb", ["-ltbb"]),
    "pthreadpool": (r"pthreadpool\.h", ["-lpthreadpool"]),
    "xnnpack": (r"xnnpack\.h", ["-lXNNPACK", "-lpthreadpool"]),
    # Parts of the system that some linkers want named.
    "threads": (r"(thread|mutex|shared_mutex|condition_variable|future|pthread\.h|stop_token)$", ["-pthread"]),
    "dl": (r"dlfcn\.h", ["-ldl"]),
}
OF_THE_SYSTEM = {"threads", "dl"}

INCLUDE_LINE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"][ \t]*(.*)$', re.MULTILINE)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def files_under(folder, *endings):
    """The files below FOLDER (absolute), sorted, as absolute paths."""
    found = []
    for base, folders, names in os.walk(folder):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and not f.startswith("build") and f != "__pycache__")
        found += [os.path.join(base, name) for name in sorted(names) if name.endswith(endings)]
    return found


def headers():
    """Every header as it is included, such as `inlay/core/id.hpp`."""
    return [os.path.relpath(path, INCLUDE) for path in files_under(os.path.join(INCLUDE, "inlay"), ".hpp")]


def definitions():
    """Every file of definitions beside a header, such as `inlay/search/select.ipp`; see core/linkage.hpp."""
    return [os.path.relpath(path, INCLUDE) for path in files_under(os.path.join(INCLUDE, "inlay"), ".ipp")]


def is_behind(target, path):
    """Whether what a file includes there are its own definitions, which it leaves out where they are compiled apart."""
    return target.endswith(".ipp") and path.endswith(".hpp")


@functools.lru_cache(maxsize=None)
def includes(path):
    """The include lines of a file: (target, text after it on the line, line number)."""
    text = read(path)
    return tuple((m.group(2), m.group(3), text.count("\n", 0, m.start()) + 1, m.group(1)) for m in INCLUDE_LINE.finditer(text))


@functools.lru_cache(maxsize=None)
def third_party_of(target):
    """The names of the third parties that an include line asks for."""
    return [name for name, (pattern, _) in THIRD_PARTY.items() if re.match(pattern, target)]


@functools.lru_cache(maxsize=None)
def own_path(target, beside, quoted):
    """The file that an include line means if it is one of ours, else None."""
    places = [os.path.join(INCLUDE, target), os.path.join(ROOT, target), os.path.join(ROOT, "tests", target)]
    if quoted:
        places.insert(0, os.path.join(beside, target))
    return next((os.path.normpath(p) for p in places if os.path.isfile(p)), None)


@functools.lru_cache(maxsize=None)
def reached(path):
    """All that a file includes, directly or not: our own files, itself among them, and what others it names."""
    seen, todo, others = set(), [path], set()
    while todo:
        at = todo.pop()
        if at in seen:
            continue
        seen.add(at)
        for target, _, _, quote in includes(at):
            own = own_path(target, os.path.dirname(at), quote == '"')
            if own:
                todo.append(own)
            else:
                others.add(target)
    return frozenset(seen), frozenset(others)


@functools.lru_cache(maxsize=None)
def needs(path):
    """The third parties that a file needs, directly or through our own headers."""
    return tuple(sorted({party for target in reached(path)[1] for party in third_party_of(target)}))


def flags(names):
    """Compiler and linker arguments for these third parties."""
    return [flag for name in names for flag in THIRD_PARTY[name][1]]


def clang(name="clang"):
    """The installed release of clang that the tests use, such as clang-16, or the newest that they know; clang("clang++") is that of C++."""
    releases = [f"{name}-{release}" for release in (16, 19)]
    return next((release for release in releases if shutil.which(release)), releases[-1])


def main(arguments):
    if arguments[:1] == ["headers"]:
        for header in headers():
            print(header, *needs(os.path.join(INCLUDE, header)))
    elif arguments[:1] == ["needs"] and len(arguments) == 2:
        folder = os.path.join(ROOT, arguments[1])
        for path in files_under(folder, ".cpp"):
            print(os.path.relpath(path, folder), *needs(path))
    elif arguments == ["folders"]:
        print(",".join(FOLDERS))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
