// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_NEST_RACE_HPP
#define INLAY_LOOPS_NEST_RACE_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/loops/nest/affine.hpp>
#include <inlay/loops/nest/loop_nest.hpp>

namespace inlay {

namespace detail {

/// Collects what the rounds of one loop do to buffers that they share.
class race_finder {
public:
    INLAY_FUNCTION race_finder(const loop_nest& n, statement_id loop);

    /// `reductions`: buffers on which one function alone is used, by updates, are no matter. `among`: buffers that are asked about; empty:
    /// all.
    [[nodiscard]] INLAY_FUNCTION std::optional<buffer_id> operator()(bool reductions, std::span<const char> among = {}) const;

private:
    struct access {
        buffer_id buffer = 0;
        const std::vector<affine>* indices = nullptr;
        bool writes = false;
        std::optional<scalar_function> by{};  // of an update
        std::vector<std::int64_t> reach{};    // how far behind the index along each axis it touches elements; empty: one element
    };

    /// Whether there is a dimension in which different rounds never meet.
    [[nodiscard]] INLAY_FUNCTION bool is_apart(const std::vector<const access*>& places) const;
    /// Whether all places have along a dimension the same factor of the loop's variable, and what else they add, over the loops inside,
    /// spans less than it. With a period, what is a multiple of it does not count where all rounds together stay within the period.
    [[nodiscard]] INLAY_FUNCTION bool is_apart_along(const std::vector<const access*>& places, std::size_t d, std::int64_t period) const;
    /// The terms of loops outside, the loop itself apart.
    [[nodiscard]] INLAY_FUNCTION std::vector<affine::term> outside(const affine& a) const;

    INLAY_FUNCTION void statement(statement_id id);
    INLAY_FUNCTION void call(const nest_statement& s);
    /// The one function by which a function updates a parameter, where that is all that it does with it.
    [[nodiscard]] INLAY_FUNCTION static std::optional<scalar_function> update_of(const loop_nest& f, buffer_id parameter);
    INLAY_FUNCTION void expression(expression_id id);

    const loop_nest& n_;
    variable_id over_;
    std::int64_t rounds_;
    std::vector<std::int64_t> extents_;
    std::vector<char> is_own_;  // by buffer: each round has one of its own
    std::vector<variable_id> inside_;
    std::vector<access> accesses_;
};

}  // namespace detail

/// A buffer of which two rounds of a loop may touch the same element, one of them writing it; nothing where no two rounds do. Where it
/// cannot tell, it says that they do. Sufficient, not complete: the GCD and Banerjee tests of one dimension at a time (Allen and Kennedy,
/// "Optimizing Compilers for Modern Architectures", chapter 3) for equal factors of the variable, and the same within a period.
/// Precondition: ids are in range and the variables used in the loop have loops.
[[nodiscard]] INLAY_FUNCTION std::optional<buffer_id> race_of(const loop_nest& n, statement_id loop);

/// The same where elements that are only updated, by one function, may meet: their rounds may run in any order, though not at one time.
[[nodiscard]] INLAY_FUNCTION std::optional<buffer_id> order_of(const loop_nest& n, statement_id loop);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/nest/race.ipp>
#endif

#endif
