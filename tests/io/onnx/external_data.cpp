// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/onnx/external_data.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <inlay/io/write_file.hpp>

#include "io/temporary_folder.hpp"

using namespace inlay;
using detail::external_place;

/// What reading gives: the bytes, or the error; asks for no memory where it refuses.
static std::string read(const detail::external_folder& folder, const external_place& place, std::size_t bytes) {
    std::string out;
    bool asked = false;
    const auto done = detail::read_external(folder, place, bytes, [&] {
        asked = true;
        out.resize(bytes);
        return reinterpret_cast<std::byte*>(out.data());
    });
    CHECK(asked == (done.has_value() && bytes != 0));
    return done ? out : "error: " + done.failure().message;
}

TEST_CASE("bytes are read from the stated place") {
    const inlay_test::temporary_folder folder;
    REQUIRE(write_file(folder / "w.bin", "0123456789"));
    CHECK(read(folder.path(), {"w.bin", "", ""}, 10) == "0123456789");
    CHECK(read(folder.path(), {"w.bin", "3", "4"}, 4) == "3456");
    CHECK(read(folder.path(), {"./w.bin", "10", "0"}, 0).empty());
    std::filesystem::create_directory(folder / "deep");
    REQUIRE(write_file(folder / "deep/w.bin", "ab"));
    CHECK(read(folder.path(), {"deep/w.bin", "", ""}, 2) == "ab");
}

TEST_CASE("no path leaves the folder") {
    const inlay_test::temporary_folder folder, elsewhere;
    REQUIRE(write_file(elsewhere / "secret", "0123456789"));
    std::filesystem::create_symlink(elsewhere / "secret", folder / "link");
    std::filesystem::create_symlink(elsewhere.path(), folder / "links");
    const std::string other = std::filesystem::path(elsewhere.path()).filename().string();
    for (const std::string& location :
         std::vector<std::string>{elsewhere / "secret", "../" + other + "/secret", "x/../../" + other + "/secret", "link", "links/secret",
                                  "", "..", "missing", std::string("w\0x", 3)})
        CHECK(read(folder.path(), {location, "", ""}, 10).find("which is no file inside the model's folder") != std::string::npos);
    CHECK(read(folder.path(), {".", "", ""}, 10) != "");
    CHECK(read(std::nullopt, {"w.bin", "", ""}, 10) == "error: keeps its data in the file 'w.bin'; give the folder of external data");
}

TEST_CASE("a claim beyond the file's end is refused before memory is asked for") {
    const inlay_test::temporary_folder folder;
    REQUIRE(write_file(folder / "w", "0123456789"));
    CHECK(read(folder.path(), {"w", "", ""}, std::size_t{1} << 40).find("which ends before offset 0 plus 1099511627776 bytes") !=
          std::string::npos);
    CHECK(read(folder.path(), {"w", "8", "4"}, 4).find("which ends before offset 8 plus 4 bytes") != std::string::npos);
    CHECK(read(folder.path(), {"w", "999999999999999999", ""}, 1).find("ends before") != std::string::npos);
    CHECK(read(folder.path(), {"w", "", "5"}, 4).find("has 5 bytes of external data where its shape asks for 4") != std::string::npos);
    for (const char* bad : {"-1", "1e3", "99999999999999999999999", " 1"}) {
        CHECK(read(folder.path(), {"w", bad, ""}, 1).find("states no number") != std::string::npos);
        CHECK(read(folder.path(), {"w", "", bad}, 1).find("states no number") != std::string::npos);
    }
}
