// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_NEST_LOOP_NEST_HPP
#define INLAY_LOOPS_NEST_LOOP_NEST_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/graph/element_type.hpp>
#include <inlay/loops/nest/affine.hpp>
#include <inlay/loops/nest/scalar_function.hpp>

namespace inlay {

/// Numbers of a nest's buffers, functions, expressions and statements: dense, from 0; of expressions and statements, parts before the
/// whole.
using buffer_id = std::uint32_t;
using function_id = std::uint32_t;
using expression_id = std::uint32_t;
using statement_id = std::uint32_t;

/// Whose a buffer is: the caller's, to be read or to be written, or the nest's own, in memory, on the stack, or in the memory that the
/// threads of one block of a device share.
enum class buffer_scope : std::uint8_t { input, output, scratch, stack, shared };

[[nodiscard]] constexpr std::string_view name_of(buffer_scope s) {
    constexpr std::array<std::string_view, 5> names{"input", "output", "scratch", "stack", "shared"};
    return names[static_cast<std::size_t>(s)];
}

/// Memory with a shape. The element at some indices stands as many elements behind the first as their sum is, each times its stride.
struct nest_buffer {
    std::string name;
    element_type element = element_type::float32;
    std::vector<std::int64_t> extents;
    std::vector<std::int64_t> strides;  // elements, one for each extent
    buffer_scope scope = buffer_scope::input;

    friend bool operator==(const nest_buffer&, const nest_buffer&) = default;
};

/// Elements from a buffer's first to past its last, gaps between rows counted; 0 where an extent is. Precondition: its nest is sound.
[[nodiscard]] inline std::size_t element_span(const nest_buffer& b) {
    std::int64_t last = 0;
    for (std::size_t i = 0; i < b.extents.size(); ++i) {
        if (b.extents[i] == 0) return 0;
        last += (b.extents[i] - 1) * b.strides[i];
    }
    return static_cast<std::size_t>(last) + 1;
}

/// A scalar that a statement computes.
struct nest_expression {
    enum class form : std::uint8_t {
        number,  // a constant
        index,   // the whole number `indices[0]`, as int64
        load,    // an element of a buffer
        apply,   // a function of operands
        choose,  // the second operand where the first is true, else the third; both are computed
        within,  // the first operand where all bounds hold, else the second; only that one is computed
        cast     // the operand as another element type: rounded to even, towards zero for whole numbers
    };

    form kind = form::number;
    element_type element = element_type::float32;  // of what it gives
    scalar_function function = scalar_function::add;
    buffer_id buffer = 0;
    double number = 0;         // a constant of a floating type
    std::int64_t integer = 0;  // a constant of a whole type, or a truth value
    std::vector<affine> indices;
    std::vector<affine_bound> bounds;
    std::vector<expression_id> operands;

    friend bool operator==(const nest_expression&, const nest_expression&) = default;
};

/// How the rounds of a loop are run. The last six are a device's own numbers of the thread that runs it.
enum class loop_kind : std::uint8_t { serial, parallel, vector, unrolled, block_x, block_y, block_z, thread_x, thread_y, thread_z };

namespace detail {
inline constexpr std::array<std::string_view, 10> loop_kind_names{"serial",  "parallel", "vector",   "unrolled", "block_x",
                                                                  "block_y", "block_z",  "thread_x", "thread_y", "thread_z"};
}  // namespace detail

[[nodiscard]] constexpr std::string_view name_of(loop_kind k) { return detail::loop_kind_names[static_cast<std::size_t>(k)]; }
[[nodiscard]] constexpr std::optional<loop_kind> loop_kind_named(std::string_view name) {
    for (std::size_t i = 0; i < detail::loop_kind_names.size(); ++i)
        if (detail::loop_kind_names[i] == name) return static_cast<loop_kind>(i);
    return std::nullopt;
}
/// Whether rounds may run at the same time, so that no round may write what another touches.
[[nodiscard]] constexpr bool is_concurrent(loop_kind k) { return k != loop_kind::serial && k != loop_kind::unrolled; }
[[nodiscard]] constexpr bool is_block(loop_kind k) { return k == loop_kind::block_x || k == loop_kind::block_y || k == loop_kind::block_z; }
[[nodiscard]] constexpr bool is_thread(loop_kind k) { return k >= loop_kind::thread_x; }

/// The axis of a buffer that an axis of a window runs along, and how many elements further each step goes.
struct window_axis {
    std::size_t axis = 0;
    std::int64_t step = 1;

    friend bool operator==(const window_axis&, const window_axis&) = default;
};

/// An element of a buffer, from which on a call may touch others.
struct nest_place {
    buffer_id buffer = 0;
    std::vector<affine> at;
    std::vector<window_axis> along = {};  // by axis of the window; empty: the buffer's last axes, element after element

