// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_KERNEL_CHECK_IPP
#define INLAY_MEASURE_KERNEL_CHECK_IPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/measure/kernel_check.hpp>

#include <inlay/codegen/kernel/hosted_kernel.hpp>
#include <inlay/cost/statistics.hpp>
#include <inlay/measure/check_inputs.hpp>
#include <inlay/measure/fenced_memory.hpp>
#include <inlay/measure/sample_text.hpp>
#include <inlay/ops/loops/strides.hpp>
#include <inlay/ops/operand_checks.hpp>
#include <inlay/ops/sample/sample_places.hpp>
#include <inlay/ops/sample/sampled_tensor.hpp>

namespace inlay {

namespace detail {

/// Two numbers of an element type between which all others are, over and over: infinities, or the largest and the least integer. A kernel
/// that computes with what it should not have read gives another result for one of them at least, whether it adds, compares or multiplies
/// by 0.
[[nodiscard]] inline fenced_memory::pattern extreme_of(element_type e, bool is_high) {
    const std::size_t width = std::max<std::size_t>(size_of(e), 1);
    std::uint64_t bits = 0;
    const std::uint64_t sign = std::uint64_t{1} << (8 * width - 1);
    if (e == element_type::float16)
        bits = 0x7C00;
    else if (e == element_type::bfloat16)
        bits = 0x7F80;
    else if (e == element_type::float32)
        bits = 0x7F800000;
    else if (e == element_type::float64)
        bits = 0x7FF0000000000000;
    else if (e == element_type::boolean)
        bits = 1;
    else
        bits = is_unsigned_integer(e) ? sign - 1 + sign : sign - 1;
    if (!is_high && is_floating(e))
        bits |= sign;
    else if (!is_high)
        bits = is_unsigned_integer(e) || e == element_type::boolean ? 0 : sign;
    fenced_memory::pattern all{};
    // The low bytes of a number are the number in the narrower type, on the machines that this runs on.
    for (std::size_t at = 0; at < all.size(); at += width) std::memcpy(all.data() + at, &bits, width);
    return all;
}

/// Why the tensors at a region's border cannot be compared; empty where they can.
[[nodiscard]] inline std::string why_not_comparable(const region_view& region) {
    for (value_id v = 0; v < region.input_count; ++v)
        if (region.input_formats[v].element != region.type(v).element) return "an input is stored as another element type";
    for (std::size_t i = 0; i < region.results.size(); ++i)
        if (region.result_formats[i].element != region.type(region.results[i]).element) return "a result is stored as another element type";
    return {};
}

/// Why the tensors at a region's border cannot be compared here; empty where they can.
[[nodiscard]] inline std::string why_not_readable(const region_view& region) {
    return hosted_border::is_elsewhere(region) ? "its tensors are in a device's memory" : why_not_comparable(region);
}

/// Adds elements of the same innermost rows until there are about `count`: operators that compute whole rows give them for nothing.
inline void add_of_same_rows(std::vector<std::int64_t>& places, const std::vector<std::int64_t>& extents, std::size_t count,
                             std::uint64_t seed) {
    const std::int64_t row = extents.empty() ? 1 : extents.back();
    splitmix random{seed};
    const std::size_t first = places.size();
    for (std::size_t k = 0; row > 1 && k < first; ++k)
        for (std::size_t more = first; more < count; more += first)
            places.push_back(places[k] / row * row + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(row)));
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
}

/// Chosen elements of a region's results: as many as the options say, or fewer where these take too much; then rather many in a few rows
/// than one in each of a few, if rows are computed at once. Three times as many where that takes little and `may_be_more`.
[[nodiscard]] inline outcome<std::vector<expected_samples>> evaluate_some(const region_view& region, op_finder find,
                                                                          std::span<const tensor> inputs, std::uint64_t seed,
                                                                          executor_ref executor, const kernel_check_options& options,
                                                                          bool may_be_more, term_sizes sizes = term_sizes::random) {
    outcome<std::vector<expected_samples>> expected = error{""};
    std::vector<std::vector<std::int64_t>> places;
    const auto evaluate = [&](std::size_t samples, double most, bool has_rows = false) {
        places.clear();
        for (const value_id v : region.results) {
            const std::vector<std::int64_t> extents = static_shape(region.type(v));
            places.push_back(sample_places(extents, samples, seed));
            if (has_rows) add_of_same_rows(places.back(), extents, options.samples, seed);
        }
        expected = evaluate_samples(region, find, inputs, places, most, sizes, {}, options.rounding);
        return expected.has_value();
    };
    const bool has_more = std::any_of(region.results.begin(), region.results.end(), [&](value_id v) {
        const std::vector<std::int64_t> extents = static_shape(region.type(v));
        return extent_product(extents, 0, extents.size()) > static_cast<std::int64_t>(options.samples) + 64;
    });
    if (may_be_more && has_more && evaluate(options.samples, options.cheap_operations / 3) &&
        evaluate(3 * options.samples, options.cheap_operations))
        return expected;
    if (evaluate(options.samples, options.most_operations)) return expected;
    constexpr std::size_t divisors[] = {2, 4, 16, 64};
    for (const std::size_t divisor : divisors) {
        const bool is_last = divisor == 64 || options.samples / (4 * divisor) < options.least_samples;
        const double most = is_last ? options.last_operations : options.most_operations;
        if (divisor >= 4 && evaluate(options.samples / divisor, most, true)) return expected;
        if (evaluate(options.samples / divisor, most)) return expected;
        if (is_last) break;
    }
    stepwise_options whole;
    whole.seed = seed;
    whole.sizes = sizes;
    whole.rounding = options.rounding;
    auto stepwise = evaluate_stepwise(region, find, inputs, places, options.calls, executor, whole);
    return stepwise ? std::move(stepwise) : std::move(expected);
}

/// A region's check: the kernel with memory to run it in.
class kernel_check_run {
public:
    kernel_check_run(const kernel& code, const region_view& region, std::span<const tensor> constants, op_finder find,
                     executor_ref executor, const kernel_check_options& options)
        : code_(code), region_(region), constants_(constants), find_(find), executor_(executor), options_(options) {}

