// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/compile/run_command.hpp>

#include <csignal>
#include <fstream>
#include <string>

#include <doctest/doctest.h>

#include "../../io/temporary_folder.hpp"

using namespace inlay;

namespace {
command_request shell(const std::string& text) {
    command_request r;
    r.words = {"sh", "-c", text};
    return r;
}
/// Whether a process has ended by now, or does soon.
bool is_gone_soon(int process) {
    for (int i = 0; i < 1000; ++i) {
        // Nobody may have taken notice of its end yet.
        const auto state = run_command(shell("cut -d')' -f2 /proc/" + std::to_string(process) + "/stat 2>/dev/null | cut -c2"));
        if (state && (state->output.empty() || state->output.front() == 'Z' || state->output.front() == '\n')) return true;
    }
    return false;
}
}  // namespace

TEST_CASE("a command gives what it wrote and how it ended [codegen.command.end]") {
    auto request = shell("echo out; echo \"$INLAY_WORD\" >&2; cat; exit 3");
    request.environment = {"INLAY_WORD=err"};
    const auto end = run_command(request);
    REQUIRE(end);
    CHECK(end->output == "out\nerr\n");
    CHECK(end->status == 3);
    CHECK_FALSE(end->succeeded());
    const auto killed = run_command(shell("kill -9 $$"));
    REQUIRE(killed);
    CHECK(killed->signal == SIGKILL);
    CHECK_FALSE(killed->succeeded());
    const auto good = run_command(shell("true"));
    REQUIRE(good);
    CHECK(good->succeeded());
}

TEST_CASE("more output than is kept is read all the same [codegen.command.end]") {
    auto request = shell(
        "i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890123456789012345678901234567890123456789; "
        "i=$((i+1)); done");
    request.most_output = 100;
    const auto end = run_command(request);
    REQUIRE(end);
    CHECK(end->succeeded());
    CHECK(end->output.size() == 100);
}

TEST_CASE("a program that there is not is said to be none [codegen.command.missing]") {
    command_request r;
    r.words = {"inlay-no-such-program"};
    const auto end = run_command(r);
    REQUIRE_FALSE(end);
    CHECK(end.failure().message == "the program 'inlay-no-such-program' cannot be started: No such file or directory");
}

TEST_CASE("a command that takes too long is killed with what it started, and so is what it left behind [codegen.command.late]") {
    // Each says the number of a process that sleeps.
    for (const char* text : {"sleep 100 & echo $!; wait", "sleep 100 & echo $!"}) {
        auto request = shell(text);
        request.seconds = 0.5;
        const double before = detail::steady_seconds();
        const auto end = run_command(request);
        REQUIRE(end);
        CHECK(detail::steady_seconds() - before < 30);
        CHECK(end->is_late == (std::string(text).find("wait") != std::string::npos));
        CHECK(is_gone_soon(std::stoi(end->output)));
    }
}

TEST_CASE("a command and what it started end with the process that runs it, even where that is killed [codegen.command.orphan]") {
    const inlay_test::temporary_folder folder;
    const std::string file = folder / "sleeper";
    const pid_t runner = fork();
    if (runner == 0) {
        (void)run_command(shell("sleep 100 & echo $! > " + file + ".part; mv " + file + ".part " + file + "; wait"));
        _exit(0);
    }
    int sleeper = 0;
    for (int i = 0; i < 1000 && sleeper == 0; ++i) {
        std::ifstream(file) >> sleeper;
        usleep(10000);
    }
    kill(runner, SIGKILL);
    waitpid(runner, nullptr, 0);
    REQUIRE(sleeper > 0);
    CHECK(is_gone_soon(sleeper));
}
