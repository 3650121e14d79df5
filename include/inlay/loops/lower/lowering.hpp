// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_LOWER_LOWERING_HPP
#define INLAY_LOOPS_LOWER_LOWERING_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>  // a leaf: only those who lower include it
#include <memory>      // a leaf: only those who lower include it
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/graph/tensor_type.hpp>
#include <inlay/loops/nest/affine.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_builder.hpp>

namespace inlay {

/// What gives the element of a tensor at some indices. Its copies share it, for it may hold the tensors that it reads, and they theirs.
class element_reader {
public:
    element_reader() = default;
    template <class F>
    requires(!std::same_as<std::remove_cvref_t<F>, element_reader>) element_reader(F f)
        : read_(std::make_shared<const function>(std::move(f))) {}

    [[nodiscard]] expression_id operator()(const std::vector<affine>& at) const { return (*read_)(at); }
    [[nodiscard]] explicit operator bool() const { return read_ != nullptr; }

private:
    using function = std::function<expression_id(const std::vector<affine>& at)>;
    std::shared_ptr<const function> read_;
};

/// A tensor of a region while it is lowered: what the element at some indices is.
struct lowered_tensor {
    std::vector<std::int64_t> extents;
    element_type element = element_type::float32;
    element_reader read;
    std::size_t cost = 0;                  // how many operations reading an element computes anew; 0: it is read from memory
    std::optional<buffer_id> buffer = {};  // that holds it, under the same indices

    [[nodiscard]] bool is_computed() const { return cost != 0; }
};

/// A nest while a region is lowered to it: stages, each of which writes a buffer, one after the other. Its tensors refer to it.
class lowering {
public:
    explicit lowering(std::string name) : made_(std::move(name)) {}
    lowering(const lowering&) = delete;
    lowering& operator=(const lowering&) = delete;

    /// What expressions are made with.
    [[nodiscard]] nest_builder& build() { return made_; }

    /// A tensor of the caller's, row after row.
    [[nodiscard]] INLAY_FUNCTION lowered_tensor input(std::string_view name, const tensor_type& type);

    /// The same tensor in memory: computed once, by a stage. As it is where it is there already.
    [[nodiscard]] lowered_tensor stored(const lowered_tensor& t) { return t.is_computed() ? written(buffer_scope::scratch, "t", t) : t; }

    /// A tensor that one call of a function computes, of which nobody knows here what it means: whoever prints the nest says how it is
    /// called (`printed_call`). It takes the operands, which stand in memory for this, so many elements to work in, if any, and the tensor;
    /// then numbers. A function of that name takes the same throughout a nest.
    [[nodiscard]] INLAY_FUNCTION lowered_tensor called(std::string_view function, std::span<const lowered_tensor> operands,
                                                       std::vector<std::int64_t> extents, element_type element,
                                                       std::span<const std::int64_t> numbers = {}, std::int64_t scratch = 0);

    /// Writes a tensor to a result of the nest.
    lowered_tensor result(std::string_view name, const lowered_tensor& t) { return written(buffer_scope::output, name, t); }

    /// The elements of a tensor row after row under other extents. It stands in memory for this, row after row as one axis, so that every
    /// place in it is a sum.
    [[nodiscard]] INLAY_FUNCTION lowered_tensor viewed(const lowered_tensor& t, std::vector<std::int64_t> extents);

    /// For each element of a tensor, what `combine` makes of `first` and of `value(at, over)` for all indices `over` of other extents.
    template <class Value>
    [[nodiscard]] lowered_tensor reduced(std::vector<std::int64_t> extents, element_type element, const std::vector<std::int64_t>& over,
                                         scalar_function combine, expression_id first, Value&& value) {
        const buffer_id to = made_.buffer(buffer_scope::scratch, "r", element, extents);
        scratch_.push_back(to);
        stage(extents, [&](const std::vector<affine>& at) {
            const statement_id begin = made_.store(to, at, first);
            const statement_id rounds =
                loops("k", over, [&](const std::vector<affine>& k) { return made_.update(to, at, combine, value(at, k)); });
            return made_.block({begin, rounds});
        });
        return in_memory(to, std::move(extents));
    }

