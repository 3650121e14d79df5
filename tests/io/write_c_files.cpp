// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/write_c_files.hpp>

#include <vector>

#include <doctest/doctest.h>
#include <inlay/io/read_file.hpp>

#include "temporary_folder.hpp"

using namespace inlay;

TEST_CASE("files of a program are written below a folder, and a folder that cannot be is named") {
    const inlay_test::temporary_folder folder;
    const std::vector<c_file> files{{"net.c", "int x;\n"}, {"check/input_0.bin", "abc"}};
    REQUIRE(write_c_files(folder / "new/one", files));
    REQUIRE(write_c_files(folder / "new/one", files));
    CHECK(*read_file(folder / "new/one/net.c") == "int x;\n");
    CHECK(*read_file(folder / "new/one/check/input_0.bin") == "abc");
    const auto refused = write_c_files(folder / "new/one/net.c", files);
    REQUIRE_FALSE(refused);
    CHECK(refused.failure().message.find("net.c") != std::string::npos);
}
