// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/xnnpack/program.hpp>

#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

int setups = 0;

/// A copy that counts how often it is set up.
constexpr detail::xnnpack_operator counted_copy = {
    "copy", detail::xnnpack_operators::copy.create, detail::xnnpack_operators::copy.reshape,
    [](xnn_operator_t op, const detail::xnnpack_parameters& p, void* workspace, const float* const* in, float* out, pthreadpool_t pool) {
        ++setups;
        return detail::xnnpack_operators::copy.setup(op, p, workspace, in, out, pool);
    }};

}  // namespace

TEST_CASE("operators run in order and are set up again only for other addresses") {
    REQUIRE(xnn_initialize(nullptr) == xnn_status_success);
    detail::xnnpack_program program(nullptr, false);
    const auto kept = program.constant({7, 8});
    REQUIRE(kept.has_value());
    const auto row = detail::xnnpack_parameters::of_rows(1, 2);
    REQUIRE(program.step({counted_copy, row, {{0, nullptr}}}));
    REQUIRE(program.step({counted_copy, row, {{0, *kept}}, 2}));
    const kernel k = detail::xnnpack_program::finish(std::move(program));
    CHECK(k.note == "copy");
    buffer x(8), first(16), second(16);
    const std::vector<float> one{1, 2};
    std::memcpy(x.data(), one.data(), 8);
    const auto run = [&](buffer& to) {
        const void* in[] = {x.data()};
        void* out[] = {to.data()};
        run_arguments a;
        a.inputs = in;
        a.results = out;
        CHECK(k(a));
        const auto* got = reinterpret_cast<const float*>(to.data());
        CHECK(std::vector<float>(got, got + 4) == std::vector<float>{1, 2, 7, 8});
    };
    setups = 0;
    run(first);
    run(first);
    CHECK(setups == 2);
    run(second);
    CHECK(setups == 4);
}

TEST_CASE("an operator that the library does not make is an error with its status") {
    REQUIRE(xnn_initialize(nullptr) == xnn_status_success);
    detail::xnnpack_program program(nullptr, true);
    detail::xnnpack_parameters p = detail::xnnpack_parameters::of_images({1, 1, 2, 2});
    p.groups = 0;
    const auto made = program.step({detail::xnnpack_operators::convolution, p});
    REQUIRE_FALSE(made.has_value());
    CHECK(made.failure().message.find("convolution2d_nhwc_f32: a parameter is invalid") != std::string::npos);
    CHECK(program.flags() == 0);
}
