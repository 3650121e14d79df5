// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_EVALUATE_STEPWISE_IPP
#define INLAY_MEASURE_EVALUATE_STEPWISE_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/measure/evaluate_stepwise.hpp>

#include <inlay/candidate/region.hpp>
#include <inlay/core/buffer.hpp>
#include <inlay/measure/compare_samples.hpp>
#include <inlay/ops/interpret/evaluate_call.hpp>
#include <inlay/ops/operand_checks.hpp>
#include <inlay/ops/sample/sample_places.hpp>
#include <inlay/target/format.hpp>

namespace inlay {

namespace detail {

/// A tensor that was computed as a whole, with a bound of the error of each element.
struct computed_value {
    tensor whole;
    double error = 0;
};

/// One call of a region as a region of its own. What it reads are inputs, but for constants and what is left out; its outputs are results.
class call_alone {
public:
    call_alone(const region_view& of, value_id call) {
        const region_value& v = of[call];
        std::map<value_id, value_id> number;
        for (int pass = 0; pass < 2; ++pass) {
            for (const value_id o : v.operands) {
                const region_value& operand = of[o];
                const bool is_fixed = operand.kind == region_value::role::constant || operand.kind == region_value::role::absent;
                if (is_fixed != (pass == 1) || number.contains(o)) continue;
                number.emplace(o, static_cast<value_id>(values_.size()));
                values_.push_back(operand);
                values_.back().operands = {};
                if (is_fixed) continue;
                values_.back().kind = region_value::role::input;
                reads_.push_back(o);
                inputs_.push_back(plain_format(operand.type->of_tensor.element));
            }
        }
        const auto outside = static_cast<value_id>(values_.size());
        operands_.reserve(v.operands.size() + 1);
        for (const value_id o : v.operands) operands_.push_back(number.at(o));
        operands_.push_back(outside);
        values_.push_back(v);
        values_.back().operands = {operands_.data(), v.operands.size()};
        const std::size_t outputs = v.type->is_tuple() ? v.type->fields.size() : 0;
        for (std::size_t i = 0; i < outputs; ++i) {
            region_value p;
            p.kind = region_value::role::projection;
            p.attributes = v.attributes;
            p.type = &v.type->fields[i];
            p.field = static_cast<std::uint32_t>(i);
            p.operands = {operands_.data() + v.operands.size(), 1};
            results_.push_back(static_cast<value_id>(values_.size()));
            values_.push_back(p);
        }
        if (outputs == 0) results_.push_back(outside);
        for (const value_id r : results_) formats_.push_back(plain_format(values_[r].type->of_tensor.element));
        outside_ = outside;
    }

    [[nodiscard]] region_view view() const { return {values_, reads_.size(), outside_ - reads_.size(), results_, inputs_, formats_}; }
    /// The values of the whole region that are its inputs.
    [[nodiscard]] const std::vector<value_id>& reads() const { return reads_; }

private:
    std::vector<region_value> values_;
    std::vector<value_id> operands_, results_, reads_;
    std::vector<format> inputs_, formats_;
    value_id outside_ = 0;
};

/// A region evaluated call by call.
class stepwise_evaluation {
public:
    stepwise_evaluation(const region_view& region, op_finder find, std::span<const tensor> inputs, call_kernels_ref kernels,
                        executor_ref executor, const stepwise_options& options)
        : region_(region), find_(find), kernels_(kernels), executor_(executor), options_(options), computed_(region.values.size()) {
        for (std::size_t v = 0; v < inputs.size(); ++v) computed_[v] = {{inputs[v], 0}};
        for (std::size_t v = inputs.size(); v < inputs.size() + region.constant_count; ++v)
            if (region.values[v].value != nullptr) computed_[v] = {{*region.values[v].value, 0}};
    }

    [[nodiscard]] outcome<std::vector<expected_samples>> run(std::span<const std::vector<std::int64_t>> places) {
        std::vector<expected_samples> expected(places.size());
        for (std::size_t r = 0; r < places.size(); ++r) expected[r].places = places[r];
        const auto first = static_cast<value_id>(region_.input_count + region_.constant_count);
        for (value_id v = first; v < region_.values.size(); ++v) {
            if (region_[v].kind != region_value::role::call) continue;
            if (auto done = call(v, places, expected); !done) return error{short_name(region_[v].op) + ": " + done.failure().message};
        }
        for (std::size_t r = 0; r < places.size(); ++r)
            if (expected[r].values.size() != places[r].size()) return error{"a result is not computed by a call of it"};
        return expected;
    }

private:
    [[nodiscard]] const computed_value* value_of(value_id v) const {
        const region_value& of = region_[v];
        const bool is_field = of.kind == region_value::role::projection;
        const std::vector<computed_value>& all = computed_[is_field ? of.operands[0] : v];
        const std::size_t field = is_field ? of.field : 0;
        return field < all.size() ? &all[field] : nullptr;
    }

