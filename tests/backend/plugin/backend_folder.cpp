// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/plugin/backend_folder.hpp>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <sys/stat.h>

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

TEST_CASE("pipes, devices and files that are too large are no libraries, and none of them is read") {
    const std::string folder = (std::filesystem::temp_directory_path() / "inlay_no_library_test").string();
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder + "/inner");
    REQUIRE(mkfifo((folder + "/pipe.so").c_str(), 0600) == 0);
    std::filesystem::create_symlink("/dev/zero", folder + "/zero.so");
    std::filesystem::create_symlink("inner", folder + "/inner.so");
    std::filesystem::create_symlink("nowhere", folder + "/lost.so");
    std::ofstream(folder + "/endless.so") << "x";
    std::filesystem::resize_file(folder + "/endless.so", std::uintmax_t{1} << 40);
    std::ofstream(folder + "/plain.so") << "x";
    CHECK(why_no_library(folder + "/pipe.so") == "it is no regular file, and so no library");
    CHECK(why_no_library(folder + "/zero.so") == "it is no regular file, and so no library");
    CHECK(why_no_library(folder + "/endless.so") == "it has 1099511627776 bytes; a library has at most 1 GiB");
    CHECK(why_no_library(folder + "/lost.so") == "it cannot be read: No such file or directory");
    CHECK(why_no_library(folder + "/plain.so").empty());
    const auto listed = libraries_in(folder);
    REQUIRE(listed);
    CHECK(listed->size() == 5);  // a link to a folder is a folder
    std::filesystem::remove_all(folder);
}

TEST_CASE("a list of folders is split at colons") {
    CHECK(folders_of_path("/a:b/c::/d:") == std::vector<std::string>{"/a", "b/c", "/d"});
    CHECK(folders_of_path("").empty());
    CHECK(folders_of_path(":").empty());
}
