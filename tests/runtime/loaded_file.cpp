// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/runtime/loaded_file.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

/// A note as it lies in a file.
std::vector<std::byte> note(std::uint32_t type, const std::string& name, const std::vector<unsigned>& content) {
    std::vector<std::byte> all(sizeof(ElfW(Nhdr)));
    const ElfW(Nhdr) head{static_cast<std::uint32_t>(name.size() + 1), static_cast<std::uint32_t>(content.size()), type};
    std::memcpy(all.data(), &head, sizeof head);
    for (const char c : name) all.push_back(static_cast<std::byte>(c));
    all.push_back(std::byte{0});
    while (all.size() % 4 != 0) all.push_back(std::byte{0});
    for (const unsigned n : content) all.push_back(static_cast<std::byte>(n));
    while (all.size() % 4 != 0) all.push_back(std::byte{0});
    return all;
}
std::vector<std::byte> joined(std::vector<std::byte> a, const std::vector<std::byte>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

}  // namespace

TEST_CASE("the build id is the note of that type and owner, wherever it lies") {
    const auto id = note(NT_GNU_BUILD_ID, "GNU", {0x00, 0x1f, 0xab});
    CHECK(detail::build_id_of(id) == "001fab");
    CHECK(detail::build_id_of(joined(note(NT_GNU_ABI_TAG, "GNU", {1, 2, 3, 4, 5}), id)) == "001fab");
    CHECK(detail::build_id_of(joined(note(NT_GNU_BUILD_ID, "stapsdt", {7}), id)) == "001fab");
    CHECK(detail::build_id_of(note(NT_GNU_BUILD_ID, "Go", {7})) == "");
    CHECK(detail::build_id_of({}) == "");
}

TEST_CASE("notes that end too early have no build id") {
    const auto id = note(NT_GNU_BUILD_ID, "GNU", {1, 2, 3, 4, 5, 6, 7, 8});
    for (std::size_t size = 0; size < id.size(); ++size) CHECK(detail::build_id_of({id.data(), size}) == "");
    auto huge = id;
    std::fill_n(huge.begin(), 8, std::byte{0xff});
    CHECK(detail::build_id_of(huge) == "");
}

TEST_CASE("an address is in the program, in a library, or in no file") {
    static const int of_program = 0;
    const auto program = loaded_file::of(&of_program);
    REQUIRE(program.has_value());
    CHECK(program->path == "");
    const auto library = loaded_file::of(stdout);
    REQUIRE(library.has_value());
    CHECK(library->path.find("libc.so") != std::string::npos);
    CHECK(library->build_id.size() >= 16);
    CHECK(library->build_id.find_first_not_of("0123456789abcdef") == std::string::npos);
    const int of_stack = 0;
    CHECK_FALSE(loaded_file::of(&of_stack).has_value());
    CHECK_FALSE(loaded_file::of(nullptr).has_value());
}

TEST_CASE("a version names the build of a shared library, and of the program only if none is stated") {
    static const int of_program = 0;
    const std::string id = loaded_file::of(stdout)->build_id.substr(0, 16);
    CHECK(library_version("2.6", stdout) == "2.6 build " + id);
    CHECK(library_version("", stdout) == "build " + id);
    CHECK(library_version("2.6", &of_program) == "2.6");
    const std::string own = loaded_file::of(&of_program)->build_id.substr(0, 16);
    CHECK(library_version("", &of_program) == (own.empty() ? "of unknown version" : "build " + own));
    CHECK(library_version("", nullptr) == "of unknown version");
}
