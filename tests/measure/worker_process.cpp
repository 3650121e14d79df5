// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/worker_process.hpp>

#include <fstream>
#include <string>

#include <sys/stat.h>

#include <doctest/doctest.h>

#include "../io/temporary_folder.hpp"

using namespace inlay;
using detail::worker_process;

namespace {

/// A script in the place of a worker, whose batch is at descriptor 3 and whose words go to descriptor 4.
struct script {
    inlay_test::temporary_folder folder;
    std::string path = folder / "worker";

    explicit script(const std::string& lines) {
        std::ofstream(path) << "#!/bin/sh\n" << lines << "\n";
        REQUIRE(::chmod(path.c_str(), 0700) == 0);
    }
};

/// Listens until no more can come, and gives the numbers heard; -1 for nonsense.
std::string words_of(worker_process& worker) {
    std::string heard;
    const auto hear = [&](wire_reader& r) {
        const auto number = r.get<std::uint32_t>();
        heard += r.at_end() ? std::to_string(number) + " " : "nonsense ";
        return r.at_end();
    };
    for (int rounds = 0; rounds < 2000 && worker.listen(20, hear); ++rounds) {}
    return heard;
}

const std::string seven("\4\0\0\0\7\0\0\0", 8);

}  // namespace

TEST_CASE("a worker has the batch behind its page, and what it says is heard in whole words") {
    const script echo("tail -c 8 <&3 >&4; printf '\\004\\000' >&4; sleep 0.05; printf '\\000\\000\\010\\000\\000\\000' >&4");
    worker_process worker;
    REQUIRE(worker.start(seven, echo.path, true));
    CHECK(worker.page().phase.load() == detail::worker_phase::starting);
    CHECK(words_of(worker) == "7 8 ");
    CHECK(worker.how_it_ended(false) == "ended with exit status 0");
}

TEST_CASE("nonsense ends the listening") {
    const script loud("printf '\\377\\377\\377\\377' >&4; exec sleep 60");
    worker_process worker;
    REQUIRE(worker.start(seven, loud.path, true));
    CHECK(words_of(worker).empty());
    CHECK(worker.how_it_ended(true).find("died by signal 9") == 0);
    const script odd("printf '\\002\\000\\000\\000ab' >&4; exec sleep 60");
    worker_process other;
    REQUIRE(other.start(seven, odd.path, true));
    CHECK(words_of(other) == "nonsense ");
}

TEST_CASE("how a worker ended is said in words, and one that lives on without its pipe is ended") {
    const script three("exit 3"), aborted("kill -6 $$"), deaf("exec 4>&-; exec sleep 60");
    worker_process exits, aborts, lingers;
    REQUIRE(exits.start(seven, three.path, false));
    REQUIRE(aborts.start(seven, aborted.path, true));
    REQUIRE(lingers.start(seven, deaf.path, true));
    CHECK(words_of(exits).empty());
    CHECK(exits.how_it_ended(false) == "ended with exit status 3");
    CHECK(words_of(aborts).empty());
    CHECK(aborts.how_it_ended(false).find("died by signal 6") == 0);
    CHECK(words_of(lingers).empty());
    CHECK(lingers.how_it_ended(false).find("died by signal 9") == 0);
}

TEST_CASE("an executable that there is not is an error with its name") {
    worker_process worker;
    const auto started = worker.start(seven, "/nowhere/worker", true);
    REQUIRE_FALSE(started.has_value());
    CHECK(started.failure().message.find("/nowhere/worker: No such file") != std::string::npos);
}

TEST_CASE("a descriptor is closed with its owner, and stands beyond those that a worker is given by number") {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    int number = -1;
    {
        detail::owned_descriptor one(ends[0]), two;
        two = std::move(one);
        CHECK(one.number() == -1);
        number = two.number();
        CHECK(number >= 10);
    }
    CHECK(::fcntl(number, F_GETFD) == -1);
    ::close(ends[1]);
}
