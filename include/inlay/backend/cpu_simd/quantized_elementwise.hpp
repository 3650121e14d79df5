// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_QUANTIZED_ELEMENTWISE_HPP
#define INLAY_BACKEND_CPU_SIMD_QUANTIZED_ELEMENTWISE_HPP

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <inlay/backend/cpu_simd/kernel_table.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/backend/quantized_combination.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel.hpp>
#include <inlay/codegen/share_work.hpp>
#include <inlay/ops/loops/quantized_number.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::simd {

/// Bytes that become others one by one, by a table of what each becomes. The state of a kernel.
struct byte_table {
    const kernel_table* table = nullptr;
    alignas(16) std::array<std::uint8_t, 256> becomes{};
    std::size_t count = 0;

    [[nodiscard]] bool run(const run_arguments& a) const {
        const auto* from = static_cast<const std::uint8_t*>(a.inputs[0]);
        auto* to = static_cast<std::uint8_t*>(a.results[0]);
        share(a.executor, count, 2, [&](std::size_t begin, std::size_t end) {
            table->look_up_bytes({becomes.data(), from + begin, to + begin, end - begin});
        });
        return true;
    }
};

/// Two tensors of bytes combined as numbers. The state of a kernel.
struct byte_combination {
    const kernel_table* table = nullptr;
    byte_combination_job job;
    std::size_t a = 0, b = 0;  // which inputs

    [[nodiscard]] bool run(const run_arguments& run) const {
        share(run.executor, job.count, 8, [&](std::size_t begin, std::size_t end) {
            byte_combination_job part = job;
            part.a.at = static_cast<const std::uint8_t*>(run.inputs[a]) + begin;
            part.b.at = static_cast<const std::uint8_t*>(run.inputs[b]) + begin;
            part.y = static_cast<std::uint8_t*>(run.results[0]) + begin;
            part.count = end - begin;
            table->combine_bytes(part);
        });
        return true;
    }
};

/// Functions of bytes as numbers, between DequantizeLinear and QuantizeLinear, as the third part of composites. Results are the bytes of
/// the operators' definitions.
struct quantized_elementwise_entry {
    using plan = detail::quantized_combination;

    static constexpr auto pattern() {
        using namespace dsl;
        constexpr auto numbers = op<"onnx.DequantizeLinear">;
        constexpr auto sum = op<"onnx.Add", "onnx.Sum", "onnx.Sub", "onnx.Mul">(numbers, numbers) | numbers;
        constexpr auto cut = op<"onnx.Relu", "onnx.Clip">(sum, rest) | sum;
        return op<"onnx.QuantizeLinear">(cut, rest);
    }

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B&, const Match& m) const {
        const region_view& r = m.region();
        for (const region_value& v : r.values)
            if (v.kind != region_value::role::absent && (!v.type->is_tensor() || !v.type->is_static()))
                return error{"the shape of a value is not known before the run"};
        auto p = plan::read(r);
        if (!p) return p;
        for (const value_id v : {p->a.value, p->b.value, p->y.value}) {
            const tensor_type& t = r.type(v);
            if (t.element != element_type::int8 && t.element != element_type::uint8)
                return error{"a tensor of type " + to_string(t) + " is none of bytes"};
            if (t.extents != r.type(p->y.value).extents) return error{"a tensor of type " + to_string(t) + " is stretched"};
        }
        // Within these bounds no number is NaN, and what is lost where exponents are too small for a normal number is no step.
        for (const float s : {p->a.scale, p->b.scale, p->y.scale})
            if (!(std::abs(s) >= 1e-15f && std::abs(s) <= 1e15f)) return error{"a scale is not between 1e-15 and 1e15"};
        if (std::isnan(p->range.low) || std::isnan(p->range.high)) return error{"the range is none of numbers"};
        return p;
    }

    /// Row-major, and images also with channels last.
    template <class B>
    [[nodiscard]] std::vector<border_formats> formats(const B& self, const plan&, const region_view& r) const {
        if (self.table() == nullptr) return {};
        std::vector<border_formats> list{plain_borders(r)};
        if (r.type(r.results[0]).rank() > 2) list.push_back(detail::borders_in(r, layout::channels_last()));
        return list;
    }

    template <class B>
    [[nodiscard]] outcome<kernel> emit(const B& self, const plan& p, const region_view& r) const {
        if (auto ready = self.check(r, formats(self, p, r)); !ready) return ready.failure();
        const auto is_signed = [&](value_id v) { return r.type(v).element == element_type::int8; };
        const auto count = static_cast<std::size_t>(*element_count(static_shape(r.type(p.y.value))));
        if (p.function == plan::form::first) {
            byte_table k;
            k.table = self.table();
            k.count = count;
            for (std::size_t i = 0; i < 256; ++i)
                k.becomes[i] = becomes(p, static_cast<std::uint8_t>(i), is_signed(p.a.value), is_signed(p.y.value));
            return self.finish(k, "table of bytes");
        }
        byte_combination k;
        k.table = self.table();
        k.a = p.a.value;
        k.b = p.b.value;
        constexpr byte_combination_job::form functions[] = {byte_combination_job::form::add, byte_combination_job::form::add,
                                                            byte_combination_job::form::subtract, byte_combination_job::form::multiply};
        k.job.function = functions[static_cast<std::size_t>(p.function)];
        k.job.a = {nullptr, is_signed(p.a.value), p.a.zero, p.a.scale};
        k.job.b = {nullptr, is_signed(p.b.value), p.b.zero, p.b.scale};
        k.job.low = p.range.low;
        k.job.high = p.range.high;
        k.job.y_scale = p.y.scale;
        k.job.y_zero = static_cast<float>(p.y.zero);
        k.job.y_signed = is_signed(p.y.value);
        k.job.count = count;
        return self.finish(k, "sum of bytes");
    }

private:
    [[nodiscard]] static std::uint8_t becomes(const plan& p, std::uint8_t byte, bool from_signed, bool to_signed) {
        const std::int32_t steps = (from_signed ? std::int32_t{static_cast<std::int8_t>(byte)} : std::int32_t{byte}) - p.a.zero;
        const float cut = std::min(std::max(static_cast<float>(steps) * p.a.scale, p.range.low), p.range.high) / p.y.scale;
        return to_signed ? static_cast<std::uint8_t>(quantized_number<std::int8_t>(cut, p.y.zero))
                         : quantized_number<std::uint8_t>(cut, p.y.zero);
    }
};

}  // namespace inlay::simd

#endif
