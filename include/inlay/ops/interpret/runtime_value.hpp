// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_INTERPRET_RUNTIME_VALUE_HPP
#define INLAY_OPS_INTERPRET_RUNTIME_VALUE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>  // closures and references share what they hold, and only a counted pointer says so
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <inlay/core/id.hpp>
#include <inlay/graph/tensor.hpp>

namespace inlay {

/// What a node of a program gives when it is interpreted: nothing yet, a tensor, fields side by side (a tuple, or a constructor of a data
/// type with its fields), a closure, or a reference cell. Copies share.
class runtime_value {
public:
    struct record {
        std::string constructor;  // empty for a tuple
        std::vector<runtime_value> fields;
        std::size_t depth = 1;  // records within records, for they are freed one inside the other
    };
    struct closure {
        node_id function = no_node;
        std::vector<runtime_value> captured;
        std::size_t itself = npos;  // the captured value that is this closure: a function that a let makes recursive
    };
    struct cell;

    static constexpr std::size_t npos = static_cast<std::size_t>(-1);
    static constexpr std::size_t deepest_record = 10'000;

    runtime_value() = default;
    runtime_value(tensor t) : held_(std::move(t)) {}
    runtime_value(closure c) : held_(std::make_shared<const closure>(std::move(c))) {}

    [[nodiscard]] static runtime_value tuple(std::vector<runtime_value> fields) { return of_record({}, std::move(fields)); }
    [[nodiscard]] static runtime_value of_record(std::string_view constructor, std::vector<runtime_value> fields) {
        record r{std::string(constructor), std::move(fields), 1};
        for (const runtime_value& f : r.fields)
            if (const record* inner = f.as_record()) r.depth = std::max(r.depth, inner->depth + 1);
        runtime_value v;
        v.held_ = std::make_shared<const record>(std::move(r));
        return v;
    }
    [[nodiscard]] static runtime_value reference(runtime_value content);

    [[nodiscard]] bool empty() const { return held_.index() == 0; }
    [[nodiscard]] const tensor* as_tensor() const { return std::get_if<tensor>(&held_); }
    [[nodiscard]] const record* as_record() const { return pointer<record>(); }
    [[nodiscard]] const closure* as_closure() const { return pointer<closure>(); }
    [[nodiscard]] cell* as_cell() const;

    /// What kind of value this is, for errors.
    [[nodiscard]] std::string_view kind() const {
        static constexpr std::string_view words[] = {"nothing", "a tensor", "a tuple", "a function", "a reference"};
        const record* r = as_record();
        return r != nullptr && !r->constructor.empty() ? std::string_view("a value of a data type") : words[held_.index()];
    }

private:
    template <class T>
    [[nodiscard]] const T* pointer() const {
        const auto* p = std::get_if<std::shared_ptr<const T>>(&held_);
        return p == nullptr ? nullptr : p->get();
    }

    std::variant<std::monostate, tensor, std::shared_ptr<const record>, std::shared_ptr<const closure>, std::shared_ptr<cell>> held_;
};

/// The content of a reference, which writing replaces.
struct runtime_value::cell {
    runtime_value content;
};

inline runtime_value runtime_value::reference(runtime_value content) {
    runtime_value v;
    v.held_ = std::make_shared<cell>(cell{std::move(content)});
    return v;
}

inline runtime_value::cell* runtime_value::as_cell() const {
    const auto* p = std::get_if<std::shared_ptr<cell>>(&held_);
    return p == nullptr ? nullptr : p->get();
}

}  // namespace inlay

#endif
