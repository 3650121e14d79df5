// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_SAMPLE_EVALUATE_SAMPLES_IPP
#define INLAY_OPS_SAMPLE_EVALUATE_SAMPLES_IPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/ops/sample/evaluate_samples.hpp>

#include <inlay/core/quoted_text.hpp>
#include <inlay/ops/operand_checks.hpp>
#include <inlay/ops/sample/sampled_batch.hpp>
#include <inlay/ops/sample/sampled_call.hpp>
#include <inlay/ops/sample/sampled_move.hpp>
#include <inlay/ops/sample/sampled_resize.hpp>
#include <inlay/ops/sample/sampled_sum.hpp>

namespace inlay {

namespace detail {

/// Evaluates chosen elements of a region: marks what is wanted from the results back to the inputs, then computes from the inputs on.
class sample_evaluation {
public:
    sample_evaluation(const region_view& region, op_finder find, std::span<const tensor> inputs, double most_operations, term_sizes sizes,
                      std::span<const double> input_errors, double rounding)
        : region_(region),
          find_(find),
          inputs_(inputs),
          input_errors_(input_errors),
          most_(most_operations),
          sizes_(sizes),
          rounding_(rounding) {
        first_.reserve(region.values.size());
        for (const region_value& v : region.values) {
            first_.push_back(static_cast<std::uint32_t>(tensors_.size()));
            const std::size_t fields = v.type->is_tuple() ? v.type->fields.size() : 1;
            for (std::size_t i = 0; i < fields; ++i) {
                const node_type& type = v.type->is_tuple() ? v.type->fields[i] : *v.type;
                if (v.kind == region_value::role::constant && v.value != nullptr)
                    tensors_.emplace_back(*v.value);
                else if (v.kind == region_value::role::input)
                    tensors_.emplace_back(inputs[number_of(v)], input_errors.empty() ? 0.0 : input_errors[number_of(v)]);
                else if (type.is_tensor() && type.is_static())
                    tensors_.emplace_back(type.of_tensor.element, static_shape(type.of_tensor));
                else
                    tensors_.emplace_back();
            }
        }
    }

    /// The tensor of a value; null where it is left out.
    [[nodiscard]] sampled_tensor* tensor_of(value_id v) {
        const region_value& of = region_[v];
        if (of.kind == region_value::role::absent) return nullptr;
        if (of.kind == region_value::role::projection) return &tensors_[first_[of.operands[0]] + of.field];
        return &tensors_[first_[v]];
    }

    [[nodiscard]] outcome<void> run() {
        const std::span<const region_value> calls = region_.calls();
        const std::size_t before = region_.values.size() - calls.size();
        std::vector<std::optional<step>> steps(calls.size());
        for (std::size_t i = calls.size(); i-- > 0;) {
            if (calls[i].kind != region_value::role::call) continue;
            auto made = want(static_cast<value_id>(before + i));
            if (!made) return error{short_name(calls[i].op) + ": " + made.failure().message};
            steps[i] = *std::move(made);
            if (operations_ > most_)
                return error{"its chosen elements take more than " + std::to_string(static_cast<std::int64_t>(most_)) + " operations"};
        }
        for (std::size_t i = 0; i < calls.size(); ++i)
            if (steps[i])
                if (auto done = compute(*steps[i]); !done) return error{short_name(calls[i].op) + ": " + done.failure().message};
        return {};
    }

private:
    [[nodiscard]] std::size_t number_of(const region_value& v) const { return static_cast<std::size_t>(&v - region_.values.data()); }

    /// One call, and how its elements are had.
    struct step {
        sampled_call c;
        std::vector<const node_type*> types;
        std::vector<const tensor*> known;
        sampled_form form = sampled_form::batch;
        std::optional<move_sources> sources;
        std::optional<sampled_batch> batch;
    };

