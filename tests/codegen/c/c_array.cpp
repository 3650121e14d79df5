// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/c/c_array.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <inlay/codegen/compile/system_compiler.hpp>

using namespace inlay;

namespace {

/// The bytes that a compiler makes of a tensor's array.
std::string compiled(const tensor& t) {
    const auto text = c_array(t, "it");
    REQUIRE(text);
    compiler_request how;
    how.source = "#include <math.h>\n#include <stdbool.h>\n#include <stdint.h>\n" + *text +
                 "const void* get(void);\nconst void* get(void) { return it; }\n";
    how.flags = {"-Wall", "-Wextra", "-Werror", "-pedantic"};
    const auto code = compile(how);
    REQUIRE_MESSAGE(code.has_value(), code.failure().message);
    return {static_cast<const char*>(code->function<const void*()>("get")()), t.bytes()};
}
std::string bytes_of(const tensor& t) { return {reinterpret_cast<const char*>(t.data()), t.bytes()}; }

}  // namespace

TEST_CASE("what a compiler reads is the tensor, to the last bit [c.array]") {
    const tensor reals = tensor::of<float>({8}, {0.0f, -0.0f, 1.0f / 3, -1e-45f, 3.4e38f, INFINITY, -INFINITY, 6});
    CHECK(compiled(reals) == bytes_of(reals));
    const tensor doubles = tensor::of<double>({3}, {0.1, -std::numeric_limits<double>::denorm_min(), 1e308});
    CHECK(compiled(doubles) == bytes_of(doubles));
    const tensor longs = tensor::of<std::int64_t>({4}, {INT64_MIN, INT64_MAX, -3000000000, 7});
    CHECK(compiled(longs) == bytes_of(longs));
    const tensor unsigned_longs = tensor::of<std::uint64_t>({2}, {UINT64_MAX, 1});
    CHECK(compiled(unsigned_longs) == bytes_of(unsigned_longs));
    const tensor ints = tensor::of<std::int32_t>({2}, {INT32_MIN, INT32_MAX});
    CHECK(compiled(ints) == bytes_of(ints));
    const tensor bytes = tensor::of<std::int8_t>({3}, {-128, 127, 0});
    CHECK(compiled(bytes) == bytes_of(bytes));
    tensor halves(element_type::float16, {2}), truths(element_type::boolean, {2});
    halves.data()[1] = std::byte{0x3c};
    truths.as<bool>()[1] = true;
    CHECK(compiled(halves) == bytes_of(halves));
    CHECK(compiled(truths) == bytes_of(truths));
}

TEST_CASE("a long array has lines that people can read, and an empty one an element [c.array]") {
    const auto text = c_array(tensor(element_type::float32, {100}), "w");
    REQUIRE(text);
    std::size_t longest = 0;
    for (std::size_t at = 0; at < text->size();) {
        const std::size_t end = text->find('\n', at);
        longest = std::max(longest, end - at);
        at = end + 1;
    }
    CHECK(longest <= 120);
    CHECK(*c_array(tensor(element_type::int32, {0}), "none") == "const int32_t none[1] = {0};\n");
    CHECK(c_array(tensor(element_type::string, {1}), "t").failure().message.find("C has no elements of type") == 0);
}
