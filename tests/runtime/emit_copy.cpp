// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/runtime/emit_copy.hpp>

#include <cstring>
#include <numeric>

#include <doctest/doctest.h>

#include "../codegen/device_toys.hpp"

using namespace inlay;
using namespace device_toys;

TEST_CASE("a tensor that changes memory and layout keeps its elements, whatever way it takes") {
    const backend_list<host, apart, second> backends;
    const std::vector<std::int64_t> image{2, 3, 2, 5};
    const layout layouts[] = {layout::plain(), layout::channels_last(), layout::channels_blocked(8)};
    const memory_scope scopes[] = {cpu_main, device_main, second::own};
    for (const memory_scope a : scopes)
        for (const memory_scope b : scopes)
            for (const layout& before : layouts)
                for (const layout& after : layouts) {
                    if (a == b) continue;
                    const format from{a, before, element_type::float32}, to{b, after, element_type::float32};
                    CAPTURE(to_string(from));
                    CAPTURE(to_string(to));
                    const auto made = emit_copy(backends, image, from, to);
                    REQUIRE_MESSAGE(made.has_value(), made.failure().message);
                    const bool over_the_cpu = a != cpu_main && b != cpu_main;
                    const std::size_t in = stored_bytes(image, from), out = stored_bytes(image, to);
                    CHECK(made->bytes == (over_the_cpu ? in + out : a == cpu_main ? out : in));
                    std::vector<float> plain(60), source(in / 4), found(out / 4, -1), expected(out / 4);
                    std::iota(plain.begin(), plain.end(), 1.0f);
                    const format row_major = plain_format(element_type::float32);
                    format laid = row_major;
                    laid.order = before;
                    REQUIRE(convert(image, row_major, laid, plain.data(), source.data()).has_value());
                    laid.order = after;
                    REQUIRE(convert(image, row_major, laid, plain.data(), expected.data()).has_value());
                    std::vector<std::byte> workspace(made->code.workspace_bytes + 64);
                    const void* inputs[] = {source.data()};
                    void* results[] = {found.data()};
                    run_arguments arguments;
                    arguments.inputs = inputs;
                    arguments.results = results;
                    arguments.workspace = workspace.data();
                    REQUIRE(made->code(arguments));
                    CHECK(found == expected);
                    CHECK(std::all_of(workspace.end() - 64, workspace.end(), [](std::byte one) { return one == std::byte{}; }));
                }
}

TEST_CASE("a copy that nobody offers is an error that names both formats") {
    const backend_list<host, apart> backends;
    const auto none = emit_copy(backends, {4}, plain_format(element_type::float32), {device_near, layout::plain(), element_type::float32});
    REQUIRE_FALSE(none.has_value());
    CHECK(none.failure().message ==
          "no back end that takes part copies a tensor from float32:plain to float32:plain@ext_dev.1; name the one whose device has that "
          "memory");
}
