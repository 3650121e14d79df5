# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Sees from the text of the headers, and of the definitions beside them, that each includes what it uses; no compiler is asked, so that this takes a second.

- A type, concept or function that one header of the library alone declares at namespace scope, and that another header names, stands in what
  that other header includes, directly or not.
- The same for common names of the standard library.

What a word means is guessed from the text, so that a few wrong headers may pass; tests/headers/alone.py asks a compiler.
"""
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import source_tree  # noqa: E402
from tap import Tap  # noqa: E402

NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
NAMESPACE = re.compile(r"(?:inline\s+)?namespace(?:\s+[\w:]+)?\s*$|extern\s*$")
DECLARED = (re.compile(r"\b(?:struct|class|enum(?:\s+class)?|concept|union)\s+(\w+)(?!\s*[;\w])"), re.compile(r"\busing\s+(\w+)\s*="))
# Behind the name of a function stands what has taken the place of its parameters.
FUNCTION = re.compile(r"\b(\w+)\s*~")
# Names of the library begin small, capitals are parameters of templates; two letters say too little to tell.
WORD = re.compile(r"\b[a-z]\w\w+")
KEYWORDS = {"bool", "operator", "requires", "noexcept", "decltype", "alignas", "static_assert", "if", "for", "while", "switch", "return", "sizeof"}
# What stands behind a point or an arrow is somebody's member.
MEMBER = re.compile(r"(\.|->|::|\.template)\s*$")

# (header, name): why it does without the include.
LATER = {("inlay/candidate/enumerate.hpp", "join_composites"): "called for back ends with a partition rule alone, whose headers include it"}

STANDARD = {name: headers.split("|") for headers, names in {
    "vector": "vector", "string": "string to_string", "string_view": "string_view", "span": "span", "optional": "optional nullopt",
    "array": "array", "map": "map multimap", "set": "set multiset", "deque": "deque", "unordered_map": "unordered_map",
    "unordered_set": "unordered_set", "variant": "variant visit get_if", "tuple": "tuple tie", "atomic": "atomic memory_order_relaxed",
    "mutex": "mutex lock_guard unique_lock", "thread": "thread", "memory": "unique_ptr shared_ptr make_unique make_shared",
    "functional": "function", "bit": "bit_cast popcount countr_zero bit_ceil endian", "limits": "numeric_limits",
    "charconv": "to_chars from_chars", "numeric": "iota accumulate", "initializer_list": "initializer_list",
    "algorithm": "sort stable_sort max_element min_element any_of all_of none_of lower_bound upper_bound binary_search clamp unique fill "
                 "nth_element set_difference is_sorted count_if",
    "concepts": "same_as convertible_to derived_from integral floating_point default_initializable copyable",
    "type_traits": "is_same_v remove_cvref_t conditional_t decay_t is_empty_v is_integral_v",
    "cmath": "isfinite isnan sqrt exp floor ceil pow log tanh erf", "cstring": "memcpy memset strerror",
    "cstdint|cstddef|stdint.h": "int64_t uint64_t uint32_t int32_t uint8_t int8_t uint16_t int16_t uintptr_t",
    "filesystem": "filesystem", "chrono": "chrono", "deque|vector|string|map|set|unordered_map|unordered_set|memory": "erase_if"}.items()
    for name in names.split()}


def plain(path):
    """The text without comments, strings and directives."""
    return DIRECTIVE.sub("", NOISE.sub(" ", source_tree.read(path)))


def outside(text):
    """What stands at namespace scope: the text in deeper braces is left out."""
    kept, depth, start = [], 0, 0
    # Empty braces open nothing, and stand in defaults of parameters.
    text = text.replace("{}", "()")
    for at, c in enumerate(text):
        if c == "{":
            if depth == 0 and NAMESPACE.search(text[max(start, at - 200):at].strip()):
                start = at + 1
                continue
            if depth == 0:
                kept.append(text[start:at] + " ;; ")
            depth += 1
        elif c == "}":
            if depth == 0:
                start = at + 1
                continue
            depth -= 1
            if depth == 0:
                start = at + 1
        elif c == ";" and depth == 0:
            kept.append(text[start:at + 1])
            start = at + 1
    return kept


def declared(text):
    """Names of types and of functions that a header declares at namespace scope."""
    types, functions = set(), set()
    for piece in outside(text):
        for pattern in DECLARED:
            types.update(pattern.findall(piece))
        # Parameters and their defaults declare nothing.
        while (shorter := re.sub(r"\([^()]*\)", " ~ ", piece)) != piece:
            piece = shorter
        # Behind an equals sign stands the value of a variable, which calls functions and declares none.
        functions.update(FUNCTION.findall(re.split(r"\bauto\s+\w+\s*=", piece)[0]))
    return types, functions - KEYWORDS


def closures(paths):
    """For each header the names of all that it includes, own headers by path and others by name."""
    known = {}

    def of(path):
        if path not in known:
            known[path] = set()
            for target, _, _, quote in source_tree.includes(path):
                if source_tree.is_behind(target, path):
                    continue
                own = source_tree.own_path(target, os.path.dirname(path), quote == '"')
                known[path].add(own or target)
                if own:
                    known[path] |= of(own)
        return known[path]

    for path in paths:
        of(path)
    return known


def main():
    paths = [os.path.join(source_tree.INCLUDE, header) for header in source_tree.headers() + source_tree.definitions()]
    texts = {path: plain(path) for path in paths}
    words = {path: set(WORD.findall(text)) for path, text in texts.items()}
    reach = closures(paths)
    owners = {}
    for path in paths:
        if path.endswith(".ipp"):
            continue
        types, functions = declared(texts[path])
        for name in types | functions:
            owners.setdefault(name, set()).add(path)
    own, standard = [], []
    for path in paths:
        name_of = os.path.relpath(path, source_tree.INCLUDE)
        for name in sorted(words[path]):
            if len(owners.get(name, ())) == 1 and path not in owners[name] and not owners[name] & reach[path] and (name_of, name) not in LATER:
                # What is declared here in any form, be it a member or a parameter, is another thing of the same name. Members of definitions
                # are declared in the header before them.
                here = texts[path] + (texts[path[:-len(".ipp")] + ".hpp"] if path.endswith(".ipp") else "")
                if re.search(rf"(?:[\w>&*\]]\s+[&*]?|[&*]|\[|,\s*){name}\b\s*(?![<\w])[^:]", here):
                    continue
                if any(not MEMBER.search(texts[path][max(0, m.start() - 12):m.start()]) and re.match(r"\s*[<({&*\w]", texts[path][m.end():m.end() + 8])
                       for m in re.finditer(rf"\b{name}\b", texts[path])):
                    own.append(f"{name_of} names {name} and does not include <{os.path.relpath(next(iter(owners[name])), source_tree.INCLUDE)}>")
        for name in sorted(set(re.findall(r"\bstd::(\w+)", texts[path]))):
            wanted = STANDARD.get(name)
            if wanted and not set(wanted) & reach[path]:
                standard.append(f"{name_of} names std::{name} and does not include <{wanted[0]}>")
    tap = Tap()
    tap.verdict("each header includes what it uses of the library", own)
    tap.verdict("each header includes what it uses of the standard library", standard)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
