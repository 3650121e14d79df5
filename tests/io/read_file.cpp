// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/read_file.hpp>

#include <string>

#include <doctest/doctest.h>
#include <inlay/io/write_file.hpp>

#include "temporary_folder.hpp"

using namespace inlay;

TEST_CASE("a file is read whole") {
    const inlay_test::temporary_folder folder;
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{65536}, std::size_t{300001}}) {
        const std::string bytes(size, 'q');
        REQUIRE(write_file(folder / "f", bytes));
        const auto read = read_file(folder / "f");
        REQUIRE(read);
        CHECK(*read == bytes);
    }
}

TEST_CASE("what cannot be read is named") {
    const inlay_test::temporary_folder folder;
    const auto missing = read_file(folder / "missing");
    REQUIRE_FALSE(missing);
    CHECK(missing.failure().message == "'" + (folder / "missing") + "': the file cannot be read: No such file or directory");
    CHECK_FALSE(read_file(folder / "."));
    REQUIRE(write_file(folder / "long", std::string(100, 'x')));
    const auto too_long = read_file(folder / "long", 99);
    REQUIRE_FALSE(too_long);
    CHECK(too_long.failure().message.find("more than 99 bytes") != std::string::npos);
    CHECK(read_file(folder / "long", 100));
}

TEST_CASE("a device without an end is not read for ever") { CHECK_FALSE(read_file("/dev/zero", 1000000)); }
