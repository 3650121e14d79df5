// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/compile/compiler_lookup.hpp>

#include <cstddef>
#include <fstream>
#include <string>

#include <sys/stat.h>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

/// A program that answers for its version and counts how often it is asked.
struct counted_compiler {
    detail::passing_folder folder;
    std::string path = folder.path() + "/counted", count = folder.path() + "/count";

    counted_compiler() {
        std::ofstream(path) << "#!/bin/sh\necho x >> " << count << "\necho counted 1.0\n";
        chmod(path.c_str(), 0755);
    }
    [[nodiscard]] std::size_t asked() const { return detail::bytes_of_file(count).size() / 2; }
};

}  // namespace

TEST_CASE("a compiler is asked once, by all copies together") {
    const counted_compiler one;
    const compiler_lookup first;
    const compiler_lookup second = first;
    for (const compiler_lookup* each : {&first, &second, &first}) {
        const auto found = each->find(source_language::c99, one.path);
        REQUIRE(found);
        CHECK(found->version == "counted 1.0\n");
    }
    CHECK(one.asked() == 1);
    REQUIRE(first.find(source_language::cpp20, one.path));
    CHECK(one.asked() == 2);
    REQUIRE(compiler_lookup().find(source_language::c99, one.path));
    CHECK(one.asked() == 3);
}

TEST_CASE("that there is no such compiler is kept too") {
    const compiler_lookup lookup;
    for (int i = 0; i < 2; ++i) {
        const auto found = lookup.find(source_language::c99, "inlay-no-such-compiler");
        REQUIRE_FALSE(found);
        CHECK(found.failure().message.find("there is no compiler: ") == 0);
    }
}