    [[nodiscard]] outcome<void> call(value_id v, std::span<const std::vector<std::int64_t>> places,
                                     std::vector<expected_samples>& expected) {
        const call_alone alone(region_, v);
        const region_view view = alone.view();
        std::vector<tensor> reads;
        std::vector<double> errors;
        for (const value_id o : alone.reads()) {
            const computed_value* const known = value_of(o);
            if (known == nullptr) return error{"an operand has no value"};
            reads.push_back(known->whole);
            errors.push_back(known->error);
        }
        std::vector<std::vector<std::int64_t>> chosen;
        for (const value_id r : view.results) {
            if (!view[r].type->is_tensor() || !view[r].type->is_static()) return error{"the extents of its results are not known"};
            chosen.push_back(sample_places(static_shape(view.type(r)), options_.samples, options_.seed));
        }
        // What leaves the region needs no other element.
        for (std::size_t r = 0; r < region_.results.size(); ++r) {
            const region_value& left = region_[region_.results[r]];
            const bool is_field = left.kind == region_value::role::projection;
            if ((is_field ? left.operands[0] : region_.results[r]) != v) continue;
            std::vector<std::vector<std::int64_t>> wanted(view.results.size());
            wanted[is_field ? left.field : 0] = places[r];
            auto made = evaluate_samples(view, find_, reads, wanted, options_.sample_operations, options_.sizes, errors, options_.rounding);
            if (!made) return made.failure();
            expected[r] = std::move((*made)[is_field ? left.field : 0]);
        }
        if (!is_read(v)) return {};
        auto samples = evaluate_samples(view, find_, reads, chosen, options_.sample_operations, options_.sizes, errors, options_.rounding);
        if (!samples) return samples.failure();
        auto whole = compute(v, view, reads, *samples);
        if (!whole) return whole.failure();
        for (std::size_t i = 0; i < whole->size(); ++i) {
            double off = 0;
            for (const double e : (*samples)[i].errors) off = std::max(off, e);
            computed_[v].push_back({std::move((*whole)[i]), off});
        }
        return {};
    }
    /// Whether another call reads a call or one of its outputs.
    [[nodiscard]] bool is_read(value_id v) const {
        return std::any_of(region_.values.begin(), region_.values.end(), [&](const region_value& u) {
            return u.kind == region_value::role::call && std::any_of(u.operands.begin(), u.operands.end(), [&](value_id o) {
                       return o == v || (region_[o].kind == region_value::role::projection && region_[o].operands[0] == v);
                   });
        });
    }

    [[nodiscard]] double work_of(const region_view& view) const {
        const region_value& v = view.calls().front();
        const op_definition* const d = find_(v.op);
        double elements = 0;
        for (const value_id r : view.results) elements += static_cast<double>(element_count(static_shape(view.type(r))).value_or(0));
        if (d == nullptr || d->work == nullptr) return elements;
        return with_call_view(view, v, [&](const call_view& c) { return d->work(c, *v.type).flops; }) / 2 + elements;
    }

    [[nodiscard]] outcome<std::vector<tensor>> compute(value_id v, const region_view& view, const std::vector<tensor>& reads,
                                                       const std::vector<expected_samples>& samples) {
        const double work = work_of(view);
        operations_ += work;
        if (operations_ > options_.most_operations) return too_many(options_.most_operations);
        if (kernels_) {
            auto code = kernels_(view);
            if (code && *code) return by_kernel(*code, view, reads, samples);
        }
        by_meaning_ += work;
        if (by_meaning_ > options_.meaning_operations) return too_many(options_.meaning_operations);
        std::vector<tensor> operands;
        for (const value_id o : region_[v].operands) {
            const computed_value* const known = value_of(o);
            operands.push_back(known == nullptr ? tensor() : known->whole);
        }
        return evaluate_call(*find_(region_[v].op), *region_[v].attributes, operands, view.results.size());
    }
    [[nodiscard]] outcome<std::vector<tensor>> by_kernel(const kernel& code, const region_view& view, const std::vector<tensor>& reads,
                                                         const std::vector<expected_samples>& samples) const {
        std::vector<tensor> made;
        std::vector<const void*> from;
        std::vector<void*> to;
        for (const tensor& t : reads) from.push_back(t.data());
        for (const value_id r : view.results) {
            made.emplace_back(view.type(r).element, static_shape(view.type(r)));
            if (!made.back().ok()) return error{"there is no memory for its results"};
        }
        for (tensor& t : made) to.push_back(t.data());
        buffer workspace(code.workspace_bytes);
        if (workspace.size() != code.workspace_bytes) return error{"there is no memory for its workspace"};
        run_arguments a;
        a.inputs = from.data();
        a.results = to.data();
        a.workspace = workspace.data();
        a.executor = executor_;
        if (!code(a)) return error{"the kernel that it is compared with reports a failure"};
        for (std::size_t i = 0; i < made.size(); ++i)
            if (auto right = compare_samples(samples[i], made[i].data(), view.result_formats[i], made[i].extents(), i); !right)
                return error{"the kernel that it is compared with is wrong: " + right.failure().message};
        return made;
    }
    [[nodiscard]] static error too_many(double most) {
        return error{"it takes more than " + std::to_string(static_cast<std::int64_t>(most)) + " operations"};
    }

    const region_view& region_;
    op_finder find_;
    call_kernels_ref kernels_;
    executor_ref executor_;
    const stepwise_options& options_;
    std::vector<std::vector<computed_value>> computed_;  // by value: its outputs
    double operations_ = 0, by_meaning_ = 0;
};

}  // namespace detail

outcome<std::vector<expected_samples>> evaluate_stepwise(const region_view& region, op_finder find, std::span<const tensor> inputs,
                                                         std::span<const std::vector<std::int64_t>> places, call_kernels_ref kernels,
                                                         executor_ref executor, const stepwise_options& options) {
    return detail::stepwise_evaluation(region, find, inputs, kernels, executor, options).run(places);
}

}  // namespace inlay

#endif
