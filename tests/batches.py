# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Groups the test files of a room, so that what they all include is compiled once for many of them.

Used by tests/meson.build:
  batches.py plan FOLDER ABSENT          prints what to build of tests/FOLDER where the third parties ABSENT (with commas between) are missing
  batches.py write OUTPUT FILE...        writes the source that stands for these test files

A batch first includes what its files include, and then each file in a namespace of its own, so that equal names in unnamed namespaces do not
meet; the guards make the includes inside empty. Some files cannot stand in a namespace, or not beside others: they are compiled alone. Those
are seen by what they open or instantiate at file scope, by a third party whose operators reach everywhere, or by a line of theirs which
begins with `// Compiled alone:` and gives the reason. A file of the room itself without a test case holds what others call.
"""
import functools
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import source_tree  # noqa: E402

TESTS = os.path.join(source_tree.ROOT, "tests")
ALONE = re.compile(r"^(namespace [a-z]\w*(::\w+)* \{|template [^<]|template <>\s*(struct|class) (std|rc|doctest)::|extern |#define |// Compiled alone:)", re.MULTILINE)
ALONE_WITH = {"boost", "range-v3"}

# Seconds that g++ 12 takes for a kilobyte of headers and for one of tests, measured over all rooms, and what one batch should take.
SECONDS_PER_HEADER_KB = 0.016
SECONDS_PER_TEST_KB = 0.25
SECONDS_PER_BATCH = 80.0


def closure(path):
    """The files of ours that a file includes, directly or not, and itself."""
    seen, todo = set(), [path]
    while todo:
        at = todo.pop()
        if at in seen:
            continue
        seen.add(at)
        for target, _, _, quote in source_tree.includes(at):
            own = source_tree.own_path(target, os.path.dirname(at), quote == '"')
            # Definitions are compiled apart (include/inlay/core/linkage.hpp), unless a test names them.
            if own and not source_tree.is_behind(target, at):
                todo.append(own)
    return seen


def batches_of(paths):
    """Lists of files that are near to each other and take about equally long."""
    closures = {path: closure(path) - {path} for path in paths}
    size = functools.lru_cache(maxsize=None)(os.path.getsize)

    def seconds(batch):
        headers = set().union(*(closures[path] for path in batch))
        return (SECONDS_PER_HEADER_KB * sum(size(h) for h in headers) + SECONDS_PER_TEST_KB * sum(size(p) for p in batch)) / 1000

    def cut(limit):
        found = []
        for path in paths:
            if found and seconds(found[-1] + [path]) <= limit:
                found[-1].append(path)
            else:
                found.append([path])
        return found

    most = len(cut(SECONDS_PER_BATCH))
    # The lowest limit that needs no more batches makes them even.
    limit = SECONDS_PER_BATCH
    while limit > 1 and len(cut(limit - 1)) <= most:
        limit -= 1
    return cut(limit)


def plan(folder, absent):
    room = os.path.join(TESTS, folder)
    needed, together = set(), []
    for path in source_tree.files_under(room, ".cpp"):
        name, parties = os.path.relpath(path, TESTS), source_tree.needs(path)
        missing = [party for party in parties if party in absent]
        if missing:
            print(f"absent {name}: {name} needs {' and '.join(missing)}, which is not installed")
            continue
        needed.update(parties)
        if ALONE.search(source_tree.read(path)) or ALONE_WITH & set(parties):
            is_called = "TEST_CASE" not in source_tree.read(path) and os.path.dirname(path) == room
            print("called" if is_called else "alone", name)
        else:
            together.append(path)
    for number, batch in enumerate(batches_of(together), 1):
        print("batch", f"{folder}_tests_{number}", *(os.path.relpath(path, TESTS) for path in batch))
    print("needs", *sorted(needed))


def text_of(paths):
    includes, files = {}, []
    for path in paths:
        for target, _, _, quote in source_tree.includes(path):
            own = source_tree.own_path(target, os.path.dirname(path), True) if quote == '"' else None
            includes[f'#include "{os.path.relpath(own, TESTS)}"' if own else f"#include <{target}>"] = None
        name = os.path.relpath(path, TESTS)
        files.append(f'namespace tests_of_{re.sub(r"[^a-z0-9_]", "_", name[:-len(".cpp")])} {{\n#include "{name}"\n}}')
    return "\n".join([*includes, *files]) + "\n"


def write(output, paths):
    text = text_of([os.path.abspath(path) for path in paths])
    # An unchanged file keeps its time, and what depends on it is not compiled again.
    if not os.path.isfile(output) or source_tree.read(output) != text:
        with open(output, "w", encoding="utf-8") as file:
            file.write(text)


def main(arguments):
    if arguments[:1] == ["plan"] and len(arguments) == 3:
        plan(arguments[1], arguments[2].split(","))
    elif arguments[:1] == ["write"] and len(arguments) > 2:
        write(arguments[1], arguments[2:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
