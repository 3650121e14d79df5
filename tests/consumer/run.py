# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Uses inlay as its users do: as a Meson subproject, and installed, by CMake's find_package and by pkg-config.

The installed tree is moved before it is used, as package managers do.
"""
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


def project(folder, kind):
    """A copy of a consumer's project, with the program in it."""
    place = os.path.join(folder, kind)
    shutil.copytree(os.path.join(HERE, kind), place)
    shutil.copy(os.path.join(HERE, "program", "main.cpp"), place)
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
    run("meson", "setup", build, source_tree.ROOT, "--prefix", prefix, "-Dtests=disabled", "-Dexamples=disabled", "-Dbenchmarks=disabled")
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
    too_new = source_tree.read(os.path.join(place, "CMakeLists.txt")).replace("inlay 0.1", "inlay 99.0")
    with open(os.path.join(place, "CMakeLists.txt"), "w", encoding="utf-8") as file:
        file.write(too_new)
    try:
        run("cmake", "-G", "Ninja", "-S", place, "-B", build + "_too_new", f"-DCMAKE_PREFIX_PATH={prefix}")
    except Failed:
        return
    raise Failed("find_package(inlay 99.0) finds this version")


def by_pkg_config(folder, prefix):
    env = {"PKG_CONFIG_PATH": os.path.join(prefix, "share", "pkgconfig")}
    flags = shlex.split(run("pkg-config", "--define-prefix", "--cflags", "--libs", "inlay", env=env))
    program = os.path.join(folder, "by_pkg_config")
    run(os.environ.get("CXX", "g++"), "-std=c++20", os.path.join(HERE, "program", "main.cpp"), *flags, "-o", program)
    must_greet(program)


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
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
