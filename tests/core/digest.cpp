// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/core/digest.hpp>

#include <bit>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

static_assert(inlay::digest{} == inlay::digest{0, 0});
static_assert(inlay::digest{0, 1} < inlay::digest{1, 0}, "the high word counts first");
static_assert(inlay::digest_builder().add(std::uint64_t{1}).finish() != inlay::digest_builder().add(std::uint64_t{2}).finish(),
              "numbers can be digested at compile time");
static_assert(inlay::digest_builder().add(-0.0).finish() != inlay::digest_builder().add(0.0).finish(), "numbers count by their bits");

namespace {
inlay::digest of(std::string_view a, std::string_view b) { return inlay::digest_builder().add(a).add(b).finish(); }
}  // namespace

TEST_CASE("a digest prints as 32 digits, the high word first") {
    CHECK(inlay::to_string({0x0123'4567'89ab'cdefull, 0xfedc'ba98'7654'3210ull}) == "0123456789abcdeffedcba9876543210");
    CHECK(inlay::to_string(inlay::digest{}) == std::string(32, '0'));
}

TEST_CASE("equal fields give equal digests, and finishing twice gives the same") {
    inlay::digest_builder b;
    b.add(std::string_view("conv")).add(std::int64_t{-3});
    CHECK(b.finish() == b.finish());
    CHECK(b.finish() == inlay::digest_builder().add(std::string_view("conv")).add(std::int64_t{-3}).finish());
}

TEST_CASE("where one field ends and the next begins is part of the content") {
    CHECK(of("ab", "c") != of("a", "bc"));
    CHECK(of("", "abc") != of("abc", ""));
    CHECK(of(std::string_view("\0", 1), "") != of("", ""));
    CHECK(of("12345678", "") != of("", "12345678"));
    CHECK(of("a", "b") != of("b", "a"));
}

TEST_CASE("a text and the same bytes are the same field") {
    const char bytes[] = {'x', 'y', 'z'};
    CHECK(inlay::digest_builder().add_bytes(bytes, 3).finish() == inlay::digest_builder().add(std::string_view("xyz")).finish());
    CHECK(inlay::digest_builder().add_bytes(nullptr, 0).finish() == inlay::digest_builder().add(std::string_view()).finish());
}

TEST_CASE("numbers near zero, their sequences and their counts have digests of their own, in either half") {
    std::set<inlay::digest> whole;
    std::set<std::uint64_t> high, low;
    const auto note = [&](const inlay::digest& d) {
        whole.insert(d);
        high.insert(d.high);
        low.insert(d.low);
    };
    for (std::int64_t a = -50; a <= 50; ++a)
        for (std::int64_t b = -50; b <= 50; ++b) note(inlay::digest_builder().add(a).add(b).finish());
    inlay::digest_builder zeros;
    for (int i = 0; i < 100; ++i) {
        if (i != 2) note(zeros.finish());
        zeros.add(std::uint64_t{0});
    }
    CHECK(whole.size() == 101 * 101 + 99);
    CHECK(high.size() == whole.size());
    CHECK(low.size() == whole.size());
}

TEST_CASE("a flipped bit flips about half of the digest's bits") {
    std::uint64_t flipped = 0;
    for (unsigned bit = 0; bit < 64; ++bit) {
        const inlay::digest a = inlay::digest_builder().add(std::uint64_t{42}).add(std::uint64_t{0}).finish();
        const inlay::digest b = inlay::digest_builder().add(std::uint64_t{42}).add(std::uint64_t{1} << bit).finish();
        const auto change = static_cast<std::uint64_t>(std::popcount(a.high ^ b.high) + std::popcount(a.low ^ b.low));
        CHECK(change > 24);
        flipped += change;
    }
    CHECK(flipped > 64 * 56);
    CHECK(flipped < 64 * 72);
}

TEST_CASE("every byte of a large block counts, and so does where it stands") {
    std::set<inlay::digest> seen;
    const auto note = [&](const std::vector<unsigned char>& bytes) {
        CHECK(seen.insert(inlay::digest_builder().add_bytes(bytes.data(), bytes.size()).finish()).second);
    };
    for (const std::size_t size : {510u, 511u, 512u, 513u, 519u, 520u, 543u, 544u, 1000u}) {
        std::vector<unsigned char> bytes(size, 0);
        note(bytes);
        for (std::size_t i = 0; i < size; ++i) {
            bytes[i] = 1;
            note(bytes);
            bytes[i] = 0;
        }
    }
}

TEST_CASE("a digest reads back from its text, and other texts are none") {
    const inlay::digest d = inlay::digest_builder().add("something").finish();
    CHECK(inlay::read_digest(to_string(d)) == d);
    CHECK(!inlay::read_digest(""));
    CHECK(!inlay::read_digest(to_string(d) + "0"));
    CHECK(!inlay::read_digest("0123456789ABCDEF0123456789abcdef"));
    CHECK(!inlay::read_digest("0123456789abcdeg0123456789abcdef"));
}
