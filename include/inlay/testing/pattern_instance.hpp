// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTING_PATTERN_INSTANCE_HPP
#define INLAY_TESTING_PATTERN_INSTANCE_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <inlay/ir/ir_builder.hpp>
#include <inlay/pattern/term/pattern_term.hpp>
#include <inlay/rewrite/instantiate.hpp>

namespace inlay {

/// Makes small random programs that a pattern matches: it chooses alternatives, numbers of repetitions, shapes and constants. From a custom
/// matcher or a constant known by its content it makes no program; negations it leaves to chance.
class pattern_instance {
public:
    /// The pattern outlives it.
    pattern_instance(const pattern_view& p, std::uint64_t seed) : p_(p), random_(seed) {}

    /// The next program, whose result is the pattern's root, without types. Nothing where this attempt failed.
    [[nodiscard]] std::optional<ir_module> next() {
        b_ = ir_builder();
        b_.open_block();
        inputs_.clear();
        bound_.assign(p_.slots.size(), no_node);
        failed_ = false;
        left_ = 200;
        shape_.clear();
        const std::size_t rank = below(5);
        for (std::size_t i = 0; i < rank; ++i) shape_.push_back(static_cast<std::int64_t>(1 + below(4)));
        const node_id root = build(p_.root, nullptr);
        if (failed_) return std::nullopt;
        b_.declare(b_.function(inputs_, root, "main"));
        return b_.finish();
    }

private:
    /// Where a repetition stands: its term, how often its step is still to come, and what holes of its base mean.
    struct repetition {
        term_id term;
        std::uint32_t left;
        const repetition* outer;
    };

    std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }

    node_id build(term_id id, const repetition* in) {
        const pattern_term& t = p_[id];
        if (failed_ || left_ == 0) {
            failed_ = true;
            return 0;
        }
        --left_;
        switch (t.kind) {
            case term_kind::any:
                return below(6) == 0 ? constant(element_type::float32, shape_here()) : input(element_type::float32, shape_here());
            case term_kind::node:
                return node(t, {}, in);
            case term_kind::literal:
                return number(t.number);
            case term_kind::either:
                return build(p_.child(t, below(t.count)), in);
            case term_kind::both:
                return both(t, in);
            case term_kind::no:
                return input(element_type::float32, shape_here());
            case term_kind::capture: {
                node_id& slot = bound_[t.place];
                if (slot != no_node) return slot;
                const node_id made = build(p_.child(t, 0), in);
                bound_[t.place] = made;
                return made;
            }
            case term_kind::attributes:
                return with_attributes(id, in);
            case term_kind::type:
                return with_type(t, in);
            case term_kind::repeat: {
                const std::uint32_t most = t.most < t.least + 3 ? t.most : t.least + 3;
                const repetition here{id, t.least + static_cast<std::uint32_t>(below(most - t.least + 1)), in};
                return again(here);
            }
            case term_kind::hole: {
                const repetition once_less{in->term, in->left, in->outer};
                return again(once_less);
            }
            case term_kind::reference:
                return build(p_.child(t, 0), nullptr);
            default:
                failed_ = true;
                return 0;
        }
    }

    node_id again(const repetition& at) {
        const pattern_term& t = p_[at.term];
        if (at.left == 0) return build(p_.child(t, 1), at.outer);
        const repetition inside{at.term, at.left - 1, at.outer};
        return build(p_.child(t, 0), &inside);
    }

    /// Builds one of the conjuncts, a node if there is one. The search for the pattern then shows whether the others hold.
    node_id both(const pattern_term& t, const repetition* in) {
        for (const term_id c : p_.children(t)) {
            term_id at = c;
            while (p_[at].kind == term_kind::capture || p_[at].kind == term_kind::attributes || p_[at].kind == term_kind::type)
                at = p_.child(p_[at], 0);
            if (p_[at].kind == term_kind::node) return build(c, in);
        }
        return build(p_.child(t, 0), in);
    }

