// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/plugin/load_backend.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("what is no library, and a library that is no back end, are refused with the reason") {
    const std::string file = (std::filesystem::temp_directory_path() / "inlay_load_backend_test.so").string();
    std::ofstream(file) << "no library at all";
    const auto text = load_backend(file);
    REQUIRE(!text);
    CHECK(text.failure().message.starts_with("a shared library cannot be loaded: "));
    std::filesystem::remove(file);
    const auto other = load_backend("libm.so.6");
    REQUIRE(!other);
    CHECK(other.failure().message == "it exports no function 'inlay_backend_entry', and so is no back end for inlay");
}
