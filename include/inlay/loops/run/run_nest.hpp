// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_RUN_RUN_NEST_HPP
#define INLAY_LOOPS_RUN_RUN_NEST_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/run/scalar_value.hpp>

namespace inlay {

/// A part of a buffer that a function of a nest gets.
struct nest_window {
    element_type element = element_type::float32;
    std::byte* first = nullptr;
    std::span<const std::int64_t> extents, strides;  // strides in elements
};

/// What an external function means where a nest is interpreted.
struct external_function {
    std::string_view name;
    void (*run)(std::span<const nest_window> windows, std::span<const std::int64_t> numbers) = nullptr;
};

namespace detail {

/// Runs a sound nest, or a function of one on windows.
class nest_runner {
public:
    INLAY_FUNCTION nest_runner(const loop_nest& n, std::span<const external_function> externals);
    nest_runner(nest_runner&&) = default;
    nest_runner(const nest_runner&) = delete;
    virtual ~nest_runner() = default;

    [[nodiscard]] INLAY_FUNCTION outcome<std::vector<tensor>> operator()(std::span<const tensor> inputs);

protected:
    [[nodiscard]] INLAY_FUNCTION error no_memory(buffer_id b) const;
    [[nodiscard]] INLAY_FUNCTION outcome<void> make_room(buffer_id b);
    /// Memory of the functions' own, and what externals are called by.
    [[nodiscard]] INLAY_FUNCTION outcome<void> make_functions();

    INLAY_FUNCTION virtual void call(const nest_statement& s);

    /// Calls `f(bytes before it row after row, bytes before it in the buffer)` for each element.
    template <class F>
    static void each_element(const nest_buffer& b, F&& f) {
        std::vector<std::int64_t> at(b.extents.size(), 0);
        for (const std::int64_t extent : b.extents)
            if (extent == 0) return;
        for (std::size_t count = 0;; ++count) {
            std::int64_t place = 0;
            for (std::size_t i = 0; i < at.size(); ++i) place += at[i] * b.strides[i];
            f(count * size_of(b.element), static_cast<std::size_t>(place) * size_of(b.element));
            std::size_t i = at.size();
            while (i > 0 && ++at[i - 1] == b.extents[i - 1]) at[--i] = 0;
            if (i == 0) return;
        }
    }

    [[nodiscard]] INLAY_FUNCTION std::int64_t offset(buffer_id b, const std::vector<affine>& indices) const;
    [[nodiscard]] INLAY_FUNCTION std::byte* address(buffer_id b, const std::vector<affine>& indices);
    /// Where an element stands that is read or written now.
    [[nodiscard]] virtual std::byte* place(buffer_id b, const std::vector<affine>& indices, bool) { return address(b, indices); }

    [[nodiscard]] INLAY_FUNCTION bool hold(const std::vector<affine_bound>& bounds) const;

    INLAY_FUNCTION virtual void run(statement_id id);

    [[nodiscard]] INLAY_FUNCTION scalar_value value(expression_id id);

    const loop_nest& n_;
    std::span<const external_function> externals_;
    std::vector<std::int64_t> values_;   // of variables
    std::vector<inlay::buffer> memory_;  // of buffers that are its own
    std::vector<nest_window> views_;     // of buffers
    std::vector<nest_runner> functions_;
    void (*external_)(std::span<const nest_window>, std::span<const std::int64_t>) = nullptr;
    std::optional<error> wrong_;  // what was found while it ran
};

}  // namespace detail

/// What a nest computes: the meaning that printed code and changed nests are held to. Inputs in the order of the nest's input buffers;
/// results in the order of its outputs. One scalar at a time and loops of every kind one round after the other, so it is slow. The error
/// says why the nest is not sound, which input does not fit, for which buffer there is no memory, or which external function is not given.
[[nodiscard]] INLAY_FUNCTION outcome<std::vector<tensor>> run_nest(const loop_nest& n, std::span<const tensor> inputs,
                                                                   std::span<const external_function> externals = {});

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/run/run_nest.ipp>
#endif

#endif