    [[nodiscard]] outcome<kernel_verdict> run() {
        if (auto reason = why_not_readable(region_); !reason.empty()) return kernel_verdict{0, 0, std::move(reason)};
        kernel_verdict verdict;
        for (std::uint64_t number = 0; number < 2; ++number) {
            auto expected = expect(number);
            if (!expected) return kernel_verdict{0, 0, expected.failure().message};
            auto ran = run_once(number, *expected, verdict);
            if (!ran) return ran.failure();
            if (!ran->empty()) return kernel_verdict{0, 0, *std::move(ran)};
        }
        const bool has_elements = std::any_of(region_.results.begin(), region_.results.end(),
                                              [&](value_id v) { return element_count(static_shape(region_.type(v))).value_or(0) != 0; });
        if (verdict.compared == 0 && has_elements) verdict.unchecked = "no element of its results is a number with a bound";
        return verdict;
    }

private:
    /// What the results are to be on the inputs of a run. The error says why it cannot be told.
    [[nodiscard]] outcome<std::vector<expected_samples>> expect(std::uint64_t number) {
        const std::uint64_t seed = options_.seed * 2 + number;
        outcome<std::vector<expected_samples>> expected = error{""};
        for (const bool positive : {false, true}) {
            auto inputs = check_inputs(region_, seed, positive);
            if (!inputs) return inputs.failure();
            auto again = evaluate_some(region_, find_, *inputs, seed, executor_, options_, true);
            if (!again) return positive && expected ? std::move(expected) : std::move(again);
            const bool is_better = !expected || share_of_numbers(*again) > share_of_numbers(*expected);
            if (is_better) {
                expected = std::move(again);
                inputs_ = *std::move(inputs);
            }
            // Roots and logarithms of negative numbers show nothing.
            if (share_of_numbers(*expected) > 0.75) break;
        }
        return expected;
    }
    /// How many elements are numbers with a bound.
    [[nodiscard]] static std::size_t known_elements(const expected_samples& e) {
        std::size_t count = 0;
        for (std::size_t k = 0; k < e.places.size(); ++k) count += std::isfinite(e.values[k]) && std::isfinite(e.errors[k]) ? 1 : 0;
        return count;
    }
    [[nodiscard]] static double share_of_numbers(const std::vector<expected_samples>& expected) {
        double numbers = 0, all = 0;
        for (const expected_samples& e : expected)
            for (const double v : e.values) {
                numbers += std::isfinite(v) ? 1 : 0;
                ++all;
            }
        return all == 0 ? 1 : numbers / all;
    }

