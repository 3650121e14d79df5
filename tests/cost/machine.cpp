// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/cost/machine.hpp>

#include <string>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

std::string cpuinfo(const std::string& name, const std::string& clock, const std::string& flags) {
    return "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: " + name +
           "\nstepping\t: 1\ncpu MHz\t\t: " + clock + "\nflags\t\t: " + flags + "\n";
}

}  // namespace

TEST_CASE("a machine is known by processor, cores and instruction sets") {
    const machine m = machine_of(cpuinfo("AMD EPYC", "2596.1", "sse avx"), 2);
    CHECK(m.cpu == "AMD EPYC family 25 model 17 stepping 1");
    CHECK(m.cores == 2);
    CHECK(content_of(m) != content_of(machine_of(cpuinfo("AMD EPYC 2", "2596.1", "sse avx"), 2)));
    CHECK(content_of(m) != content_of(machine_of(cpuinfo("AMD EPYC", "2596.1", "sse avx avx2"), 2)));
    CHECK(content_of(m) != content_of(machine_of(cpuinfo("AMD EPYC", "2596.1", "sse avx"), 3)));
}

TEST_CASE("what runs beside on purpose makes it another machine") {
    const machine quiet = machine_of(cpuinfo("AMD EPYC", "2596.1", "sse"), 2);
    machine busy = quiet;
    busy.busy = 1;
    CHECK(busy != quiet);
    CHECK(content_of(busy) != content_of(quiet));
    machine busier = busy;
    busier.busy = 2;
    CHECK(content_of(busier) != content_of(busy));
    CHECK(this_machine().busy == 0);
}

TEST_CASE("code of another compiler has other prices") {
    const machine one = machine_of(cpuinfo("AMD EPYC", "2596.1", "sse"), 2);
    machine other = one;
    other.compiler = "14.2.0";
    CHECK(other != one);
    CHECK(content_of(other) != content_of(one));
    CHECK_FALSE(this_machine().compiler.empty());
}

TEST_CASE("the clock of the moment plays no part") {
    CHECK(machine_of(cpuinfo("AMD EPYC", "2596.1", "sse"), 2) == machine_of(cpuinfo("AMD EPYC", "3700.9", "sse"), 2));
}

TEST_CASE("other architectures' lines, empty text and cut lines give a machine too") {
    const machine arm = machine_of("processor : 0\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n", 4);
    CHECK(arm.cpu == "implementer 0x41 part 0xd0c");
    CHECK(arm.features != machine_of("Features\t: fp\n", 4).features);
    CHECK(machine_of("", 1).cpu.empty());
    CHECK(machine_of("model name", 1).cpu.empty());
    CHECK(machine_of("model name\t:", 1).cpu.empty());
    CHECK(machine_of("model name\t: ", 1).cpu.empty());
}

TEST_CASE("this machine is the same when asked twice, and has a core") {
    CHECK(this_machine() == this_machine());
    CHECK(this_machine().cores >= 1);
    CHECK_FALSE(this_machine().cpu.empty());
}
