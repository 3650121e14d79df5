// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cuda/opened_once.hpp>

#include <string>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

struct counted {
    std::string file;
    int number = 0;

    static outcome<counted> open(const std::string& file) {
        static int count = 0;
        ++count;
        if (file.empty()) return error{"no file, asked " + std::to_string(count) + " times"};
        return counted{file, count};
    }
};

}  // namespace

TEST_CASE("each file is opened once, and an error stays one") {
    const outcome<counted>* const first = &detail::opened_once<counted>("a");
    CHECK((*first)->file == "a");
    const outcome<counted>* const none = &detail::opened_once<counted>("");
    CHECK(none->failure().message == "no file, asked 2 times");
    CHECK(&detail::opened_once<counted>("a") == first);
    CHECK(&detail::opened_once<counted>("") == none);
    CHECK(detail::opened_once<counted>("b")->number == 3);
}
