// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
// A back end of one's own: it takes a sum and the rectifier behind it as one kernel, says what that costs, and computes. The plan is
// linked into a program, which runs.
//
// Prints:
//   1 part, 1 kernel: mine.add_relu out
//   0 0 1 3
#include <algorithm>
#include <cstdio>

#include <inlay/inlay.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/pipeline.hpp>
#include <inlay/runtime/link.hpp>

using namespace inlay;

namespace {

struct add_relu {
    std::size_t count;
    [[nodiscard]] bool run(const run_arguments& arguments) const {
        const auto *a = static_cast<const float*>(arguments.inputs[0]), *b = static_cast<const float*>(arguments.inputs[1]);
        auto* out = static_cast<float*>(arguments.results[0]);
        for (std::size_t i = 0; i < count; ++i) out[i] = std::max(a[i] + b[i], 0.0f);
        return true;
    }
};

struct mine {
    static constexpr std::string_view kind = "mine", refines = "llvm";
    static constexpr device_type device = device_type::cpu;
    using options = option_list<>;
    static std::string version() { return "1"; }
    [[nodiscard]] outcome<void> usable() const { return {}; }
    static constexpr auto patterns() {
        return pattern_table(composite<"add_relu">(dsl::op<"onnx.Relu">(dsl::op<"onnx.Add">), [](const mine&, const auto& match) {
            const region_view& r = match.region();
            const bool fits = r.input_count == 2 && r.constant_count == 0 && *r.values[0].type == *r.values[1].type &&
                              r.values[0].type->of_tensor.element == element_type::float32;
            return fits ? verdict::yes() : verdict::no("it adds two different float32 tensors of one shape");
        }));
    }
    [[nodiscard]] std::vector<border_formats> formats(const region_view& r) const { return {plain_borders(r)}; }
    [[nodiscard]] std::optional<double> price(const region_view&) const { return 1e-6; }
    [[nodiscard]] outcome<kernel> emit(const region_view& r) const {
        return kernel(add_relu{static_cast<std::size_t>(*element_count(static_shape(r.type(r.results[0]))))});
    }
};

struct no_meter {
    std::vector<measurement> price(std::span<const pricing_job> jobs) { return std::vector<measurement>(jobs.size()); }
};

int fail(const error& e) { return std::fprintf(stderr, "%s\n", e.message.c_str()), 1; }

}  // namespace

int main() {
    const tensor_type row(element_type::float32, {4});
    ir_builder b;
    b.open_block();
    const node_id inputs[] = {b.input("a", row), b.input("b", row)};
    const node_id out = b.call("onnx.Relu", {b.call("onnx.Add", inputs, {}, row)}, {}, row, "out");
    b.declare(b.function(inputs, out, "main"));
    const ir_module m = b.finish();
    const backend_list<mine> backends;
    no_meter pricing;
    const auto planned = make_plan(m, backends, pricing, [](const auto&...) { return 0.0; });
    if (!planned) return fail(planned.failure());
    const auto ready = link(m, backends, planned->set, planned->cut);
    if (!ready) return fail(ready.failure());
    std::printf("%zu part, %zu kernel: %s\n", planned->cut.parts.size(), ready->steps().size(), ready->steps()[0].label.c_str());

    const tensor values[] = {tensor::of({4}, std::vector<float>{-3, -1, 1, 2}), tensor::of({4}, std::vector<float>{1, 1, 0, 1})};
    const auto found = ready->run(values);
    if (!found) return fail(found.failure());
    const auto y = found->front().as<float>();
    std::printf("%g %g %g %g\n", double{y[0]}, double{y[1]}, double{y[2]}, double{y[3]});
}
