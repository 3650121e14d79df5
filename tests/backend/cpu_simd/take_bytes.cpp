// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "take_bytes.hpp"

#include <algorithm>
#include <string>

#include <inlay/core/buffer.hpp>
#include <inlay/ops/interpret/interpret.hpp>

namespace cpu_simd_test {

using namespace inlay;

tensor some_bytes(picker& pick, const extents& shape, bool is_signed) {
    tensor t(is_signed ? element_type::int8 : element_type::uint8, shape);
    for (std::byte* at = t.data(); at != t.data() + t.bytes(); ++at) {
        const std::int64_t kind = pick(0, 19);
        *at = static_cast<std::byte>(kind == 0 ? (is_signed ? 0x80 : 0x00) : kind == 1 ? (is_signed ? 0x7F : 0xFF) : pick(0, 255));
    }
    return t;
}

std::vector<std::uint8_t> run_bytes(const kernel& k, const candidate& c, const std::vector<tensor>& inputs, const tensor& meant,
                                    executor_ref executor) {
    std::vector<std::vector<std::uint8_t>> in;
    std::vector<const void*> addresses;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        in.emplace_back(inputs[i].bytes());
        const auto* given = reinterpret_cast<const std::uint8_t*>(inputs[i].data());
        for (std::size_t e = 0; e < in.back().size(); ++e) in.back()[place(inputs[i].extents(), c.formats.inputs[i].order, e)] = given[e];
    }
    for (const auto& one : in) addresses.push_back(one.data());
    std::vector<std::uint8_t> out(meant.bytes(), 0xA5), y(meant.bytes());
    buffer workspace(k.workspace_bytes);
    std::fill(workspace.data(), workspace.data() + workspace.size(), std::byte{0xFF});
    void* results[] = {out.data()};
    run_arguments a;
    a.inputs = addresses.data();
    a.results = results;
    a.workspace = workspace.data();
    a.executor = executor;
    CHECK(k(a));
    for (std::size_t e = 0; e < y.size(); ++e) y[e] = out[place(meant.extents(), c.formats.results[0].order, e)];
    return y;
}

tensor interpreted_bytes(const ir_module& program, const std::vector<tensor>& inputs) {
    const auto meant = interpret(program, inputs);
    REQUIRE_MESSAGE(meant.has_value(), meant.failure().message);
    return meant->front();
}

std::size_t expect_bytes(const ir_module& program, const std::vector<tensor>& inputs) {
    const tensor meant = interpreted_bytes(program, inputs);
    const auto* first = reinterpret_cast<const std::uint8_t*>(meant.data());
    const std::vector<std::uint8_t> wanted(first, first + meant.bytes());
    std::size_t kernels = 0;
    for (const std::string& isa : tested_sets()) {
        CAPTURE(isa);
        cpu_simd self;
        self.isa = isa;
        self.threads = 3;
        const sized_match match = largest_match(self, program);
        REQUIRE_MESSAGE(!match.ways.empty(), match.refusal);
        for (const candidate& c : match.ways) {
            CAPTURE(text(c.formats));
            REQUIRE(c.view().input_count == inputs.size());
            const auto k = emit_composite(self, {c.composite, &c.match->plan, c.view()});
            REQUIRE_MESSAGE(k.has_value(), k.failure().message);
            CAPTURE(k->note);
            CHECK(run_bytes(*k, c, inputs, meant) == wanted);
            backwards_executor pieces;
            CHECK(run_bytes(*k, c, inputs, meant, executor_ref(pieces)) == wanted);
            ++kernels;
        }
    }
    return kernels;
}

}  // namespace cpu_simd_test
