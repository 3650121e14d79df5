// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/plan/partitioner.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

namespace {
const std::vector<std::string> kinds{"onednn", "reference"};
}

TEST_CASE("a partitioner's text reads back as the same one, and no two are equal") {
    const std::vector<partitioner> all{partitioner::exact(), partitioner::eager(), partitioner::exhaustive(), partitioner::single("onednn"),
                                       partitioner::single("reference")};
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto read = read_partitioner(to_string(all[i]), kinds);
        REQUIRE_MESSAGE(read.has_value(), read.failure().message);
        for (std::size_t j = 0; j < all.size(); ++j) CHECK((*read == all[j]) == (i == j));
    }
    CHECK(partitioner() == partitioner::exact());
}

TEST_CASE("only exact lets every back end have every node; a single one is exact about its own") {
    CHECK(partitioner::exact().is_exact());
    CHECK_FALSE(partitioner::single("onednn").is_exact());
    CHECK(partitioner::single("onednn").rule() == selection_rule::exact);
    CHECK(partitioner::single("onednn").kind() == "onednn");
    CHECK(partitioner::eager().rule() == selection_rule::eager);
    CHECK_FALSE(partitioner::eager().is_exact());
    CHECK_FALSE(partitioner::exhaustive().is_single());
}

TEST_CASE("what is no partitioner is refused with the nearest that is one") {
    CHECK(read_partitioner("exakt", kinds).failure().message ==
          "there is no partitioner 'exakt' (did you mean 'exact'?); write exact, eager, exhaustive or single:KIND");
    CHECK(read_partitioner("", kinds).failure().message.find("there is no partitioner ''") == 0);
    CHECK(read_partitioner("single:", kinds).failure().message.find("there is no partitioner 'single:'") == 0);
    CHECK(read_partitioner("single:onednm", kinds).failure().message.find("names a back end that takes no part") != std::string::npos);
    CHECK(read_partitioner("single:onednm", kinds).failure().message.find("'onednn'") != std::string::npos);
    CHECK_FALSE(read_partitioner("exact ", kinds));
    CHECK_FALSE(takes_part(partitioner::single("xnnpack"), kinds));
    CHECK(takes_part(partitioner::eager(), {}));
}

TEST_CASE("a plan is judged beside exact, eager and each back end by itself") {
    const auto all = usual_partitioners(kinds);
    REQUIRE(all.size() == 4);
    CHECK(to_string(all[0]) == "exact");
    CHECK(to_string(all[1]) == "eager");
    CHECK(to_string(all[3]) == "single:reference");
}
