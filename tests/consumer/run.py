# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Uses inlay as its users do: as a Meson subproject, and installed, by CMake's find_package and by pkg-config; as headers alone, and with
what is no template compiled once.

The installed tree is moved before it is used, as package managers do.
"""
import ctypes
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import source_tree  # noqa: E402
from tap import Tap  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))


class Failed(Exception):
    pass


def run(*command, env=None):
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, env={**os.environ, **(env or {})}, check=False)
    if result.returncode != 0:
        raise Failed(f"{' '.join(command)}\n{result.stdout}\n{result.stderr}")
    return result.stdout


def must_fail(*command, changed=None):
    """What a command says that has to fail, with one file changed for it: (path, text, text in its place)."""
    text = source_tree.read(changed[0]) if changed else None
    if changed:
        with open(changed[0], "w", encoding="utf-8") as file:
            file.write(text.replace(changed[1], changed[2]))
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if changed:
        with open(changed[0], "w", encoding="utf-8") as file:
            file.write(text)
    if result.returncode == 0:
        raise Failed(f"{' '.join(command)} succeeds")
    return result.stdout + result.stderr


def project(folder, kind):
    """A copy of a consumer's project, with the program in it."""
    place = os.path.join(folder, kind)
    shutil.copytree(os.path.join(HERE, kind), place)
    for name in os.listdir(os.path.join(HERE, "program")):
        shutil.copy(os.path.join(HERE, "program", name), place)
    return place


def must_greet(program):
    said = run(program)
    if not said.startswith("uses inlay "):
        raise Failed(f"the program says: {said}")


def as_subproject(folder):
    place = project(folder, "meson")
    os.mkdir(os.path.join(place, "subprojects"))
    os.symlink(source_tree.ROOT, os.path.join(place, "subprojects", "inlay"))
    build = os.path.join(place, "build")
    said = run("meson", "setup", build, place)
    run("ninja", "-C", build)
    must_greet(os.path.join(build, "uses_inlay"))
    targets = run("meson", "introspect", "--targets", build)
    if targets.count('"name"') != 1:
        raise Failed(f"a subproject brings targets of its own: {targets}\n{said}")


def install(folder):
    build, prefix, moved = (os.path.join(folder, name) for name in ("build", "prefix", "moved"))
    run("meson", "setup", build, source_tree.ROOT, "--prefix", prefix, "-Dtests=disabled", "-Dexamples=disabled", "-Dbenchmarks=disabled",
        "-Dcompiled=search", "-Dbuildtype=plain")
    run("meson", "install", "-C", build, "--quiet")
    if not os.path.isfile(os.path.join(prefix, "include", "inlay", "version.hpp")):
        raise Failed("include/inlay/version.hpp was not installed")
    os.rename(prefix, moved)
    return moved


