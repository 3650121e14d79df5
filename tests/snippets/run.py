# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Compiles and runs the code blocks of README.md and docs/*.md: run.py [--alone] BUILD_DIRECTORY COMPILER...

A ```cpp block is compiled; if the program has a `main` it is linked and run and must end with status 0. If the next block of the page is
```text, that is what it prints. A line `...` in it stands for any lines, and `...` inside a line for any text.

A fragment says on the line before its block how it becomes a program:
  <!-- snippet: in NAME -->      it replaces the line `// the snippet` of tests/snippets/NAME.cpp
  <!-- snippet: continues -->    it follows the fragment before it on the page, in the same program, which is compiled anew with both
  <!-- snippet: fails -->        it must not compile; a ```text block after it is a part of what the compiler says

Programs are compiled many to a file, each in a namespace of its own, so that what they include is compiled once for many; those of a file
that does not compile are compiled alone. With --alone every ```cpp block is, and nothing is linked and run: that each includes what it uses.

A ```sh block is run only if it says so, in the root of the project, with the built tool in the PATH and an empty folder in $SCRATCH:
  <!-- snippet: run -->          it must end with status 0, and prints the ```text block after it
"""
import concurrent.futures
import glob
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import source_tree  # noqa: E402
from batches import ALONE, ALONE_WITH  # noqa: E402
from prints import agrees  # noqa: E402
from tap import Tap  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
FENCE = re.compile(r"^```([a-z+]*)[^\n]*\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
DIRECTIVE = re.compile(r"<!--\s*snippet:\s*([a-z_]+)(?:\s+([\w./-]+))?\s*-->\s*\Z")
PLACE = re.compile(r"^[ \t]*// the snippet[ \t]*$", re.MULTILINE)
HAS_MAIN = re.compile(r"^int main\(", re.MULTILINE)
MAIN = re.compile(r"^(int main\(\) \{$.*?)^\}", re.MULTILINE | re.DOTALL)
INCLUDE = re.compile(r"^#include [^\n]*\n", re.MULTILINE)
TOGETHER = 21  # programs to a file


class Snippet:
    def __init__(self, title, kind, text, expected, error=None):
        self.title, self.kind, self.text, self.expected, self.error = title, kind, text, expected, error


def snippets_of(page):
    """The blocks of a page that are to be checked, as Snippets of kind cpp, fails or sh."""
    text = source_tree.read(page)
    name = os.path.relpath(page, source_tree.ROOT)
    blocks = list(FENCE.finditer(text))
    found, template, gathered = [], None, ""
    for index, block in enumerate(blocks):
        language, body = block.group(1), block.group(2)
        title = f"{name}:{text.count(chr(10), 0, block.start()) + 1}"
        directive = DIRECTIVE.search(text[: block.start()])
        verb, argument = (directive.group(1), directive.group(2)) if directive else (None, None)
        follower = blocks[index + 1] if index + 1 < len(blocks) else None
        expected = follower.group(2) if follower and follower.group(1) == "text" else None
        if language == "sh":
            if verb == "run":
                found.append(Snippet(title, "sh", body, expected))
            continue
        if language != "cpp":
            continue
        error = None
        if verb == "in":
            path = os.path.join(HERE, f"{argument}.cpp")
            template = source_tree.read(path) if os.path.isfile(path) else None
            gathered = body
            if template is None or not PLACE.search(template):
                error = f"tests/snippets/{argument}.cpp is not there, or has no line '// the snippet'"
        elif verb == "continues":
            gathered += body
            if template is None:
                error = "there is no fragment before it that it could continue"
        elif verb in (None, "fails"):
            template, gathered = None, body
        else:
            error = f"'{verb}' is not a word that tests/snippets/run.py knows"
        program = gathered if template is None or error else PLACE.sub(lambda _: gathered, template, count=1)
        found.append(Snippet(title, "fails" if verb == "fails" else "cpp", program, expected, error))
    return found


def apart(build):
    """What a program is compiled and linked with for what is no template to come from the build directory's libraries; nothing where there
    are none, so that the program takes all of it from the headers."""
    libraries = [os.path.join(build, f"libinlay_{name}.a") for name in ("units", "quick")]
    if not all(os.path.isfile(library) for library in libraries):
        return [], []
    # Those of processors' instruction sets are there where Highway is, and those that read ONNX's files where ONNX is.
    optional = [os.path.join(build, f"libinlay_{name}.a") for name in ("kernels", "onnx")]
    libraries += [library for library in optional if os.path.isfile(library)]
    # Each of them asks for what others have, and a linker may take what reads ONNX's files for a function of std::string that stands there.
    reads_onnx = os.path.isfile(optional[1]) and os.path.getsize(optional[1]) > len("!<arch>\n")
    asked = ["-Wl,--as-needed", *(flag for flag in source_tree.flags(["onnx"]) if flag.startswith("-l"))] if reads_onnx else []
    return ["-DINLAY_SEPARATE_COMPILATION", "-D_GLIBCXX_ASSERTIONS"], ["-Wl,--start-group", *libraries, "-Wl,--end-group", *asked]


def written(title, text, folder):
    """The path of a new source with this text."""
    path = os.path.join(folder, hashlib.sha256(title.encode()).hexdigest()[:16] + ".cpp")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def compiled(title, text, linked, build, compiler, folder):
    """(path of the program, how the compiler ended)."""
    source = written(title, text, folder)
    stem = os.path.splitext(source)[0]
    third = source_tree.flags(source_tree.needs(source))
    command = compiler + ["-std=c++20", "-O0", "-I" + source_tree.INCLUDE, "-I" + source_tree.ROOT]
    macros, libraries = apart(build)
    command += [f for f in third if not f.startswith("-l")] + macros + [source]
    command += ["-o", stem] + libraries + [f for f in third if f.startswith("-l")] if linked else ["-fsyntax-only"]
    return stem, subprocess.run(command, capture_output=True, text=True, timeout=300, env={**os.environ, "LC_ALL": "C"}, check=False)


def can_share(snippet, folder):
    """Whether its program can stand in a namespace, beside others."""
    if snippet.kind != "cpp" or not MAIN.search(snippet.text) or ALONE.search(snippet.text):
        return False
    return not ALONE_WITH & set(source_tree.needs(written(snippet.title, snippet.text, folder)))


def shared_text(snippets):
    """One program for many: its argument is the number of the one that runs."""
    includes = dict.fromkeys(include for s in snippets for include in INCLUDE.findall(s.text))
    parts, cases = [], []
    for i, s in enumerate(snippets):
        # Only a program's own main returns 0 where it says nothing.
        body = MAIN.sub(r"\1    return 0;\n}", INCLUDE.sub("", s.text))
        parts.append(f"namespace snippet_{i} {{\n{body}}}\n")
        cases.append(f'    if (std::string_view(words[1]) == "{i}") return snippet_{i}::main();\n')
    return "".join(["#include <string_view>\n", *includes, *parts, "int main(int, char** words) {\n", *cases, "    return 1;\n}\n"])


def check_together(snippets, build, compiler, folder, is_run=True):
    """A list of problems for each, by its title."""
    if len(snippets) > 1:
        try:
            stem, built = compiled(" ".join(s.title for s in snippets), shared_text(snippets), True, build, compiler, folder)
            if built.returncode == 0:
                return {s.title: compare(s, run_program([stem, str(i)], folder)) for i, s in enumerate(snippets)}
        except subprocess.TimeoutExpired:
            pass  # Alone it shows which one takes so long.
    return {s.title: check(s, build, compiler, folder, is_run) for s in snippets}


def run_program(words, folder):
    return subprocess.run(words, capture_output=True, text=True, timeout=60, cwd=folder, stdin=subprocess.DEVNULL, check=False)


def check_cpp(snippet, build, compiler, folder, is_run):
    """A list of problems."""
    linked = is_run and HAS_MAIN.search(snippet.text) is not None and snippet.kind == "cpp"
    stem, built = compiled(snippet.title, snippet.text, linked, build, compiler, folder)
    if snippet.kind == "fails":
        if built.returncode == 0:
            return ["it compiles, and the page says that it does not"]
        said = " ".join(built.stderr.split())
        wanted = " ".join((snippet.expected or "").split())
        return [] if wanted in said else ["the compiler does not say:", wanted, "it says:", said[:3000]]
    if built.returncode != 0:
        return ["it does not compile:", built.stderr[:5000]]
    if not linked:
        return [] if snippet.expected is None or not is_run else ["a text block follows, but the block is no program with a main"]
    return compare(snippet, run_program([stem], folder))


def check_sh(snippet, build, folder):
    environment = dict(os.environ)
    environment["PATH"] = os.path.join(build, "examples", "inlay") + os.pathsep + environment["PATH"]
    environment["SCRATCH"] = tempfile.mkdtemp(dir=folder)
    ran = subprocess.run(["sh", "-eu", "-c", snippet.text], capture_output=True, text=True, timeout=300, cwd=source_tree.ROOT,
                         env=environment, stdin=subprocess.DEVNULL, check=False)
    return compare(snippet, ran)


def compare(snippet, ran):
    problems = []
    if ran.returncode != 0:
        problems += [f"exit status {ran.returncode}", ran.stderr[:3000]]
    if snippet.expected is not None and not agrees(snippet.expected, ran.stdout):
        problems += ["the page says that it prints:", snippet.expected, "it prints:", ran.stdout[:5000]]
    return problems


def check(snippet, build, compiler, folder, is_run):
    try:
        return check_sh(snippet, build, folder) if snippet.kind == "sh" else check_cpp(snippet, build, compiler, folder, is_run)
    except subprocess.TimeoutExpired as late:
        return [f"it took over {late.timeout:.0f} s"]


def main(arguments):
    alone = arguments[:1] == ["--alone"]
    build, compiler = os.path.abspath(arguments[alone]), arguments[alone + 1:]
    pages = [os.path.join(source_tree.ROOT, "README.md")] + sorted(glob.glob(os.path.join(source_tree.ROOT, "docs", "*.md")))
    tap = Tap()
    tool = os.path.join(build, "examples", "inlay", "inlay")
    folder = tempfile.mkdtemp(prefix="inlay_snippets_")
    try:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            jobs, sharing = [], []
            for page in pages:
                for snippet in snippets_of(page) if os.path.isfile(page) else []:
                    if snippet.error:
                        tap.fail(snippet.title, snippet.error)
                    elif alone:
                        if snippet.kind != "sh":
                            jobs.append(pool.submit(check_together, [snippet], build, compiler, folder, is_run=False))
                    elif snippet.kind == "sh" and re.search(r"\binlay\b", snippet.text) and not os.path.exists(tool):
                        tap.skip(snippet.title, "the tool was not built here")
                    elif can_share(snippet, folder):
                        sharing.append(snippet)
                    else:
                        jobs.append(pool.submit(check_together, [snippet], build, compiler, folder))
            # Pages that need about the same stand together.
            sharing.sort(key=lambda s: len(INCLUDE.findall(s.text)))
            for i in range(0, len(sharing), TOGETHER):
                jobs.append(pool.submit(check_together, sharing[i:i + TOGETHER], build, compiler, folder))
            for job in jobs:
                for title, problems in job.result().items():
                    tap.verdict(title, problems)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
