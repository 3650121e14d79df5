# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Reads the include lines of include/inlay and enforces the order of the folders, the door of each third party, and lean headers.

- A folder includes only itself and folders to its left. `config.hpp`, `fwd.hpp` and `version.hpp` may be included by all; an umbrella
  `inlay/FOLDER.hpp` stands where its folder stands; `pipeline.hpp` and `inlay.hpp` stand to the right of everything.
- A back end's folder does not include another back end's folder, but for those in SHARED, which are no back ends.
- A third party's include lines stand only in the headers listed in DOORS.
- What `inlay/inlay.hpp` and the umbrellas include, directly or not, needs no third party.
- A header without a third party does not include the std headers listed in HEAVY, unless it is a leaf that says why in a comment at the
  end of the include line.
"""
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import source_tree  # noqa: E402
from tap import Tap  # noqa: E402

DOORS = {
    "boost": r"graph/bgl\.hpp",
    "range-v3": r"graph/views\.hpp",
    "tbb": r"runtime/tbb\.hpp",
    "onnx": r"io/onnx/.*",
    "json": r"io/json/.*",
    "sqlite": r"cost/database\.hpp",
    "eigen": r"backend/reference/.*",
    "highway": r"backend/cpu_simd/.*",
    "onednn": r"backend/onednn/.*",
    "xnnpack": r"backend/xnnpack/.*",
    "pthreadpool": r"backend/xnnpack/.*",
    "openblas": r"backend/openblas/.*",
    "rapidcheck": r"testing/.*",
    "doctest": r"testing/.*",
}
SHARED = {"cuda"}  # what back ends on NVIDIA's devices have in common
HEAVY = {"iostream", "functional", "memory", "regex", "ranges", "filesystem", "thread", "chrono", "sstream", "execution", "future"}
LEFT_OF_ALL = {"config.hpp", "fwd.hpp", "version.hpp"}
SYSTEM_HEADER = re.compile(r"(sys/|linux/|netinet/|arpa/)?[a-z_0-9]+\.h$")


def rank(header):
    """Where a header stands in the order, by its path below inlay/; None for a folder that nobody has named."""
    folder, slash, _ = header.partition("/")
    if slash:
        return source_tree.FOLDERS.index(folder) if folder in source_tree.FOLDERS else None
    if header in LEFT_OF_ALL:
        return -1
    name = os.path.splitext(header)[0]
    if name in source_tree.FOLDERS:
        return source_tree.FOLDERS.index(name)
    return len(source_tree.FOLDERS)


def backend_folder(header):
    parts = header.split("/")
    return parts[1] if parts[0] == "backend" and len(parts) > 2 else None


def main():
    order, doors, heavy, unknown, umbrellas = [], [], [], [], []
    for full in source_tree.headers() + source_tree.definitions():
        header = full[len("inlay/"):]
        path = os.path.join(source_tree.INCLUDE, full)
        own_rank = rank(header)
        if own_rank is None:
            order.append(f"{full}: the folder is not one of: {' '.join(source_tree.FOLDERS)}")
            continue
        plain = not set(source_tree.needs(path)) - source_tree.OF_THE_SYSTEM
        if "/" not in header and not plain:
            umbrellas.append(f"{full} needs {' '.join(source_tree.needs(path))}; it may include only headers without a third party")
        for target, rest, line, quote in source_tree.includes(path):
            where = f"{full}:{line}"
            parties = source_tree.third_party_of(target)
            if target.startswith("inlay/"):
                if quote == '"':
                    order.append(f"{where}: <{target}> is written in angle brackets")
                if not os.path.isfile(os.path.join(source_tree.INCLUDE, target)):
                    order.append(f"{where}: <{target}> does not exist")
                    continue
                inner = target[len("inlay/"):]
                inner_rank = rank(inner)
                if inner_rank is None or inner_rank > own_rank:
                    order.append(f"{where}: <{target}> stands to the right of {header.partition('/')[0]}")
                if backend_folder(inner) not in SHARED | {None, backend_folder(header)} and backend_folder(header):
                    order.append(f"{where}: one back end includes another, <{target}>")
            elif quote == '"':
                order.append(f"{where}: \"{target}\" is not an own header in the form <inlay/...>")
            elif set(parties) - source_tree.OF_THE_SYSTEM:
                for name in parties:
                    if name in source_tree.OF_THE_SYSTEM:
                        continue
                    if name not in DOORS or not re.fullmatch(DOORS[name], header):
                        doors.append(f"{where}: {name} enters here by <{target}>; its door is {DOORS.get(name, 'nowhere in the headers')}")
            elif "/" in target and not SYSTEM_HEADER.match(target):
                unknown.append(f"{where}: <{target}> is a third party that tests/source_tree.py does not know")
            elif target in HEAVY and plain and not re.match(r"//\s*\S+", rest):
                heavy.append(f"{where}: <{target}> is heavy; take a lean header, or say why in a comment on that line if this is a leaf")
    tap = Tap()
    tap.verdict("a folder includes only itself and folders to its left", order)
    tap.verdict("each third party enters through its own door", doors + unknown)
    tap.verdict("the umbrellas need no third party", umbrellas)
    tap.verdict("headers without a third party are lean", heavy)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