def by_cmake(folder, prefix):
    place = project(folder, "cmake")
    build = os.path.join(place, "build")
    run("cmake", "-G", "Ninja", "-S", place, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", build)
    must_greet(os.path.join(build, "uses_inlay"))
    must_greet(os.path.join(build, "selects"))
    unknown = must_fail("cmake", "-G", "Ninja", "-S", place, "-B", build + "_unknown", f"-DCMAKE_PREFIX_PATH={prefix}",
                        changed=(os.path.join(place, "CMakeLists.txt"), "COMPONENTS search", "COMPONENTS surch"))
    if "inlay has no component surch" not in unknown:
        raise Failed(f"an unknown component is not named: {unknown}")
    # A version that there is not yet.
    must_fail("cmake", "-G", "Ninja", "-S", place, "-B", build + "_too_new", f"-DCMAKE_PREFIX_PATH={prefix}",
              changed=(os.path.join(place, "CMakeLists.txt"), "inlay 0.1", "inlay 99.0"))


def by_pkg_config(folder, prefix):
    env = {"PKG_CONFIG_PATH": os.path.join(prefix, "share", "pkgconfig")}
    flags = shlex.split(run("pkg-config", "--define-prefix", "--cflags", "--libs", "inlay", env=env))
    program = os.path.join(folder, "by_pkg_config")
    run(os.environ.get("CXX", "g++"), "-std=c++20", os.path.join(HERE, "program", "main.cpp"), *flags, "-o", program)
    must_greet(program)


def compiled_apart(folder, prefix):
    """Links against the installed library; a file that takes the other mode does not link with it."""
    env = {"PKG_CONFIG_PATH": os.pathsep.join(os.path.join(prefix, *place) for place in
                                              (["share", "pkgconfig"], ["lib", "pkgconfig"], ["lib64", "pkgconfig"], ["lib", "x86_64-linux-gnu", "pkgconfig"]))}
    # Its file stands too deep for pkg-config to see where it was moved to.
    moved = "--define-variable=prefix=" + prefix
    apart = shlex.split(run("pkg-config", moved, "--cflags", "inlay-compiled", env=env))
    libraries = shlex.split(run("pkg-config", moved, "--libs", "inlay-compiled", env=env))
    plain = shlex.split(run("pkg-config", "--define-prefix", "--cflags", "inlay", env=env))
    compiler = os.environ.get("CXX", "g++").split()[-1]

    def compiled(source, flags, name):
        made = os.path.join(folder, name)
        run(compiler, "-std=c++20", "-c", os.path.join(HERE, "program", source), *flags, "-o", made)
        return made

    main, one, other = (compiled("main_of_select.cpp", apart, "main.o"), compiled("selects.cpp", apart, "apart.o"),
                        compiled("selects.cpp", plain, "plain.o"))
    program = os.path.join(folder, "apart")
    run(compiler, main, one, *libraries, "-o", program)
    must_greet(program)
    said = must_fail(compiler, main, other, *libraries, "-o", program)
    if "inlay_separate_compilation_is_defined_in_some_files_of_this_program_only" not in said:
        raise Failed(f"the linker does not say what is wrong: {said}")


def exports_a_back_end(folder, prefix):
    """The template for a vendor builds as it stands, by CMake and by Meson, against what is installed; its check passes."""
    place = os.path.join(folder, "template")
    shutil.copytree(os.path.join(source_tree.ROOT, "examples", "backend_template"), place)
    builds = {"cmake": [("cmake", "-G", "Ninja", "-S", place, "-B", os.path.join(place, "cmake"), f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Debug"),
                        ("cmake", "--build", os.path.join(place, "cmake"))],
              "meson": [("meson", "setup", os.path.join(place, "meson"), place, "-Dbuildtype=plain"), ("ninja", "-C", os.path.join(place, "meson"), "my_backend.so")]}
    env = {"PKG_CONFIG_PATH": os.path.join(prefix, "share", "pkgconfig"), "PKG_CONFIG": shutil.which("pkg-config") + " --define-prefix"}
    for name, commands in builds.items():
        for command in commands:
            run(*command, env=env if name == "meson" else None)
        library = ctypes.CDLL(os.path.join(place, name, "my_backend.so"))
        library.inlay_backend_entry.restype = ctypes.POINTER(ctypes.c_size_t)
        if library.inlay_backend_entry()[0] < 128:
            raise Failed(f"the library that {name} built exports no table")
        said = run(os.path.join(place, "cmake", "check"), os.path.join(place, name, "my_backend.so"))
        if "it computes what the interpreter does" not in said:
            raise Failed(f"the template's check says {said!r}")


def main():
    tap = Tap()
    folder = tempfile.mkdtemp(prefix="inlay_consumer_")
    installed = []

    def test(name, needs, action):
        absent = [program for program in needs if not shutil.which(program)]
        if absent:
            tap.skip(name, f"{absent[0]} is not installed")
            return
        try:
            action()
            tap.ok(name)
        except (Failed, subprocess.TimeoutExpired, OSError) as problem:
            tap.fail(name, problem)

    def with_prefix(action):
        def wrapped():
            if not installed:
                raise Failed("the installation failed")
            action(folder, installed[0])
        return wrapped

    try:
        test("a Meson project uses inlay as a subproject, which brings no tests along", ["meson", "ninja"], lambda: as_subproject(folder))
        test("inlay is installed", ["meson"], lambda: installed.append(install(folder)))
        test("a CMake project finds the installed package, even moved", ["cmake", "ninja"], with_prefix(by_cmake))
        test("pkg-config finds the installed package, even moved", ["pkg-config"], with_prefix(by_pkg_config))
        test("what is no template is compiled once, in all files or in none", ["pkg-config"], with_prefix(compiled_apart))
        test("a back end builds as a library from its template, by CMake and by Meson", ["cmake", "meson", "ninja", "pkg-config"],
             with_prefix(exports_a_back_end))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
