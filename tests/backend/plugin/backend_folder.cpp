// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/plugin/backend_folder.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("the libraries of a folder come in the order of their names, and nothing else does") {
    const std::string folder = (std::filesystem::temp_directory_path() / "inlay_backend_folder_test").string();
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder + "/deeper.so");
    for (const char* name : {"b.so", "a.so", "10.so", ".hidden.so", "c.so.1", "readme"}) std::ofstream(folder + "/" + name) << "x";
    const auto listed = libraries_in(folder);
    REQUIRE(listed);
    CHECK(*listed == std::vector<std::string>{folder + "/10.so", folder + "/a.so", folder + "/b.so"});
    std::filesystem::remove_all(folder);
    const auto gone = libraries_in(folder);
    REQUIRE(!gone);
    CHECK(gone.failure().message == "the folder of back ends '" + folder + "' cannot be read: No such file or directory");
}

TEST_CASE("a list of folders is split at colons") {
    CHECK(folders_of_path("/a:b/c::/d:") == std::vector<std::string>{"/a", "b/c", "/d"});
    CHECK(folders_of_path("").empty());
    CHECK(folders_of_path(":").empty());
}
