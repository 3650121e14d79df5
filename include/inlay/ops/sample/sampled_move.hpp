// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_SAMPLE_SAMPLED_MOVE_HPP
#define INLAY_OPS_SAMPLE_SAMPLED_MOVE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/ops/attributes/movement_attributes.hpp>
#include <inlay/ops/interpret/evaluate_call.hpp>
#include <inlay/ops/loops/strides.hpp>
#include <inlay/ops/onnx/generation.hpp>
#include <inlay/ops/sample/sampled_call.hpp>

namespace inlay::detail {

/// Of which operand's element a result element is a copy; `operand` is -1 where it is a zero that the operator makes.
struct element_source {
    std::int32_t operand = 0;
    std::int64_t at = 0;
};

/// Says where the elements of a moving operator's results come from. Transpose, Expand, Concat and what keeps the order of elements are
/// read off their types; for the rest the operator's own meaning moves the numbers of the elements instead of the elements.
class move_sources {
public:
    /// A moving operator whose other operands, such as indices and axes, are known.
    [[nodiscard]] static bool suits(const sampled_call& c) {
        if (c.op() == "onnx.Expand" || c.op() == "onnx.ConstantOfShape") return true;
        if (c.definition->kind != op_kind::injective || !c.op().starts_with("onnx.")) return false;
        for (std::size_t i = 0; i < c.operands.size(); ++i)
            if (!is_data(c, i) && !c.is_known(i)) return false;
        return true;
    }
    /// Whether operand i holds elements that are moved, not numbers that say where to.
    [[nodiscard]] static bool is_data(const sampled_call& c, std::size_t i) {
        return i == 0 || c.op() == "onnx.Concat" || (c.op() == "onnx.Pad" && i == 2);
    }

    /// Error: the meaning refuses, or there are too many elements to number.
    [[nodiscard]] static outcome<move_sources> of(const sampled_call& c) {
        move_sources m;
        const std::string_view op = c.op();
        if (op == "onnx.Split") return numbered(c);
        if (op == "onnx.ConstantOfShape") {
            const auto value = repeated_value(c.call);
            if (!value) return value.failure();
            m.kind_ = form::filled;
            m.fill_ = element_as_double(value->data(), value->element(), 0);
            return m;
        }
        const std::vector<std::int64_t>&in = c.operand(0).extents(), &out = c.result().extents();
        if (op == "onnx.Reshape" || op == "onnx.Flatten" || op == "onnx.Squeeze" || op == "onnx.Unsqueeze") {
            m.kind_ = form::same;
        } else if (op == "onnx.Expand" || op == "onnx.Transpose") {
            m.kind_ = form::strided;
            m.out_ = out;
            if (op == "onnx.Expand") {
                m.step_ = stretched_strides(in, out);
            } else {
                const std::vector<std::int64_t> own = row_major_strides(in);
                std::vector<std::int64_t> order = c.call.attributes->integers("perm");
                if (order.empty())
                    for (std::size_t i = in.size(); i-- > 0;) order.push_back(static_cast<std::int64_t>(i));
                for (const std::int64_t axis : order) m.step_.push_back(own[static_cast<std::size_t>(axis)]);
            }
        } else if (op == "onnx.Concat") {
            m.kind_ = form::joined;
            const std::int64_t stated = c.call.attributes->integer("axis", 0), rank = static_cast<std::int64_t>(out.size());
            const auto axis = static_cast<std::size_t>(stated < 0 ? stated + rank : stated);
            m.inner_ = extent_product(out, axis + 1, out.size());
            for (const sampled_tensor* t : c.operands) m.lengths_.push_back(t == nullptr ? 0 : t->extents()[axis]);
        } else {
            return numbered(c);
        }
        return m;
    }

