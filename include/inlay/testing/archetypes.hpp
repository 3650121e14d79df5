// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTING_ARCHETYPES_HPP
#define INLAY_TESTING_ARCHETYPES_HPP

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/codegen/declare/backend.hpp>
#include <inlay/core/executor.hpp>
#include <inlay/cost/meter.hpp>
#include <inlay/graph/concepts.hpp>
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/target/option.hpp>

namespace inlay {

// An archetype gives what a concept asks for and no more: what compiles with it asks for no more than the concept says. The graphs have
// two nodes, an input and a call of `archetype.relu` on it, so that algorithms can be run on them as well.

/// Converts to T, and does nothing else.
template <class T>
class archetype_result {
public:
    explicit constexpr archetype_result(T value) : value_(std::forward<T>(value)) {}
    archetype_result(const archetype_result&) = delete;
    archetype_result& operator=(const archetype_result&) = delete;
    constexpr operator T() const { return static_cast<T>(value_); }

private:
    T value_;
};

/// An operator that can be compared with another one, and nothing else.
class archetype_operator {
public:
    explicit constexpr archetype_operator(bool is_relu) : is_relu_(is_relu) {}
    archetype_operator(const archetype_operator&) = delete;
    archetype_operator& operator=(const archetype_operator&) = delete;
    friend constexpr bool operator==(const archetype_operator&, const archetype_operator&) = default;

private:
    bool is_relu_;
};

namespace detail {

/// What all rungs share: the nodes of the archetypes, neither copyable nor movable.
class archetype_nodes {
public:
    archetype_nodes(const archetype_nodes&) = delete;
    archetype_nodes& operator=(const archetype_nodes&) = delete;

    [[nodiscard]] archetype_result<std::size_t> size() const { return archetype_result<std::size_t>(2); }
    [[nodiscard]] archetype_result<std::size_t> arity(node_id n) const { return archetype_result<std::size_t>(n); }
    [[nodiscard]] archetype_result<node_id> operand(node_id, std::size_t) const { return archetype_result<node_id>(0); }

protected:
    archetype_nodes() = default;
    ~archetype_nodes() = default;
};

class archetype_typed_nodes : public archetype_nodes {
public:
    [[nodiscard]] archetype_result<const node_type&> type(node_id) const { return archetype_result<const node_type&>(type_); }

protected:
    archetype_typed_nodes() = default;
    ~archetype_typed_nodes() = default;

private:
    node_type type_{tensor_type(element_type::float32, {4})};
};

}  // namespace detail

/// `graph` and no more.
class archetype_graph : public detail::archetype_nodes {
public:
    [[nodiscard]] archetype_operator op(node_id n) const { return archetype_operator(n == 1); }
};

/// `typed_graph` and no more.
class archetype_typed_graph : public detail::archetype_typed_nodes {
public:
    [[nodiscard]] archetype_operator op(node_id n) const { return archetype_operator(n == 1); }
};

/// Text that can be compared as well, as the operators of an `attributed_graph` can.
class archetype_text : public archetype_result<std::string_view> {
public:
    using archetype_result::archetype_result;
    friend constexpr bool operator==(const archetype_text& a, const archetype_text& b) {
        return std::string_view(a) == std::string_view(b);
    }
};

/// `attributed_graph` and no more.
class archetype_attributed_graph : public detail::archetype_typed_nodes {
public:
    [[nodiscard]] archetype_text op(node_id n) const { return archetype_text(n == 1 ? "archetype.relu" : "input"); }
    [[nodiscard]] archetype_result<const attribute_map&> attributes(node_id) const {
        return archetype_result<const attribute_map&>(attributes_);
    }
    [[nodiscard]] archetype_result<const tensor*> constant(node_id) const { return archetype_result<const tensor*>(nullptr); }

private:
    attribute_map attributes_;
};

/// `scoped_graph` and no more.
class archetype_scoped_graph : public archetype_attributed_graph {
public:
    [[nodiscard]] archetype_result<block_id> block(node_id) const { return archetype_result<block_id>(0); }
};

/// `functional_graph` and no more.
class archetype_functional_graph : public archetype_scoped_graph {
public:
    [[nodiscard]] node_kind kind(node_id n) const { return n == 1 ? node_kind::call : node_kind::input; }
    [[nodiscard]] archetype_result<std::size_t> field(node_id) const { return archetype_result<std::size_t>(0); }
    [[nodiscard]] archetype_result<std::string_view> symbol(node_id) const { return archetype_result<std::string_view>(""); }
};

/// `rewritable_graph` and no more. Whatever its builder is told, the graph that it gives is the same.
class archetype_rewritable_graph : public archetype_functional_graph {
public:
    class builder {
    public:
        explicit builder(node_id first) : next_(first) {}
        builder(const builder&) = delete;
        builder& operator=(const builder&) = delete;

        archetype_result<node_id> copy(const archetype_rewritable_graph&, node_id, std::span<const node_id>) { return made(); }
        archetype_result<node_id> call(std::string_view, std::span<const node_id>, const attribute_map&, const node_type&) {
            return made();
        }
        archetype_result<node_id> constant(const tensor&) { return made(); }
        [[nodiscard]] archetype_rewritable_graph finish() { return {}; }

    private:
        archetype_result<node_id> made() { return archetype_result<node_id>(next_++); }

        node_id next_;
    };
};

/// `target` and no more.
struct archetype_target {
    static constexpr archetype_result<std::string_view> kind{"archetype"};
    static constexpr archetype_result<device_type> device{device_type::cpu};
    using options = option_list<>;
};

/// `backend` and no more: takes `archetype.relu`, and refuses to make code for it.
struct archetype_backend : archetype_target {
    static constexpr archetype_result<std::string_view> refines{"llvm"};
    static std::string version() { return "0"; }
    [[nodiscard]] outcome<void> usable() const { return {}; }
    static constexpr auto patterns() { return pattern_table{composite<"relu">(dsl::op<"archetype.relu">)}; }
    [[nodiscard]] archetype_result<std::vector<border_formats>> formats(const region_view& r) const {
        return archetype_result<std::vector<border_formats>>({plain_borders(r)});
    }
    [[nodiscard]] archetype_result<std::optional<double>> price(const region_view&) const {
        return archetype_result<std::optional<double>>(1.0);
    }
    [[nodiscard]] outcome<kernel> emit(const region_view&) const { return error{"an archetype makes no code"}; }
};

/// `executor` and no more.
class archetype_executor {
public:
    explicit archetype_executor(std::size_t threads) : threads_(threads) {}
    archetype_executor(const archetype_executor&) = delete;
    archetype_executor& operator=(const archetype_executor&) = delete;

    [[nodiscard]] archetype_result<std::size_t> threads() { return archetype_result<std::size_t>(threads_); }
    template <class Task>
    void run(std::size_t count, Task&& task) {
        for (std::size_t i = count; i-- != 0;) task(i);
    }

private:
    std::size_t threads_;
};

/// `meter` and no more: whatever it is asked takes the given seconds.
class archetype_meter {
public:
    explicit archetype_meter(double seconds) : seconds_(seconds) {}
    archetype_meter(const archetype_meter&) = delete;
    archetype_meter& operator=(const archetype_meter&) = delete;

    [[nodiscard]] std::vector<measurement> price(std::span<const pricing_job> jobs) {
        return std::vector<measurement>(jobs.size(), measurement::of(std::span<const double>(&seconds_, 1)));
    }

private:
    double seconds_;
};

}  // namespace inlay

#endif
