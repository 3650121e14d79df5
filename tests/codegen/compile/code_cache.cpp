// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/compile/code_cache.hpp>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>

#include <doctest/doctest.h>

using namespace inlay;
namespace fs = std::filesystem;

namespace {

struct passing_cache : code_cache {
    passing_cache() {
        std::string name = (fs::temp_directory_path() / "inlay_code_XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        folder = name;
    }
    passing_cache(const passing_cache&) = delete;
    passing_cache& operator=(const passing_cache&) = delete;
    ~passing_cache() {
        std::error_code ignored;
        fs::remove_all(folder, ignored);
    }
    /// As if it had been asked for so long ago.
    void age(const digest& key, std::chrono::hours ago) const {
        fs::last_write_time(place_of(key), fs::file_time_type::clock::now() - ago);
    }
};

digest key(std::uint64_t number) { return {number, 1}; }

}  // namespace

TEST_CASE("a cache gives back what it was given, whole or not at all [codegen.compiler.cache]") {
    const passing_cache cache;
    CHECK_FALSE(cache.has(key(1)));
    REQUIRE(cache.keep(key(1), "first"));
    CHECK(cache.has(key(1)));
    CHECK_FALSE(cache.has(key(2)));
    const std::string whole = detail::bytes_of_file(cache.place_of(key(1)));
    CHECK(whole.starts_with("first"));
    for (std::size_t size = 0; size < whole.size(); ++size) {
        std::ofstream(cache.place_of(key(1)), std::ios::binary) << whole.substr(0, size);
        CHECK_FALSE(cache.has(key(1)));
    }
    std::ofstream(cache.place_of(key(2)), std::ios::binary) << whole;
    CHECK_FALSE(cache.has(key(2)));  // it is another's
    REQUIRE(cache.keep(key(2), ""));
    CHECK(cache.has(key(2)) == false);  // nothing is no library
    const code_cache nowhere;
    CHECK_FALSE(nowhere.keep(key(1), "first"));
    CHECK_FALSE(nowhere.has(key(1)));
    const code_cache closed{"/proc/inlay/code"};
    CHECK_FALSE(closed.keep(key(1), "first"));
}

TEST_CASE("a cache that grows too large loses what was not asked for for longest [codegen.compiler.cache]") {
    passing_cache cache;
    const std::string library(1000, 'x');
    cache.most_bytes = 3500;
    for (std::uint64_t i = 1; i <= 3; ++i) {
        REQUIRE(cache.keep(key(i), library));
        cache.age(key(i), std::chrono::hours(10 - i));
    }
    std::ofstream(cache.folder + "/other.txt") << std::string(10000, 'y');
    CHECK(cache.has(key(1)));  // is young again
    REQUIRE(cache.keep(key(4), library));
    CHECK_FALSE(cache.has(key(2)));
    for (const std::uint64_t there : std::initializer_list<std::uint64_t>{1, 3, 4}) CHECK(cache.has(key(there)));
    CHECK(fs::exists(cache.folder + "/other.txt"));
    REQUIRE(cache.keep(key(5), std::string(9000, 'z')));
    CHECK(cache.has(key(5)));
    for (const std::uint64_t gone : std::initializer_list<std::uint64_t>{1, 3, 4}) CHECK_FALSE(cache.has(key(gone)));
}