    [[nodiscard]] outcome<std::optional<step>> want(value_id v) {
        const region_value& value = region_[v];
        std::optional<step> made(std::in_place);
        const std::size_t fields = value.type->is_tuple() ? value.type->fields.size() : 1;
        bool is_wanted = false;
        for (std::size_t i = 0; i < fields; ++i) {
            sampled_tensor& t = tensors_[first_[v] + i];
            const bool here = !t.is_known() && !t.wanted().empty();
            is_wanted = is_wanted || here;
            made->c.results.push_back(here ? &t : nullptr);
        }
        if (!is_wanted) return std::optional<step>();
        made->c.definition = find_(value.op);
        made->c.sizes = sizes_;
        made->c.rounding = rounding_;
        if (made->c.definition == nullptr || made->c.definition->evaluate == nullptr) return error{"it has no meaning here"};
        for (const value_id o : value.operands) made->c.operands.push_back(tensor_of(o));
        // Numbers that say what is read have to be there before it is known what is wanted.
        for (std::size_t i = 0; i < made->c.operands.size(); ++i)
            if (steers(made->c, i) && !made->c.is_known(i))
                if (auto whole = make_known(value.operands[i]); !whole) return whole.failure();
        for (std::size_t i = 0; i < value.operands.size(); ++i) {
            made->types.push_back(region_[value.operands[i]].type);
            made->known.push_back(made->c.has(i) && made->c.operand(i).is_known() ? &made->c.operand(i).whole() : nullptr);
        }
        made->c.call = {value.op, value.attributes, made->types, made->known, fields};
        if (auto marked = mark(*made); !marked) return marked.failure();
        return made;
    }

    /// Whether an operand says which elements of others are read.
    [[nodiscard]] static bool steers(const sampled_call& c, std::size_t i) {
        if (c.definition->kind == op_kind::injective) return !move_sources::is_data(c, i);
        if (c.op() == "onnx.Resize") return i > 0;
        return i == 1 && (c.op() == "onnx.Expand" || c.op() == "onnx.CumSum" || c.op() == "onnx.TopK" || c.op().starts_with("onnx.Reduce"));
    }