    /// A tensor of `first`, in which each round of loops over other extents combines `value(at)` into the element `place(at)`, where
    /// `bounds(at)` hold.
    template <class Place, class Bounds, class Value>
    [[nodiscard]] lowered_tensor scattered(std::vector<std::int64_t> extents, element_type element, const std::vector<std::int64_t>& over,
                                           scalar_function combine, expression_id first, Place&& place, Bounds&& bounds, Value&& value) {
        const buffer_id to = made_.buffer(buffer_scope::scratch, "r", element, extents);
        scratch_.push_back(to);
        stage(extents, [&](const std::vector<affine>& at) { return made_.store(to, at, first); });
        stage(over,
              [&](const std::vector<affine>& at) { return made_.guard(bounds(at), made_.update(to, place(at), combine, value(at))); });
        return in_memory(to, std::move(extents));
    }

    /// A tensor whose elements `value(at, read)` may read those of it that come before, along an axis that is gone through forwards or,
    /// `turned`, from its end.
    template <class Value>
    [[nodiscard]] lowered_tensor following(std::vector<std::int64_t> extents, element_type element, std::size_t axis, bool turned,
                                           Value&& value) {
        const buffer_id to = made_.buffer(buffer_scope::scratch, "r", element, extents);
        scratch_.push_back(to);
        stage(extents, [&](std::vector<affine> at) {
            if (turned) at[axis] = affine(extents[axis] - 1) - at[axis];
            return made_.store(to, at, value(at, [&](const std::vector<affine>& from) { return made_.load(to, from); }));
        });
        return in_memory(to, std::move(extents));
    }

    /// A tensor whose element `value(at)` is computed where it is read, once for each place that reads it, by so many operations.
    template <class Value>
    [[nodiscard]] lowered_tensor computed(std::vector<std::int64_t> extents, element_type element, std::size_t cost, Value value) {
        lowered_tensor made{std::move(extents), element, {}, cost};
        made.read = [this, id = computed_++, element, value = std::move(value)](const std::vector<affine>& at) {
            for (const known_value& k : known_)
                if (k.tensor == id && k.at == at) return made_.load(k.buffer, {affine()});
            const expression_id e = value(at);
            const buffer_id to = made_.buffer(buffer_scope::stack, "v", element, {1});
            known_.push_back({id, at, to, made_.store(to, {affine()}, e)});
            return made_.load(to, {affine()});
        };
        return made;
    }

    /// A number of an element type.
    [[nodiscard]] INLAY_FUNCTION expression_id number(double value, element_type e);

    [[nodiscard]] INLAY_FUNCTION loop_nest finish() &&;

private:
    [[nodiscard]] INLAY_FUNCTION static affine sum_of(const std::vector<affine>& at, const std::vector<std::int64_t>& strides);
    [[nodiscard]] INLAY_FUNCTION lowered_tensor in_memory(buffer_id b, std::vector<std::int64_t> extents);
    INLAY_FUNCTION lowered_tensor written(buffer_scope scope, std::string_view name, const lowered_tensor& t);

    template <class Body>
    void stage(const std::vector<std::int64_t>& extents, Body&& body) {
        stages_.push_back(loops("i", extents, body));
    }
    /// Loops over indices of these extents, the last one innermost.
    template <class Body>
    statement_id loops(std::string_view name, const std::vector<std::int64_t>& extents, Body&& body) {
        std::vector<variable_id> variables;
        std::vector<affine> at;
        for (std::size_t i = 0; i < extents.size(); ++i) {
            variables.push_back(made_.variable(name));
            at.push_back(affine::of(variables.back()));
        }
        // What the body reads of computed tensors is computed before it, in the same round.
        std::vector<known_value> outside = std::exchange(known_, {});
        statement_id inside = body(at);
        if (!known_.empty()) {
            std::vector<statement_id> parts;
            for (const known_value& k : known_) parts.push_back(k.computed);
            parts.push_back(inside);
            inside = made_.block(std::move(parts));
            for (std::size_t i = known_.size(); i-- > 0;) inside = made_.allocate(known_[i].buffer, inside);
        }
        known_ = std::move(outside);
        for (std::size_t i = extents.size(); i-- > 0;) inside = made_.loop(variables[i], extents[i], inside);
        return inside;
    }

    /// An element of a computed tensor, in the body that is being made.
    struct known_value {
        std::size_t tensor = 0;
        std::vector<affine> at;
        buffer_id buffer = 0;
        statement_id computed = 0;
    };

    nest_builder made_;
    std::size_t computed_ = 0;  // tensors
    std::vector<known_value> known_;
    std::vector<statement_id> stages_;
    std::vector<buffer_id> scratch_;
};

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/lower/lowering.ipp>
#endif

#endif
