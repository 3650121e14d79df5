// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_REWRITE_CHECK_IPP
#define INLAY_MEASURE_REWRITE_CHECK_IPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/measure/rewrite_check.hpp>

#include <inlay/candidate/content_key.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/core/sorted_list.hpp>
#include <inlay/measure/check_inputs.hpp>
#include <inlay/measure/sample_text.hpp>
#include <inlay/ops/sample/evaluate_samples.hpp>
#include <inlay/ops/sample/sample_places.hpp>
#include <inlay/ops/sample/sampled_tensor.hpp>

namespace inlay {

namespace detail {

/// One side of an application as a region.
class application_side {
public:
    using graph_type = working_graph<ir_module>;

    /// The nodes that `results` rest on, down to `leaves` and constants; one that `may_compute(n)` does not allow is a leaf, and is added
    /// to `leaves`, which are the inputs.
    template <class MayCompute>
    application_side(const graph_type& g, std::span<const node_id> results, std::vector<node_id>& leaves, MayCompute&& may_compute)
        : g_(g) {
        for (const node_id r : results) visit(r, leaves, may_compute);
    }

    /// The region; nothing where it has what a region cannot have. Call once.
    [[nodiscard]] std::optional<region_view> view(std::span<const node_id> leaves, std::span<const node_id> results) {
        for (const node_id n : leaves) {
            const node_type& type = g_.type(n);
            if (!type.is_tensor() || !type.is_static()) return std::nullopt;
            add(n, region_value::role::input);
        }
        const std::size_t inputs = values_.size();
        for (const node_id n : nodes_)
            for (std::size_t i = 0; i < g_.arity(n); ++i) {
                const node_id o = g_.operand(n, i);
                if (number_.contains(o) || is_computed(o)) continue;
                add(o, g_.constant(o) != nullptr ? region_value::role::constant : region_value::role::absent);
            }
        for (const node_id r : results)
            if (!number_.contains(r) && !is_computed(r)) {
                if (g_.constant(r) == nullptr) return std::nullopt;
                add(r, region_value::role::constant);
            }
        const std::size_t outside = values_.size();
        std::size_t count = 2 * results.size();
        for (const node_id n : nodes_) count += g_.arity(n);
        operands_.reserve(count + 64);
        for (const node_id n : nodes_) {
            const bool is_call = g_.kind(n) == node_kind::call;
            if (!is_call && g_.kind(n) != node_kind::projection) return std::nullopt;
            // An output of a call outside cannot be told from the others.
            if (!is_call && !is_computed(g_.operand(n, 0))) return std::nullopt;
            if (!g_.type(n).is_static()) return std::nullopt;
            const std::size_t first = operands_.size();
            for (std::size_t i = 0; i < g_.arity(n); ++i) operands_.push_back(number_.at(g_.operand(n, i)));
            region_value& v = add(n, is_call ? region_value::role::call : region_value::role::projection);
            v.operands = {operands_.data() + first, g_.arity(n)};
            if (is_call)
                v.op = g_.op(n);
            else
                v.field = static_cast<std::uint32_t>(g_.field(n));
        }
        for (const node_id r : results) {
            const node_type& type = g_.type(r);
            if (type.is_tensor()) {
                results_.push_back(number_.at(r));
                continue;
            }
            // All outputs of a call.
            if (!type.is_tuple() || g_.kind(r) != node_kind::call || type.fields.size() > 32) return std::nullopt;
            for (std::size_t i = 0; i < type.fields.size(); ++i) {
                if (operands_.size() == operands_.capacity()) return std::nullopt;
                operands_.push_back(number_.at(r));
                region_value v;
                v.kind = region_value::role::projection;
                v.attributes = &g_.attributes(r);
                v.type = &type.fields[i];
                v.field = static_cast<std::uint32_t>(i);
                v.operands = {operands_.data() + operands_.size() - 1, 1};
                results_.push_back(static_cast<value_id>(values_.size()));
                values_.push_back(v);
            }
        }
        return region_view{values_, inputs, outside - inputs, results_, {}, {}};
    }

private:
    [[nodiscard]] bool is_computed(node_id n) const { return has_item(nodes_, n); }
    template <class MayCompute>
    void visit(node_id n, std::vector<node_id>& leaves, MayCompute&& may_compute) {
        if (g_.constant(n) != nullptr || has_item(nodes_, n) || has_item(leaves, n)) return;
        if (g_.kind(n) == node_kind::tuple && g_.arity(n) == 0) return;
        if (!may_compute(n)) {
            leaves.push_back(n);
            return;
        }
        for (std::size_t i = 0; i < g_.arity(n); ++i) visit(g_.operand(n, i), leaves, may_compute);
        if (!has_item(nodes_, n)) nodes_.push_back(n);
    }
    region_value& add(node_id n, region_value::role role) {
        number_.emplace(n, static_cast<value_id>(values_.size()));
        region_value& v = values_.emplace_back();
        v.kind = role;
        v.attributes = &g_.attributes(n);
        v.type = &g_.type(n);
        v.value = g_.constant(n);
        v.origin = n;
        return v;
    }

