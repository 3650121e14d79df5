// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ir/relay_tensor.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

std::string bytes_of(const tensor& t) {
    std::string bytes;
    write_relay_tensor(bytes, t);
    return bytes;
}
std::string fault_of(const std::string& bytes) {
    const auto read = read_relay_tensor(bytes);
    return read ? "" : read.failure().message;
}

}  // namespace

TEST_CASE("a tensor is written as TVM writes it") {
    const std::string bytes = bytes_of(tensor::of({2}, std::vector<std::int32_t>{1, -1}));
    const unsigned char wanted[] = {0x3F, 0xA1, 0xB4, 0x96, 0xF0, 0x40, 0x5E, 0xDD, 0, 0, 0,  0, 0, 0, 0,    0,    1,    0,   0,
                                    0,    0,    0,    0,    0,    1,    0,    0,    0, 0, 32, 1, 0, 2, 0,    0,    0,    0,   0,
                                    0,    0,    8,    0,    0,    0,    0,    0,    0, 0, 1,  0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF};
    CHECK(bytes == std::string(reinterpret_cast<const char*>(wanted), sizeof wanted));
}

TEST_CASE("tensors of all element types read back") {
    for (std::size_t i = 1; i < detail::element_table.size(); ++i) {
        const auto e = static_cast<element_type>(i);
        if (size_of(e) == 0) continue;
        for (const std::vector<std::int64_t>& extents : {std::vector<std::int64_t>{}, {2, 3}, {0, 4}}) {
            tensor t(e, extents);
            for (std::size_t b = 0; b < t.bytes(); ++b) t.data()[b] = static_cast<std::byte>(e == element_type::boolean ? b % 2 : b * 3);
            const auto read = read_relay_tensor(bytes_of(t));
            REQUIRE(read);
            CHECK(read->content() == t.content());
        }
    }
}

TEST_CASE("a truth value is 0 or 1, whatever byte stood for it") {
    std::string bytes = bytes_of(tensor::scalar(true));
    bytes.back() = 5;
    const auto read = read_relay_tensor(bytes);
    REQUIRE(read);
    CHECK(read->as<std::uint8_t>()[0] == 1);
}

TEST_CASE("every count and size is checked before anything is allocated") {
    const std::string good = bytes_of(tensor::of({2}, std::vector<float>{1, 2}));
    CHECK(fault_of(good).empty());
    for (std::size_t size = 0; size < good.size(); ++size) CHECK_FALSE(fault_of(good.substr(0, size)).empty());
    CHECK_FALSE(fault_of(good + "x").empty());
    const auto with = [&](std::size_t at, char byte) {
        std::string bad = good;
        bad[at] = byte;
        return fault_of(bad);
    };
    CHECK(with(0, 0) == "does not begin as a tensor does");
    CHECK(with(27, 0x7F) == "has fewer bytes than its header claims");
    CHECK(with(27, static_cast<char>(0x80)) == "has fewer bytes than its header claims");
    CHECK(with(28, 9) == "has elements of code 9 with 32 bits in 1 lanes, which are not read here");
    CHECK(with(29, 5) == "has elements of code 2 with 5 bits in 1 lanes, which are not read here");
    CHECK(with(30, 4) == "has elements of code 2 with 32 bits in 4 lanes, which are not read here");
    CHECK(with(39, 0x7F) == "has another number of bytes than its header claims");
    CHECK(with(39, static_cast<char>(0xFF)) == "has another number of bytes than its header claims");
    CHECK(with(40, 9) == "has another number of bytes than its header claims");
}
