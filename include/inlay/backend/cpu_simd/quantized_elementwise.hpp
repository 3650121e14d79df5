// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_QUANTIZED_ELEMENTWISE_HPP
#define INLAY_BACKEND_CPU_SIMD_QUANTIZED_ELEMENTWISE_HPP

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/byte_function.hpp>
#include <inlay/backend/cpu_simd/kernel_table.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/backend/quantized_bytes.hpp>
#include <inlay/backend/quantized_combination.hpp>
#include <inlay/backend/static_region.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/codegen/kernel/share_work.hpp>
#include <inlay/graph/broadcast_operand.hpp>
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

/// Two tensors of bytes combined as numbers, one of which may have one place for each image. The state of a kernel.
struct byte_combination {
    struct operand {
        std::size_t input = 0;
        bool is_one_place = false;
    };
    const kernel_table* table = nullptr;
    byte_combination_job job;
    operand a, b;
    std::size_t images = 1, places = 1, channels = 1;  // of the result; where both operands have its shape, all elements are channels

    [[nodiscard]] bool run(const run_arguments& run) const {
        const bool is_one_run = images * places == 1;
        share(run.executor, is_one_run ? channels : images * places, is_one_run ? 8 : 8 * static_cast<double>(channels),
              [&](std::size_t begin, std::size_t end) {
                  byte_combination_job part = job;
                  if (is_one_run) return compute(part, run, 0, begin, end);
                  for (std::size_t place = begin; place < end; ++place) compute(part, run, place, 0, channels);
              });
        return true;
    }

private:
    void compute(byte_combination_job& part, const run_arguments& run, std::size_t place, std::size_t begin, std::size_t end) const {
        const auto from = [&](const operand& o) {
            return static_cast<const std::uint8_t*>(run.inputs[o.input]) + (o.is_one_place ? place / places : place) * channels + begin;
        };
        part.a.at = from(a);
        part.b.at = from(b);
        part.y = static_cast<std::uint8_t*>(run.results[0]) + place * channels + begin;
        part.count = end - begin;
        table->combine_bytes(part);
    }
};

/// Row-major where that is allowed, and images also with channels last.
template <class B>
[[nodiscard]] std::vector<border_formats> elementwise_borders(const B& self, const region_view& r, bool is_plain_allowed) {
    std::vector<border_formats> list;
    if (is_plain_allowed) list = self.row_major(r);
    if (r.type(r.results[0]).rank() > 2)
        for (border_formats& last : self.channels_last(r)) list.push_back(std::move(last));
    return list;
}

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
        if (auto fine = detail::check_static_region(r); !fine) return fine.failure();
        auto p = plan::read(r);
        if (!p) return p;
        for (const value_id v : {p->a.value, p->b.value, p->y.value}) {
            const tensor_type& t = r.type(v);
            if (!is_byte(t.element)) return error{"a tensor of type " + to_string(t) + " is none of bytes"};
            if (t.extents != r.type(p->y.value).extents && !is_one_place(r, v))
                return error{"a tensor of type " + to_string(t) + " is stretched"};
        }
        for (const detail::quantized_bytes& b : {p->a, p->b, p->y})
            if (!b.has_ordinary_scale()) return error{"a scale is not between 1e-15 and 1e15"};
        if (std::isnan(p->range.low) || std::isnan(p->range.high)) return error{"the range is none of numbers"};
        return p;
    }

    /// Row-major where nothing is stretched, and images also with channels last.
    template <class B>
    [[nodiscard]] std::vector<border_formats> formats(const B& self, const plan& p, const region_view& r) const {
        return elementwise_borders(self, r, !is_one_place(r, p.a.value) && !is_one_place(r, p.b.value));
    }

    template <class B>
    [[nodiscard]] outcome<kernel> emit(const B& self, const plan& p, const region_view& r) const {
        if (auto ready = self.check(r, formats(self, p, r)); !ready) return ready.failure();
        const auto is_signed = [&](value_id v) { return r.type(v).element == element_type::int8; };
        const std::vector<std::int64_t> shape = static_shape(r.type(p.y.value));
        const auto count = static_cast<std::size_t>(*element_count(shape));
        if (p.function == plan::form::first) {
            auto becomes = detail::byte_function_of(r);
            if (!becomes) return becomes.failure();
            return self.finish(byte_table{self.table(), *becomes, count}, "table of bytes");
        }
        byte_combination k;
        k.table = self.table();
        k.a = {p.a.value, is_one_place(r, p.a.value)};
        k.b = {p.b.value, is_one_place(r, p.b.value)};
        k.channels = count;
        if (k.a.is_one_place || k.b.is_one_place) {
            k.images = static_cast<std::size_t>(shape[0]);
            k.channels = static_cast<std::size_t>(shape[1]);
            k.places = count == 0 ? 0 : count / (k.images * k.channels);
        }
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
        return self.finish(k, "sum of bytes");
    }

private:
    /// Whether a tensor has one place for each image of the result, which has more.
    [[nodiscard]] static bool is_one_place(const region_view& r, value_id v) {
        const std::vector<std::int64_t> y = static_shape(r.type(r.results[0])), own = static_shape(r.type(v));
        const auto beside = broadcast_operand::of(own, y);
        return beside && y.size() > 2 && own.size() == y.size() && !beside->is_per_element() &&
               beside->is_one_for_each_of(axis_set::range(0, 2));
    }
};

/// Functions of one tensor of bytes that are no sum or range, as the third part of composites: what each byte becomes is found beforehand.
struct quantized_function_entry {
    using plan = byte_table;

    static constexpr auto pattern() {
        using namespace dsl;
        constexpr auto numbers = op<"onnx.DequantizeLinear">;
        constexpr auto function =
            op<"onnx.Sigmoid", "onnx.Tanh", "onnx.HardSigmoid", "onnx.HardSwish", "onnx.LeakyRelu", "onnx.Elu", "onnx.Selu", "onnx.Celu",
               "onnx.Gelu", "onnx.Mish", "onnx.Softplus", "onnx.Softsign", "onnx.Swish", "onnx.ThresholdedRelu", "onnx.Abs", "onnx.Neg",
               "onnx.Exp", "onnx.Log", "onnx.Sqrt", "onnx.Reciprocal", "onnx.Erf">(numbers, rest);
        // x times a function of x, as Swish and Hard Swish are spelled.
        constexpr auto gated = op<"onnx.Mul">(numbers, op<"onnx.DequantizeLinear">(op<"onnx.QuantizeLinear">(function, rest), rest));
        return op<"onnx.QuantizeLinear">(function | gated, rest);
    }

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B& self, const Match& m) const {
        const region_view& r = m.region();
        const tensor_type& y = r.type(r.results[0]);
        if (!y.is_static()) return error{"the shape of a value is not known before the run"};
        auto becomes = detail::byte_function_of(r);
        if (!becomes) return becomes.failure();
        if (r.type(0).extents != y.extents) return error{"the result has another shape than the input"};
        return plan{self.table(), *becomes, static_cast<std::size_t>(*element_count(static_shape(y)))};
    }
    template <class B>
    [[nodiscard]] std::vector<border_formats> formats(const B& self, const plan&, const region_view& r) const {
        return elementwise_borders(self, r, true);
    }
    template <class B>
    [[nodiscard]] outcome<kernel> emit(const B& self, const plan& p, const region_view& r) const {
        if (auto ready = self.check(r, formats(self, p, r)); !ready) return ready.failure();
        return self.finish(p, "table of bytes");
    }
};

}  // namespace inlay::simd

#endif