    /// Returns why nothing could be compared; an empty text where all was.
    [[nodiscard]] outcome<std::string> run_once(std::uint64_t number, const std::vector<expected_samples>& expected,
                                                kernel_verdict& verdict) {
        std::vector<std::size_t> sizes;
        for (value_id v = 0; v < region_.input_count; ++v)
            sizes.push_back(stored_bytes(static_shape(region_.type(v)), region_.input_formats[v]));
        for (std::size_t i = 0; i < region_.results.size(); ++i)
            sizes.push_back(stored_bytes(static_shape(region_.type(region_.results[i])), region_.result_formats[i]));
        sizes.push_back(code_.workspace_bytes);
        // Around inputs and in all that the kernel writes are the least numbers in one run and the largest in the other. What it reads one
        // past the end of an input, or of what a result held before, then shows in its results.
        const bool is_high = number != 0;
        std::vector<fenced_memory::pattern> guards;
        for (value_id v = 0; v < region_.input_count; ++v) guards.push_back(extreme_of(region_.input_formats[v].element, is_high));
        fenced_memory memory;
        if (!memory.make(sizes, options_.has_walls, std::move(guards))) return std::string("there is no memory for its check");
        const std::span<const fenced_memory::piece> pieces = memory.pieces();
        std::vector<std::byte*> inputs, results;
        for (std::size_t i = 0; i < region_.input_count; ++i) inputs.push_back(pieces[i].data);
        for (std::size_t i = 0; i < region_.results.size(); ++i) results.push_back(pieces[region_.input_count + i].data);
        for (std::size_t i = region_.input_count; i < pieces.size(); ++i) {
            const std::size_t r = i - region_.input_count;
            const element_type e = r < results.size() ? region_.result_formats[r].element : element_type::float32;
            fenced_memory::repeat(extreme_of(e, is_high), pieces[i].data, pieces[i].data + pieces[i].bytes);
        }
        if (number == 1) place_together(inputs, results, sizes);
        for (value_id v = 0; v < region_.input_count; ++v) {
            const format& f = region_.input_formats[v];
            if (inputs_[v].bytes() == 0) continue;
            if (auto stored = convert(static_shape(region_.type(v)), plain_format(f.element), f, inputs_[v].data(), inputs[v], executor_);
                !stored)
                return stored.failure();
        }
        // Other kernels may read the inputs afterwards. In the second run results may be among them.
        std::vector<std::vector<std::byte>> read;
        for (std::size_t i = 0; i < inputs.size() && number == 0; ++i) read.emplace_back(inputs[i], inputs[i] + sizes[i]);
        std::vector<const void*> reads(inputs.begin(), inputs.end());
        for (const tensor& t : constants_) reads.push_back(t.data());
        std::vector<void*> writes(results.begin(), results.end());
        run_arguments a;
        a.inputs = reads.data();
        a.results = writes.data();
        a.workspace = pieces.back().data;
        a.executor = executor_;
        const std::string when = number == 0 ? "" : " in the second run";
        if (!code_(a)) {
            // Numbers that say what is read or how large results are may be refused, as an axis that there is not.
            if (may_refuse()) return std::string("it does not take the inputs that its check makes up");
            return error{"it reports a failure" + when};
        }
        for (std::size_t i = 0; i < pieces.size(); ++i)
            if (const auto at = memory.touched(i)) return error{"it writes " + memory.place_of(i, *at, name_of_piece(i)) + when};
        for (std::size_t i = 0; i < read.size(); ++i)
            if (std::memcmp(read[i].data(), inputs[i], read[i].size()) != 0) return error{"it writes to " + name_of_piece(i) + when};
        for (std::size_t i = 0; i < region_.results.size(); ++i) {
            auto compared =
                compare_samples(expected[i], results[i], region_.result_formats[i], static_shape(region_.type(region_.results[i])), i);
            if (!compared) return error{compared.failure().message + when};
            verdict.largest_error = std::max(verdict.largest_error, *compared);
            verdict.compared += known_elements(expected[i]);
        }
        return std::string();
    }
    [[nodiscard]] std::string name_of_piece(std::size_t i) const {
        if (i < region_.input_count) return "input " + std::to_string(i);
        const std::size_t r = i - region_.input_count;
        return r < region_.results.size() ? "result " + std::to_string(r) : std::string("its workspace");
    }
    [[nodiscard]] bool may_refuse() const {
        for (const region_value& v : region_.inputs())
            if (is_integer(v.type->of_tensor.element) && !is_byte(v.type->of_tensor.element)) return true;
        for (const region_value& v : region_.calls()) {
            const op_definition* const d = v.kind == region_value::role::call ? find_(v.op) : nullptr;
            if (d != nullptr && d->kind == op_kind::opaque) return true;
        }
        return false;
    }

    /// As a memory plan may have it: a result that is a view of an input is where that is, and an input that is a part of the one result is
    /// within it.
    void place_together(std::vector<std::byte*>& inputs, std::vector<std::byte*>& results, const std::vector<std::size_t>& sizes) const {
        const std::size_t count = region_.input_count;
        for (std::size_t i = 0; i < results.size() && i < code_.view_of.size(); ++i) {
            const std::int32_t view = code_.view_of[i];
            if (view < 0 || static_cast<std::size_t>(view) >= count) continue;
            const auto input = static_cast<std::size_t>(view), bytes = sizes[count + i], whole = sizes[input];
            const auto begin = static_cast<std::size_t>(i < code_.view_at.size() ? code_.view_at[i] : 0);
            if (begin <= whole && bytes <= whole - begin) results[i] = inputs[input] + begin;
        }
        for (std::size_t i = 0; i < count && i < code_.part_at.size() && results.size() == 1; ++i) {
            const std::int64_t begin = code_.part_at[i];
            if (begin >= 0 && static_cast<std::size_t>(begin) <= sizes[count] && sizes[i] <= sizes[count] - static_cast<std::size_t>(begin))
                inputs[i] = results[0] + begin;
        }
    }