    node_id node(const pattern_term& t, const attribute_map& attributes, const repetition* in) {
        if (t.node == node_kind::constant) return constant(element_type::float32, shape_here());
        if (t.node == node_kind::input) return input(element_type::float32, shape_here());
        std::vector<node_id> operands;
        for (const term_id c : p_.children(t)) operands.push_back(build(c, in));
        if (t.open && t.node == node_kind::call)
            for (std::size_t more = below(t.count == 0 ? 3 : 2) + (t.count == 0 ? 1 : 0); more != 0; --more)
                operands.push_back(below(2) == 0 ? constant(element_type::float32, shape_here())
                                                 : input(element_type::float32, shape_here()));
        if (t.unordered)
            for (std::size_t i = operands.size(); i > 1; --i) std::swap(operands[i - 1], operands[below(i)]);
        switch (t.node) {
            case node_kind::call:
                if (t.names.empty()) failed_ = true;
                return failed_ ? 0 : b_.call(t.names[below(t.names.size())], operands, attributes);
            case node_kind::tuple:
                return b_.tuple(operands);
            case node_kind::projection:
                return b_.projection(operands[0], t.place == pattern_term::unbounded ? 0 : t.place);
            default:
                failed_ = true;
                return 0;
        }
    }

    node_id with_attributes(term_id id, const repetition* in) {
        attribute_map made;
        const pattern_term* t = &p_[id];
        for (; t->kind == term_kind::attributes; t = &p_[p_.child(*t, 0)])
            for (const attribute_guard& g : t->guards) set_attribute(made, g);
        if (t->kind == term_kind::node) return node(*t, made, in);
        failed_ = true;
        return 0;
    }

    node_id with_type(const pattern_term& t, const repetition* in) {
        // A capture between the type and what has it is bound to what is made.
        term_id at = p_.child(t, 0);
        while (p_[at].kind == term_kind::capture && bound_[p_[at].place] == no_node) at = p_.child(p_[at], 0);
        const pattern_term& of = p_[at];
        const bool is_leaf =
            of.kind == term_kind::any || (of.kind == term_kind::node && (of.node == node_kind::constant || of.node == node_kind::input));
        if (!is_leaf || t.type->kind != type_guard::form::tensor) return build(p_.child(t, 0), in);
        const element_type element = t.type->element == element_type::none ? element_type::float32 : t.type->element;
        std::vector<std::int64_t> extents = shape_;
        if (t.type->shaped) {
            extents.clear();
            for (const extent_guard& e : t.type->extents) extents.push_back(e.size >= 0 ? e.size : static_cast<std::int64_t>(1 + below(4)));
        }
        const bool known = of.kind == term_kind::node && of.node == node_kind::constant;
        const node_id made = known ? constant(element, extents) : input(element, extents);
        for (at = p_.child(t, 0); p_[at].kind == term_kind::capture; at = p_.child(p_[at], 0)) bound_[p_[at].place] = made;
        return made;
    }

    /// Mostly one shape for all, at times with extents of 1, or a scalar: what operators stretch.
    std::vector<std::int64_t> shape_here() {
        std::vector<std::int64_t> extents = shape_;
        if (below(4) == 0)
            for (std::int64_t& e : extents)
                if (below(2) == 0) e = 1;
        if (below(8) == 0) extents.clear();
        return extents;
    }
    node_id input(element_type element, const std::vector<std::int64_t>& extents) {
        const shape s(extents.begin(), extents.end());
        inputs_.push_back(b_.input("x" + std::to_string(inputs_.size()), node_type(tensor_type(element, s))));
        return inputs_.back();
    }
    node_id constant(element_type element, const std::vector<std::int64_t>& extents) {
        tensor t(element, extents);
        if (!t.ok() || element == element_type::string) {
            failed_ = true;
            return 0;
        }
        if (element == element_type::float32)
            for (float& e : t.as<float>()) e = static_cast<float>(below(33)) / 8 - 2;
        else if (element == element_type::int64)
            for (std::int64_t& e : t.as<std::int64_t>()) e = static_cast<std::int64_t>(below(5)) - 1;
        else if (element == element_type::boolean)
            // As often as not the same everywhere: rules ask for that.
            for (const auto [same, all] = std::pair{below(2) == 0, below(2) == 0}; bool& e : t.as<bool>()) e = same ? all : below(2) == 0;
        return b_.constant(t);
    }
    node_id number(double value) {
        std::vector<std::int64_t> extents;
        for (std::size_t rank = below(3); rank != 0; --rank) extents.push_back(1);
        const auto t = filled_tensor(element_type::float32, extents, value);
        if (!t) failed_ = true;
        return failed_ ? 0 : b_.constant(*t);
    }

    const pattern_view& p_;
    std::mt19937_64 random_;
    ir_builder b_;
    std::vector<node_id> inputs_, bound_;
    std::vector<std::int64_t> shape_;
    std::size_t left_ = 0;  // terms until it is enough
    bool failed_ = false;
};

}  // namespace inlay

#endif