    /// The source of element `out` of result `r`. Precondition: there is such an element.
    [[nodiscard]] element_source operator()(std::size_t r, std::int64_t out) const {
        switch (kind_) {
            case form::same:
                return {0, out};
            case form::strided: {
                std::int64_t at = 0;
                for (std::size_t i = out_.size(); i-- > 0; out /= out_[i]) at += out % out_[i] * step_[i];
                return {0, at};
            }
            case form::joined: {
                const std::int64_t whole = std::accumulate(lengths_.begin(), lengths_.end(), std::int64_t{0});
                std::int64_t place = out / inner_ % whole;
                std::size_t i = 0;
                for (; place >= lengths_[i]; ++i) place -= lengths_[i];
                return {static_cast<std::int32_t>(i), (out / inner_ / whole * lengths_[i] + place) * inner_ + out % inner_};
            }
            case form::filled:
                return {-1, 0};
            case form::numbered:
                break;
        }
        const std::int64_t number = results_[r].as<std::int64_t>()[static_cast<std::size_t>(out)] - 1;
        if (number < 0) return {-1, 0};
        std::size_t i = 0;
        while (i + 1 < first_.size() && number >= first_[i + 1]) ++i;
        return {position_[i], number - first_[i]};
    }

    /// What an element has that comes from nowhere.
    [[nodiscard]] double fill() const { return fill_; }
    /// What finding the sources took, in elements.
    [[nodiscard]] double work() const { return work_; }

private:
    enum class form : unsigned char { same, strided, joined, filled, numbered };
    static constexpr std::int64_t most_numbered = std::int64_t{1} << 23;

    [[nodiscard]] static outcome<move_sources> numbered(const sampled_call& c) {
        move_sources m;
        m.kind_ = form::numbered;
        std::vector<tensor> operands;
        std::int64_t next = 0, made = 0;
        for (const sampled_tensor* r : c.results) made += r == nullptr ? 0 : r->count();
        for (std::size_t i = 0; i < c.operands.size(); ++i) {
            if (!c.has(i)) {
                operands.emplace_back();
                continue;
            }
            if (!is_data(c, i)) {
                operands.push_back(c.operand(i).whole());
                continue;
            }
            if (c.operand(i).count() > most_numbered || made > most_numbered) return error{"it moves more elements than a check numbers"};
            tensor numbers(element_type::int64, c.operand(i).extents());
            if (!numbers.ok()) return error{"there is no memory to number its elements"};
            // From 1 on, since 0 is what an operator makes of nothing.
            std::iota(numbers.as<std::int64_t>().begin(), numbers.as<std::int64_t>().end(), next + 1);
            m.first_.push_back(next);
            m.position_.push_back(static_cast<std::int32_t>(i));
            next += c.operand(i).count();
            operands.push_back(std::move(numbers));
        }
        auto moved = evaluate_call(*c.definition, *c.call.attributes, operands, c.call.outputs);
        if (!moved) return moved.failure();
        m.results_ = *std::move(moved);
        for (std::size_t r = 0; r < c.results.size(); ++r)
            if (c.results[r] != nullptr &&
                (m.results_[r].element() != element_type::int64 || m.results_[r].extents() != c.results[r]->extents()))
                return error{"it does not move numbers as it moves its elements"};
        m.work_ = static_cast<double>(next + made);
        return m;
    }

    form kind_ = form::same;
    std::vector<std::int64_t> out_, step_;  // strided
    std::vector<std::int64_t> lengths_;     // joined
    std::int64_t inner_ = 1;
    std::vector<tensor> results_;  // numbered
    std::vector<std::int64_t> first_;
    std::vector<std::int32_t> position_;
    double work_ = 0, fill_ = 0;
};

[[nodiscard]] inline outcome<double> want_moved(const sampled_call& c, const move_sources& sources) {
    double work = sources.work();
    for (std::size_t r = 0; r < c.results.size(); ++r) {
        if (c.results[r] == nullptr) continue;
        for (const std::int64_t out : c.results[r]->wanted()) {
            const element_source from = sources(r, out);
            if (from.operand >= 0) c.operand(static_cast<std::size_t>(from.operand)).want(from.at);
        }
        work += static_cast<double>(c.results[r]->wanted().size());
    }
    return work;
}

inline void move_samples(const sampled_call& c, const move_sources& sources) {
    for (std::size_t r = 0; r < c.results.size(); ++r) {
        if (c.results[r] == nullptr) continue;
        const std::vector<std::int64_t>& wanted = c.results[r]->wanted();
        for (std::size_t k = 0; k < wanted.size(); ++k) {
            const element_source from = sources(r, wanted[k]);
            const sampled_tensor* t = from.operand < 0 ? nullptr : c.operands[static_cast<std::size_t>(from.operand)];
            c.results[r]->set(k, t == nullptr ? sources.fill() : t->value(from.at), t == nullptr ? 0 : t->error(from.at));
        }
    }
}

}  // namespace inlay::detail

#endif