    /// Computes all of a value that the region computes.
    [[nodiscard]] outcome<void> make_known(value_id v) {
        sampled_tensor& t = *tensor_of(v);
        sample_evaluation inner(region_, find_, inputs_, most_ - operations_, sizes_, input_errors_, rounding_);
        inner.tensor_of(v)->want_all();
        if (auto done = inner.run(); !done) return done;
        operations_ += inner.operations_;
        const bool has_fractions = is_floating(t.element()) || is_float8(t.element());
        tensor whole(has_fractions ? element_type::float64 : element_type::int64, t.extents());
        if (!whole.ok()) return error{"there is no memory for an operand that says what it reads"};
        for (std::int64_t i = 0; i < t.count(); ++i) {
            if (has_fractions)
                whole.as<double>()[static_cast<std::size_t>(i)] = inner.tensor_of(v)->value(i);
            else
                whole.as<std::int64_t>()[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(inner.tensor_of(v)->value(i));
        }
        auto own = convert_elements(whole, t.element());
        if (!own) return error{"there is no memory for an operand that says what it reads"};
        t = sampled_tensor(*std::move(own));
        return {};
    }

    /// Marks what the wanted elements of a call read.
    [[nodiscard]] outcome<void> mark(step& s) {
        outcome<double> work = 0.0;
        const bool has_one = s.c.results.size() == 1;
        if (has_one && is_sum_of_products(s.c)) {
            s.form = sampled_form::sum;
            work = want_products(s.c);
        } else if (is_window_pooling(s.c)) {
            s.form = sampled_form::sum;
            work = want_windows(s.c);
        } else if (resize_terms::suits(s.c)) {
            s.form = sampled_form::sum;
            work = want_resized(s.c);
        } else if (move_sources::suits(s.c)) {
            auto sources = move_sources::of(s.c);
            if (!sources) return sources.failure();
            s.form = sampled_form::move;
            s.sources = *std::move(sources);
            work = want_moved(s.c, *s.sources);
        } else {
            const bool is_elementwise = elementwise_batch::suits(s.c);
            if (!is_elementwise && !row_batch::suits(s.c)) {
                if (auto fits = add_whole(s); !fits) return fits;
            } else if (is_elementwise) {
                s.batch = elementwise_batch::of(s.c);
            } else {
                auto rows = row_batch::of(s.c);
                if (!rows) return rows.failure();
                s.batch = *std::move(rows);
            }
            want_batch(s.c, *s.batch);
            // Evaluated three times, at the cost of some multiplications for each element.
            work = 20 * s.batch->work();
        }
        if (!work) return work.failure();
        operations_ += *work;
        return {};
    }

    /// All of a call, if that is not too much.
    [[nodiscard]] outcome<void> add_whole(step& s) {
        double flops = 0, elements = 0;
        for (const sampled_tensor* t : s.c.operands)
            if (t != nullptr) elements += static_cast<double>(t->count());
        for (const sampled_tensor* t : s.c.results)
            if (t != nullptr) elements += static_cast<double>(t->count());
        bool are_static = true;
        for (const node_type* t : s.types) are_static = are_static && t->is_static();
        if (s.c.definition->work != nullptr && are_static && s.c.results[0] != nullptr) {
            const tensor_type type(s.c.result().element(), shape(s.c.result().extents().begin(), s.c.result().extents().end()));
            node_type result{type};
            if (s.c.results.size() > 1) result = node_type::tuple(std::vector<node_type>(s.c.results.size(), result));
            flops = s.c.definition->work(s.c.call, result).flops;
        }
        // Compared before anything is gathered.
        if (operations_ + 20 * elements + 3 * flops > most_) return error{"all of it has to be computed, and that is too much for a check"};
        operations_ += 3 * flops;
        s.batch = whole_batch(s.c);
        return {};
    }

    [[nodiscard]] static outcome<void> compute(step& s) {
        switch (s.form) {
            case sampled_form::sum:
                return is_sum_of_products(s.c) ? sum_products(s.c) : is_window_pooling(s.c) ? pool_windows(s.c) : resize_samples(s.c);
            case sampled_form::move:
                move_samples(s.c, *s.sources);
                return {};
            case sampled_form::batch:
                break;
        }
        for (sampled_tensor* t : s.c.operands)
            if (t != nullptr && !t->is_known()) (void)t->wanted();
        return batch_evaluation(s.c, *s.batch).run();
    }

    const region_view& region_;
    op_finder find_;
    std::span<const tensor> inputs_;
    std::span<const double> input_errors_;
    double most_, operations_ = 0;
    term_sizes sizes_;
    double rounding_ = 0;
    std::vector<sampled_tensor> tensors_;
    std::vector<std::uint32_t> first_;  // by value: its first tensor
};

}  // namespace detail

outcome<std::vector<expected_samples>> evaluate_samples(const region_view& region, op_finder find, std::span<const tensor> inputs,
                                                        std::span<const std::vector<std::int64_t>> places, double most_operations,
                                                        term_sizes sizes, std::span<const double> input_errors, double rounding) {
    if (inputs.size() != region.input_count || places.size() != region.results.size())
        return error{"a check was given " + std::to_string(inputs.size()) + " inputs and " + std::to_string(places.size()) +
                     " lists of places, where its region has " + std::to_string(region.input_count) + " inputs and " +
                     std::to_string(region.results.size()) + " results"};
    detail::sample_evaluation all(region, find, inputs, most_operations, sizes, input_errors, rounding);
    for (std::size_t i = 0; i < places.size(); ++i) {
        sampled_tensor* const t = all.tensor_of(region.results[i]);
        if (t == nullptr || t->element() == element_type::string || t->element() == element_type::none)
            return error{"a result has elements that cannot be compared as numbers"};
        for (const std::int64_t at : places[i]) t->want(at);
    }
    if (auto done = all.run(); !done) return done.failure();
    std::vector<expected_samples> expected;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const sampled_tensor& t = *all.tensor_of(region.results[i]);
        expected_samples& e = expected.emplace_back();
        e.places = places[i];
        for (const std::int64_t at : places[i]) {
            e.values.push_back(t.value(at));
            e.errors.push_back(t.error(at));
        }
    }
    return expected;
}

}  // namespace inlay

#endif
