// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/kernel/kernel_store.hpp>

#include <doctest/doctest.h>

#include "../nest_backends.hpp"

using namespace inlay;

namespace {

digest key_of(const ir_module& m, std::string_view maker = "toy") {
    const toys::sample_region r(m);
    return code_key(r.view(), maker);
}

ir_module sum_of(const char* op, float constant, bool constant_first = false, attribute_map how = {}) {
    return toys::program_of(toys::image(), [&](ir_builder& b, node_id x) {
        const node_id c = b.constant(tensor::of({1, 3, 2, 2}, toys::twelve(constant, 1)));
        return constant_first ? b.call(op, {c, x}, how, toys::image()) : b.call(op, {x, c}, how, toys::image());
    });
}

}  // namespace

TEST_CASE("keys of code tell apart makers, operators, attributes, order of operands, constants and formats, and nothing else") {
    const digest one = key_of(sum_of("onnx.Add", 1));
    CHECK(one == key_of(sum_of("onnx.Add", 1)));
    CHECK(one != key_of(sum_of("onnx.Add", 1), "toy -lanes=8"));
    CHECK(one != key_of(sum_of("onnx.Mul", 1)));
    CHECK(one != key_of(sum_of("onnx.Add", 2)));
    CHECK(one != key_of(sum_of("onnx.Add", 1, true)));
    CHECK(one != key_of(sum_of("onnx.Add", 1, false, {{"axis", std::int64_t{1}}})));
    toys::sample_region blocked(sum_of("onnx.Add", 1));
    blocked.formats.results[0].order = layout::channels_last();
    CHECK(one != code_key(blocked.view(), "toy"));
}

TEST_CASE("code with one key is made once, runs wherever it was given, and outlives what keeps it") {
    const toys::sample_region sum(toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
        return b.call("onnx.Add", {x, x}, {}, toys::image());
    }));
    std::size_t made = 0;
    const auto make = [&] {
        ++made;
        auto k = toys::elementwise_kernel(sum.view());
        if (k) k->note = "first";
        if (k) k->workspace_bytes = 64;
        if (k) k->view_of = {-1};
        return k;
    };
    std::vector<kernel> kernels;
    {
        kernel_store kept;
        for (int i = 0; i < 2; ++i) {
            auto k = kept.get(code_key(sum.view(), "toy"), make);
            REQUIRE(k.has_value());
            kernels.push_back(*std::move(k));
        }
        CHECK(made == 1);
        CHECK(kept.size() == 1);
        CHECK_FALSE(kept.get(digest{1, 2}, [] { return outcome<kernel>(error{"no"}); }).has_value());
        CHECK(kept.size() == 1);
    }
    for (const kernel& k : kernels) {
        CHECK(k.note == "first");
        CHECK(k.workspace_bytes == 64);
        CHECK(k.view_of == std::vector<std::int32_t>{-1});
        CHECK(toys::run(k, {toys::twelve(0, 1)}) == toys::twelve(0, 2));
    }
}