    const graph_type& g_;
    std::vector<node_id> nodes_;
    std::vector<region_value> values_;
    std::vector<value_id> operands_, results_;
    std::map<node_id, value_id> number_;
};

/// The key of an application; nothing where its constants are too large to be read for that.
[[nodiscard]] inline std::optional<digest> application_key(std::string_view rule, const region_view& before, const region_view& after,
                                                           std::size_t most_bytes) {
    digest_builder b;
    b.add(rule);
    std::size_t bytes = 0;
    for (const region_view* side : {&before, &after}) {
        const region_content content = content_of(*side);
        b.add(content.structure);
        for (const value_id v : content.inputs) b.add(static_cast<std::uint64_t>(v));
        for (const region_value& v : side->constants()) {
            if (v.value == nullptr) continue;
            bytes += v.value->bytes();
            if (bytes > most_bytes) return std::nullopt;
            b.add(v.value->content());
        }
    }
    return b.finish();
}

/// Chosen elements of both sides on the same inputs. The error says why they cannot be told.
struct evaluated_sides {
    std::vector<expected_samples> before, after;
};
[[nodiscard]] inline outcome<evaluated_sides> evaluate_sides(const region_view& before, const region_view& after, op_finder find,
                                                             std::span<const tensor> inputs, const rewrite_check_options& options) {
    constexpr std::size_t least = 4;
    for (std::size_t samples = options.samples;; samples /= 4) {
        std::vector<std::vector<std::int64_t>> places;
        for (const value_id v : before.results) places.push_back(sample_places(static_shape(before.type(v)), samples, options.seed));
        auto first = evaluate_samples(before, find, inputs, places, options.most_operations);
        auto second = first ? evaluate_samples(after, find, inputs, places, options.most_operations) : std::move(first);
        if (first && second) return evaluated_sides{*std::move(first), *std::move(second)};
        if (samples / 4 < least) return second.failure();
    }
}

/// The first element in which the sides differ; empty where they agree. Infinities and NaN are not compared.
[[nodiscard]] inline std::string difference_of(const evaluated_sides& sides, const region_view& before) {
    for (std::size_t r = 0; r < sides.before.size(); ++r) {
        const expected_samples &one = sides.before[r], &other = sides.after[r];
        const tensor_type& type = before.type(before.results[r]);
        const double least = least_normal_of(type.element);
        for (std::size_t k = 0; k < one.places.size(); ++k) {
            const double a = one.values[k], b = other.values[k];
            const double allowed = one.errors[k] + other.errors[k] + least;
            if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(allowed) || std::abs(a - b) <= allowed) continue;
            return "it gives " + sampled_number(b) + " at result " + std::to_string(r) + place_text(static_shape(type), one.places[k]) +
                   " where what it replaces gives " + sampled_number(a);
        }
    }
    return {};
}

}  // namespace detail

outcome<void> rewrite_referee::operator()(const rule_application<working_graph<ir_module>>& a) {
    const working_graph<ir_module>& g = *a.graph;
    std::vector<node_id> old, now, leaves;
    for (const auto& [from, to] : a.replacements) {
        old.push_back(from);
        now.push_back(to);
    }
    const auto is_covered = [&](node_id n) { return sorted_has(a.covered, n); };
    detail::application_side before(g, old, leaves, is_covered);
    const std::size_t read = leaves.size();
    detail::application_side after(g, now, leaves, [&](node_id n) { return n >= a.made || is_covered(n); });
    const auto unchecked = [&]() -> outcome<void> {
        ++unchecked_;
        return {};
    };
    // What only the replacement reads depends on the rest in a way that is not seen here.
    if (leaves.size() != read) return unchecked();
    const auto first = before.view(leaves, old), second = after.view(leaves, now);
    if (!first || !second || first->results.size() != second->results.size()) return unchecked();
    double bytes = 0;
    for (const region_value& v : first->inputs())
        bytes += static_cast<double>(stored_bytes(static_shape(v.type->of_tensor), plain_format(v.type->of_tensor.element)));
    if (bytes > options_.most_bytes) return unchecked();
    const auto key = detail::application_key(a.rule, *first, *second, options_.most_known);
    if (key)
        if (const auto known = seen_.find(*key); known != seen_.end()) {
            ++known_;
            return known->second.empty() ? outcome<void>() : outcome<void>(error{known->second});
        }
    std::string difference;
    bool any = false;
    // Roots and logarithms of negative numbers show nothing.
    for (const bool positive : {false, true}) {
        const auto inputs = check_inputs(*first, options_.seed, positive);
        if (!inputs) break;
        const auto sides = detail::evaluate_sides(*first, *second, find_, *inputs, options_);
        if (!sides) break;
        any = true;
        difference = detail::difference_of(*sides, *first);
        if (!difference.empty()) break;
    }
    if (!any) return unchecked();
    ++compared_;
    if (key) seen_.emplace(*key, difference);
    return difference.empty() ? outcome<void>() : outcome<void>(error{difference});
}

}  // namespace inlay

#endif