    friend bool operator==(const nest_place&, const nest_place&) = default;
};

/// The axes along which a window of so many axes runs. Precondition: it has one for each, or as many indices.
[[nodiscard]] inline std::vector<window_axis> axes_of(const nest_place& p, std::size_t count) {
    std::vector<window_axis> axes = p.along;
    for (std::size_t d = axes.size(); d < count; ++d) axes.push_back({p.at.size() - count + d, 1});
    return axes;
}
/// Elements of memory from one to the next along each axis of a window, in a buffer of these strides.
[[nodiscard]] inline std::vector<std::int64_t> window_strides(const nest_place& p, std::size_t count,
                                                              std::span<const std::int64_t> strides) {
    std::vector<std::int64_t> made;
    for (const window_axis& w : axes_of(p, count)) made.push_back(strides[w.axis] * w.step);
    return made;
}
/// How far behind its first element a window of these extents goes, by axis of its buffer; no further than 64 bits count.
[[nodiscard]] inline std::vector<std::int64_t> reach_of(const nest_place& p, std::span<const std::int64_t> extents) {
    std::vector<std::int64_t> reach(p.at.size(), 0);
    const std::vector<window_axis> axes = axes_of(p, extents.size());
    for (std::size_t d = 0; d < extents.size(); ++d) {
        std::int64_t more = 0, &sum = reach[axes[d].axis];
        if (__builtin_mul_overflow(std::max(extents[d], std::int64_t{1}) - 1, axes[d].step, &more) ||
            __builtin_add_overflow(sum, more, &sum))
            sum = INT64_MAX;
    }
    return reach;
}

/// Something that a nest does.
struct nest_statement {
    enum class form : std::uint8_t {
        block,     // its parts, one after the other
        loop,      // its part for each value of a variable from 0 to less than the extent
        store,     // an element becomes the value
        update,    // an element becomes a function of itself and the value, one that `combines`
        guard,     // its part where all bounds hold
        allocate,  // its part, with a buffer whose elements mean nothing before they are written
        call       // a function of the nest, on windows of buffers that begin at `places`, and on the numbers `indices`
    };

    form kind = form::block;
    loop_kind runs = loop_kind::serial;
    scalar_function function = scalar_function::add;
    buffer_id buffer = 0;
    variable_id variable = 0;
    function_id callee = 0;
    std::int64_t extent = 0;
    expression_id value = 0;
    std::vector<affine> indices;
    std::vector<affine_bound> bounds;
    std::vector<nest_place> places;  // one for each parameter
    std::vector<statement_id> parts;

    friend bool operator==(const nest_statement&, const nest_statement&) = default;
};

/// A program of loops over buffers: what operators are lowered to, schedules change and printers write. A value; `check_nest` says whether
/// it is sound, `nest_text` and `parse_nest` are its text.
///
/// A function that it calls is a nest as well: its inputs and outputs, in their order, are the parameters. What it computes is what it
/// means, so that a printer may put a machine's own instruction or a library's function in its place. One without statements is external: a
/// function of which nobody knows what it means; its variables are parameters too, whole numbers. An argument is a
/// window of a buffer that has the parameter's extents, along axes of the buffer. The strides are the window's, but where the parameter's
/// stride is 1 they are 1 too.
struct loop_nest {
    std::string name;
    std::vector<nest_buffer> buffers;
    std::vector<std::string> variables;  // their names
    std::vector<nest_expression> expressions;
    std::vector<nest_statement> statements;
    std::vector<loop_nest> functions;  // that it calls; they call none
    statement_id root = 0;

    [[nodiscard]] bool is_external() const { return statements.empty(); }

    friend bool operator==(const loop_nest&, const loop_nest&) = default;
};

/// Whether a buffer, a variable or a function of a nest has a name. Linear in these.
[[nodiscard]] inline bool is_taken(const loop_nest& n, std::string_view name) {
    const auto is_it = [&](const auto& one) { return one.name == name; };
    return std::find(n.variables.begin(), n.variables.end(), name) != n.variables.end() ||
           std::any_of(n.buffers.begin(), n.buffers.end(), is_it) || std::any_of(n.functions.begin(), n.functions.end(), is_it);
}

/// A name, or one like it that nothing in a nest has.
[[nodiscard]] inline std::string free_name(const loop_nest& n, std::string_view name) {
    std::string made(name);
    for (std::size_t i = 1; is_taken(n, made); ++i) made = std::string(name) + "_" + std::to_string(i);
    return made;
}

/// The buffers that a function takes: its inputs and outputs, in their order.
[[nodiscard]] inline std::vector<buffer_id> parameters_of(const loop_nest& function) {
    std::vector<buffer_id> all;
    for (buffer_id b = 0; b < function.buffers.size(); ++b)
        if (function.buffers[b].scope == buffer_scope::input || function.buffers[b].scope == buffer_scope::output) all.push_back(b);
    return all;
}

}  // namespace inlay

#endif
