// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/write_file.hpp>

#include <filesystem>
#include <string>

#include <unistd.h>

#include <doctest/doctest.h>
#include <inlay/io/read_file.hpp>

#include "temporary_folder.hpp"

using namespace inlay;

static std::size_t files_in(const std::string& folder) {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) count += entry.is_regular_file() ? 1 : 0;
    return count;
}

TEST_CASE("a file is written, replaced, and nothing is left beside it") {
    const inlay_test::temporary_folder folder;
    REQUIRE(write_file(folder / "a", "one"));
    REQUIRE(write_file(folder / "a", std::string("t\0wo", 4)));
    CHECK(*read_file(folder / "a") == std::string("t\0wo", 4));
    CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("a link is followed, and a file keeps its mode") {
    const inlay_test::temporary_folder folder;
    REQUIRE(write_file(folder / "real", "old"));
    std::filesystem::permissions(folder / "real", std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    std::filesystem::create_symlink("real", folder / "link");
    REQUIRE(write_file(folder / "link", "new"));
    CHECK(std::filesystem::is_symlink(folder / "link"));
    CHECK(*read_file(folder / "real") == "new");
    CHECK(std::filesystem::status(folder / "real").permissions() ==
          (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
}

TEST_CASE("a new file is readable as any other") {
    const inlay_test::temporary_folder folder;
    REQUIRE(write_file(folder / "a", "x"));
    const auto mask = ::umask(0);
    ::umask(mask);
    CHECK(static_cast<unsigned>(std::filesystem::status(folder / "a").permissions()) == (0666u & ~static_cast<unsigned>(mask)));
}

TEST_CASE("what cannot be written is named, and leaves what stood there") {
    const inlay_test::temporary_folder folder;
    const auto absent = write_file(folder / "none/a", "x");
    REQUIRE_FALSE(absent);
    CHECK(absent.failure().message == "'" + (folder / "none/a") + "': the file cannot be written: No such file or directory");
    std::filesystem::create_directory(folder / "d");
    CHECK_FALSE(write_file(folder / "d", "x"));
    CHECK_FALSE(write_file("", "x"));
    CHECK(files_in(folder.path()) == 0);
}

TEST_CASE("a device is written to as it stands, and a full one is told") {
    CHECK(write_file("/dev/null", "x"));
    const auto full = write_file("/dev/full", "x");
    REQUIRE_FALSE(full);
    CHECK(full.failure().message == "'/dev/full': the file cannot be written: No space left on device");
}
