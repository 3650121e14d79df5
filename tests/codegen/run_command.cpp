// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/run_command.hpp>

#include <csignal>
#include <string>

#include <doctest/doctest.h>

using namespace inlay;

namespace {
command_request shell(const std::string& text) {
    command_request r;
    r.words = {"sh", "-c", text};
    return r;
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
        const int sleeper = std::stoi(end->output);
        bool is_gone = false;
        for (int i = 0; i < 1000 && !is_gone; ++i) {
            // Nobody may have taken notice of its end yet.
            const auto state = run_command(shell("cut -d')' -f2 /proc/" + std::to_string(sleeper) + "/stat 2>/dev/null | cut -c2"));
            is_gone = state && (state->output.empty() || state->output.front() == 'Z' || state->output.front() == '\n');
        }
        CHECK(is_gone);
    }
}
