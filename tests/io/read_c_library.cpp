// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/read_c_library.hpp>

#include <doctest/doctest.h>
#include <inlay/io/write_file.hpp>

#include "temporary_folder.hpp"

using namespace inlay;

TEST_CASE("a library's headers and sources are read from its folder, and one that is missing is named") {
    const inlay_test::temporary_folder folder;
    REQUIRE(write_file(folder / "npu.h", "int npu(void);\n"));
    REQUIRE(write_file(folder / "npu.c", "int npu(void) { return 1; }\n"));
    const auto found = read_c_library(folder.path(), {"npu.h"}, {"npu.c"});
    REQUIRE(found);
    CHECK(found->headers == std::vector<c_header>{{"npu.h", "int npu(void);\n"}});
    CHECK(found->sources == std::vector<c_source>{{"npu.c", "int npu(void) { return 1; }\n"}});
    for (const auto& refused : {read_c_library(folder.path(), {"npu.h", "more.h"}, {}), read_c_library(folder.path(), {}, {"more.h"})}) {
        REQUIRE_FALSE(refused);
        CHECK(refused.failure().message.find("more.h") != std::string::npos);
    }
}
