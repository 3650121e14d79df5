// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/xnnpack/program.hpp>

#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

int setups = 0;

xnn_status counted_copy(xnn_operator_t op, const detail::xnnpack_sizes& z, const float* const* in, float* out, pthreadpool_t pool) {
    ++setups;
    return xnn_setup_copy_nc_x32(op, z.batch, in[0], out, pool);
}

}  // namespace

TEST_CASE("operators run in order and are set up again only for other addresses") {
    REQUIRE(xnn_initialize(nullptr) == xnn_status_success);
    detail::xnnpack_program program(nullptr, false);
    const auto kept = program.constant({7, 8});
    REQUIRE(kept.has_value());
    REQUIRE(program.step({"copy", counted_copy, {}, {{0, nullptr}}}, xnn_create_copy_nc_x32, 2, 2, 2));
    REQUIRE(program.step({"copy", counted_copy, {}, {{0, *kept}}, 2}, xnn_create_copy_nc_x32, 2, 2, 2));
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
    const auto made = program.step({"copy of nothing", counted_copy}, xnn_create_copy_nc_x32, 0, 0, 0);
    REQUIRE_FALSE(made.has_value());
    CHECK(made.failure().message.find("copy of nothing: a parameter is invalid") != std::string::npos);
    CHECK(program.flags() == 0);
}