    const kernel& code_;
    const region_view& region_;
    std::span<const tensor> constants_;
    op_finder find_;
    executor_ref executor_;
    const kernel_check_options& options_;
    std::vector<tensor> inputs_;  // of the run that is next
};

}  // namespace detail

std::string why_unchecked(const region_view& region, op_finder find) {
    for (const region_value& v : region.calls()) {
        const op_definition* const d = v.kind == region_value::role::call ? find(v.op) : nullptr;
        if (v.kind == region_value::role::call && (d == nullptr || d->evaluate == nullptr))
            return short_name(v.op) + ": it has no meaning here";
    }
    return detail::why_not_comparable(region);
}

std::optional<std::vector<expected_samples>> detail::expected_step(const region_view& region, const void* const* inputs, op_finder find,
                                                                   executor_ref executor, const kernel_check_options& options) {
    if (!why_not_readable(region).empty()) return std::nullopt;
    std::vector<tensor> plain;
    for (value_id v = 0; v < region.input_count; ++v) {
        const format& f = region.input_formats[v];
        tensor t(f.element, static_shape(region.type(v)));
        if (!t.ok()) return std::nullopt;
        if (t.bytes() != 0 && !convert(t.extents(), f, plain_format(f.element), inputs[v], t.data())) return std::nullopt;
        plain.push_back(std::move(t));
    }
    auto expected = evaluate_some(region, find, plain, options.seed, executor, options, false, term_sizes::any);
    if (!expected) return std::nullopt;
    return *std::move(expected);
}

std::optional<expected_samples> detail::expected_conversion(const void* input, const std::vector<std::int64_t>& extents, const format& from,
                                                            const format& to, const kernel_check_options& options) {
    if (from.scope != memory_scope() || to.scope != memory_scope() || from.element != to.element) return std::nullopt;
    expected_samples expected;
    expected.places = sample_places(extents, options.samples, options.seed);
    expected.errors.assign(expected.places.size(), 0);
    for (const std::int64_t at : expected.places)
        expected.values.push_back(element_as_double(static_cast<const std::byte*>(input), from.element,
                                                    static_cast<std::int64_t>(stored_place(extents, from.order, at))));
    return expected;
}

outcome<kernel_verdict> check_kernel(const kernel& code, const region_view& region, std::span<const tensor> constants, op_finder find,
                                     executor_ref executor, const kernel_check_options& options) {
    return detail::kernel_check_run(code, region, constants, find, executor, options).run();
}

outcome<kernel_verdict> check_conversion(const kernel& code, const std::vector<std::int64_t>& extents, const format& from, const format& to,
                                         executor_ref executor) {
    const std::size_t bytes_from = stored_bytes(extents, from), bytes_to = stored_bytes(extents, to), width = size_of(from.element);
    detail::fenced_memory memory;
    if (!memory.make({bytes_from, bytes_to, code.workspace_bytes}, false)) return kernel_verdict{0, 0, "there is no memory for its check"};
    const auto& pieces = memory.pieces();
    const std::int64_t count = extent_product(extents, 0, extents.size());
    const auto place_in = [&](const format& f, std::int64_t i) { return stored_place(extents, f.order, i) * width; };
    // Numbers of elements, so that each is told from all others within its reach.
    const auto number_of = [&](std::int64_t i) { return static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15u >> 7; };
    for (std::int64_t i = 0; i < count; ++i) {
        const std::uint64_t n = number_of(i);
        std::memcpy(pieces[0].data + place_in(from, i), &n, width);
    }
    std::memset(pieces[1].data, 0xFF, bytes_to);
    const void* const reads[] = {pieces[0].data};
    void* const writes[] = {pieces[1].data};
    run_arguments a;
    a.inputs = reads;
    a.results = writes;
    a.workspace = pieces[2].data;
    a.executor = executor;
    if (!code(a)) return error{"it reports a failure"};
    for (std::size_t i = 0; i < pieces.size(); ++i)
        if (memory.touched(i)) return error{"it writes beyond its tensors"};
    std::size_t filled = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::uint64_t n = number_of(i);
        if (std::memcmp(pieces[1].data + place_in(to, i), &n, width) != 0)
            return error{"it moves another element to " + place_text(extents, i)};
        std::memset(pieces[1].data + place_in(to, i), 0, width);
        ++filled;
    }
    for (std::size_t b = 0; b < bytes_to; ++b)
        if (pieces[1].data[b] != std::byte{0}) return error{"it does not fill the last block of channels with zeros"};
    return kernel_verdict{0, filled, {}};
}

}  // namespace inlay

#endif
