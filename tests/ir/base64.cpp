// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ir/base64.hpp>

#include <string>

#include <doctest/doctest.h>

using namespace inlay;

namespace {
std::string coded(std::string_view bytes) {
    std::string text;
    write_base64(text, bytes);
    return text;
}
}  // namespace

TEST_CASE("base64 is that of RFC 4648") {
    CHECK(coded("").empty());
    CHECK(coded("f") == "Zg==");
    CHECK(coded("fo") == "Zm8=");
    CHECK(coded("foo") == "Zm9v");
    CHECK(coded("foob") == "Zm9vYg==");
    CHECK(coded("\xFB\xFF\xFE") == "+//+");
}

TEST_CASE("any bytes read back") {
    std::string bytes;
    for (int i = 0; i < 300; ++i) {
        CHECK(read_base64(coded(bytes)) == bytes);
        bytes += static_cast<char>(i * 7);
    }
}

TEST_CASE("what is no base64 is refused") {
    for (const char* text : {"Z", "Zg", "Zg=", "Zg=g", "====", "Z===", "Zg==Zg==", "Z g=", "Zm9v\n", "Zm9-"})
        CHECK_FALSE(read_base64(text));
}
