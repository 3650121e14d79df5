// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_INTERPRET_RUNTIME_VALUE_HPP
#define INLAY_OPS_INTERPRET_RUNTIME_VALUE_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/id.hpp>
#include <inlay/core/shared_handle.hpp>
#include <inlay/graph/tensor.hpp>

namespace inlay {

/// What a node of a program is worth when it is interpreted: nothing yet, a tensor, fields side by side (a tuple, or a constructor of a
/// data type with its fields), a function, or a reference. As large as a pointer; copies share. What is nested, however deep, is freed
/// without recursion; what reaches itself through a reference is freed when the reference is written to.
class runtime_value {
public:
    struct record {
        std::string constructor;  // empty for a tuple
        std::vector<runtime_value> fields;
    };
    struct closure {
        node_id function = no_node;
        std::vector<runtime_value> captured;
        std::size_t itself = npos;  // the captured value that is this closure: a function that a let makes recursive
    };
    struct cell;

    static constexpr std::size_t npos = static_cast<std::size_t>(-1);

    runtime_value() = default;
    runtime_value(tensor t) : held_(new of_kind<tensor>(form::tensor, std::move(t))) {}
    runtime_value(closure c) : held_(new of_kind<closure>(form::closure, std::move(c))) {}

    [[nodiscard]] static runtime_value tuple(std::vector<runtime_value> fields) { return of_record({}, std::move(fields)); }
    [[nodiscard]] static runtime_value of_record(std::string_view constructor, std::vector<runtime_value> fields) {
        return runtime_value(new of_kind<record>(form::record, {std::string(constructor), std::move(fields)}));
    }
    [[nodiscard]] static runtime_value reference(runtime_value content);

    [[nodiscard]] bool empty() const { return !held_; }
    [[nodiscard]] const tensor* as_tensor() const { return of<tensor>(form::tensor); }
    [[nodiscard]] const record* as_record() const { return of<record>(form::record); }
    [[nodiscard]] const closure* as_closure() const { return of<closure>(form::closure); }
    [[nodiscard]] cell* as_cell() const { return of<cell>(form::cell); }

    /// Whether no other value shares what this one holds.
    [[nodiscard]] bool is_alone() const { return held_.is_alone(); }

    /// What kind of value this is, for errors.
    [[nodiscard]] std::string_view kind() const {
        if (empty()) return "nothing";
        static constexpr std::string_view words[] = {"a tensor", "a tuple", "a function", "a reference"};
        const record* r = as_record();
        return r != nullptr && !r->constructor.empty() ? std::string_view("a value of a data type")
                                                       : words[static_cast<std::size_t>(held_->what)];
    }

private:
    enum class form : std::uint8_t { tensor, record, closure, cell };
    struct object : owner_count {
        form what;

        explicit object(form f) : what(f) {}
        static void release(object* o);
    };
    template <class T>
    struct of_kind : object {
        T value;

        of_kind(form f, T v) : object(f), value(std::move(v)) {}
    };

    explicit runtime_value(object* made) : held_(made) {}

    template <class T>
    [[nodiscard]] T* of(form f) const {
        return held_ && held_->what == f ? &static_cast<of_kind<T>*>(held_.get())->value : nullptr;
    }
    /// Moves what an object holds within it behind the others.
    static void take(object* o, std::vector<runtime_value>& all);

    shared_handle<object> held_;
};

/// The content of a reference, which writing replaces.
struct runtime_value::cell {
    runtime_value content;
};

inline runtime_value runtime_value::reference(runtime_value content) {
    return runtime_value(new of_kind<cell>(form::cell, {std::move(content)}));
}

inline void runtime_value::take(object* o, std::vector<runtime_value>& all) {
    const auto move_out = [&](std::vector<runtime_value>& from) {
        for (runtime_value& v : from) all.push_back(std::move(v));
        from.clear();
    };
    switch (o->what) {
        case form::tensor:
            break;
        case form::record:
            move_out(static_cast<of_kind<record>*>(o)->value.fields);
            break;
        case form::closure:
            move_out(static_cast<of_kind<closure>*>(o)->value.captured);
            break;
        case form::cell:
            if (!static_cast<of_kind<cell>*>(o)->value.content.empty())
                all.push_back(std::exchange(static_cast<of_kind<cell>*>(o)->value.content, {}));
            break;
    }
}

inline void runtime_value::object::release(object* o) {
    // What is freed with it is emptied first, so that it frees nothing in turn.
    std::vector<runtime_value> left;
    take(o, left);
    switch (o->what) {
        case form::tensor:
            delete static_cast<of_kind<tensor>*>(o);
            break;
        case form::record:
            delete static_cast<of_kind<record>*>(o);
            break;
        case form::closure:
            delete static_cast<of_kind<closure>*>(o);
            break;
        case form::cell:
            delete static_cast<of_kind<cell>*>(o);
            break;
    }
    while (!left.empty()) {
        const runtime_value v = std::move(left.back());
        left.pop_back();
        if (v.is_alone()) take(v.held_.get(), left);
    }
}

}  // namespace inlay

#endif
