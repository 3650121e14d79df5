// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/plugin/load_folders.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("folders and libraries of which nothing comes are named with the reason") {
    const std::string folder = (std::filesystem::temp_directory_path() / "inlay_load_folders_test").string();
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/broken.so") << "no library";
    loading_options how;
    how.trial.executable = folder + "/tries";
    std::ofstream(how.trial.executable) << "#!/bin/sh\nshift\nfor f in \"$@\"; do printf .; done\n";
    std::filesystem::permissions(how.trial.executable, std::filesystem::perms::owner_all);
    const std::vector<std::string> folders{folder + "/nowhere", folder};
    how.apart = {"other"};
    const loaded_folders found = load_folders(folders, how);
    CHECK(found.backends.empty());
    CHECK(found.not_found == std::vector<std::string>{"other"});
    REQUIRE(found.skipped.size() == 2);
    CHECK(found.skipped[0].file == folder + "/nowhere");
    CHECK(found.skipped[0].reason.find("No such file") != std::string::npos);
    CHECK(found.skipped[1].file == folder + "/broken.so");
    CHECK(found.skipped[1].reason.starts_with("a shared library cannot be loaded: "));
    std::filesystem::remove_all(folder);
}

TEST_CASE("libraries that are kept apart are named by their files, or all at once") {
    loading_options how;
    CHECK(!how.keeps_apart("/a/b/vector_c.so"));
    how.apart = {"vector_c"};
    CHECK(how.keeps_apart("/a/b/vector_c.so"));
    CHECK(how.keeps_apart("vector_c.so"));
    CHECK(!how.keeps_apart("/vector_c/other.so"));
    how.apart = {"all"};
    CHECK(how.keeps_apart("/vector_c/other.so"));
}
