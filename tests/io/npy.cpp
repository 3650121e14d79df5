// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/npy.hpp>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "temporary_folder.hpp"

using namespace inlay;

/// A file of version 1 with this header and these bytes behind it.
static std::string file(const std::string& header, const std::string& data = {}) {
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(header.size() % 256);
    bytes += static_cast<char>(header.size() / 256);
    return bytes + header + data;
}

static std::string refused(const std::string& bytes) {
    const auto read = read_npy(bytes);
    return read ? std::string() : read.failure().message;
}

TEST_CASE("every element type and rank survives writing and reading") {
    for (const element_type e :
         {element_type::float16, element_type::float32, element_type::float64, element_type::int8, element_type::int16, element_type::int32,
          element_type::int64, element_type::uint8, element_type::uint16, element_type::uint32, element_type::uint64})
        for (const auto& extents : std::vector<std::vector<std::int64_t>>{{}, {0}, {5}, {2, 3}, {2, 1, 3, 2}}) {
            tensor t(e, extents);
            for (std::size_t i = 0; i < t.bytes(); ++i) t.data()[i] = static_cast<std::byte>(i * 37);
            const auto bytes = write_npy(t);
            REQUIRE(bytes);
            CHECK((bytes->size() - t.bytes()) % 64 == 0);
            const auto back = read_npy(*bytes);
            REQUIRE(back);
            CHECK(back->element() == e);
            CHECK(back->extents() == extents);
            CHECK(back->content() == t.content());
        }
}

TEST_CASE("bool and bfloat16 come back as their values") {
    const std::string bytes = file("{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }\n", std::string("\0\x01\x07", 3));
    const auto read = read_npy(bytes);
    REQUIRE(read);
    CHECK(read->as<std::uint8_t>()[1] == 1);
    CHECK(read->as<std::uint8_t>()[2] == 1);

    tensor half(element_type::bfloat16, {2});
    half.as<std::uint16_t>()[0] = 0x3F80;
    half.as<std::uint16_t>()[1] = 0xC040;
    const auto back = read_npy(*write_npy(half));
    REQUIRE(back);
    CHECK(back->as<float>()[0] == 1.0f);
    CHECK(back->as<float>()[1] == -3.0f);
}

TEST_CASE("either order of axes and of bytes is read") {
    const std::string data("\x01\x02\x03\x04\x05\x06", 6);
    const auto columns = read_npy(file("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }\n", data));
    REQUIRE(columns);
    const std::vector<std::uint8_t> found(columns->as<std::uint8_t>().begin(), columns->as<std::uint8_t>().end());
    CHECK(found == std::vector<std::uint8_t>{1, 3, 5, 2, 4, 6});
    const auto big = read_npy(file("{\"shape\": (1,), \"fortran_order\": False, \"descr\": \">u2\"}", std::string("\x01\x02", 2)));
    REQUIRE(big);
    CHECK(big->as<std::uint16_t>()[0] == 0x0102);
    std::string second("\x93NUMPY\x02\x00\x34\x00\x00\x00", 12);
    second += "{'descr': '<i2', 'fortran_order': False, 'shape': ()}";
    second[8] = static_cast<char>(second.size() - 12);
    const auto scalar = read_npy(second + std::string("\x05\x00", 2));
    REQUIRE(scalar);
    CHECK(scalar->rank() == 0);
    CHECK(scalar->as<std::int16_t>()[0] == 5);
}

TEST_CASE("hostile headers are refused without allocation") {
    const std::string huge = "{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 4), }";
    CHECK(refused(file(huge)).find("its header cannot be read") != std::string::npos);
    CHECK(refused(file("{'descr': '<f8', 'fortran_order': False, 'shape': (100000000000, 100000000000), }")).find("its shape") !=
          std::string::npos);
    CHECK(refused(file("{'descr': '<f8', 'fortran_order': False, 'shape': (268435456,), }")).find("its shape") != std::string::npos);
    CHECK(refused(file("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }", "abcd")).find("cannot be read") != std::string::npos);
    CHECK(refused(file("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "abcd")).find("its shape") != std::string::npos);
    CHECK(refused(file("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", "abcd")).find("cannot be read") !=
          std::string::npos);
    CHECK(refused(file("{'descr': '<f4', 'shape': (1,), }", "abcd")).find("cannot be read") != std::string::npos);
    CHECK(refused(file("__import__('os').system('x')")).find("cannot be read") != std::string::npos);
    CHECK(refused("").find("does not begin as one") != std::string::npos);
    CHECK(refused(std::string("\x93NUMPY\x09\x00\x00\x00", 10)).find("version 9") != std::string::npos);
    CHECK(refused(std::string("\x93NUMPY\x01\x00\xFF\xFF", 10)).find("more bytes than there are") != std::string::npos);
    CHECK(refused(std::string("\x93NUMPY\x02\x00\xFF\xFF", 10)).find("ends in its header") != std::string::npos);
    CHECK(refused(file("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "abcd")) ==
          "the array's element type '|O' is not supported; save it as numbers or bool");
}

TEST_CASE("a mutated file is read or refused, never worse") {
    const std::string good = *write_npy(tensor::of({2, 2}, std::vector<float>{1, 2, 3, 4}));
    CHECK(rc::check("one byte changed, or the end cut off", [&](std::size_t at, unsigned char to, std::size_t length) {
        std::string bad = good.substr(0, length % (good.size() + 1));
        if (!bad.empty()) bad[at % bad.size()] = static_cast<char>(to);
        const auto read = read_npy(bad);
        RC_ASSERT(read.has_value() || !read.failure().message.empty());
    }));
}

TEST_CASE("files are named in errors") {
    const inlay_test::temporary_folder folder;
    const tensor t = tensor::of({2}, std::vector<float>{1, 2});
    REQUIRE(save_npy(folder / "t.npy", t));
    CHECK(load_npy(folder / "t.npy")->content() == t.content());
    REQUIRE(write_file(folder / "bad.npy", "no"));
    CHECK(load_npy(folder / "bad.npy").failure().message ==
          "'" + (folder / "bad.npy") + "': the file is no NumPy array: it does not begin as one");
    CHECK_FALSE(save_npy(folder / "u.npy", tensor()));
}
