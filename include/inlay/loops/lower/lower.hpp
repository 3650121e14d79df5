// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_LOWER_LOWER_HPP
#define INLAY_LOOPS_LOWER_LOWER_HPP

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <inlay/candidate/region_view.hpp>
#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/loops/lower/lowered_call.hpp>
#include <inlay/loops/lower/lowering.hpp>
#include <inlay/loops/nest/loop_nest.hpp>

namespace inlay {

/// How calls of that operator, with dialect, are lowered; null where none is.
[[nodiscard]] INLAY_FUNCTION const lowering_entry* lowering_of(std::string_view op);

namespace detail {

/// A caller's own way to lower calls: a function, and what it works on. Without a function there is none.
struct own_lowering {
    const void* of = nullptr;
    std::optional<outcome<lowered_tensor>> (*lower)(const void* of, std::string_view op, const lowered_call& call) = nullptr;
};

/// `lower` by one function for all callers.
[[nodiscard]] INLAY_FUNCTION outcome<loop_nest> lower_by(const region_view& r, std::string name, const own_lowering& own);

}  // namespace detail

/// A region as a loop nest: its inputs, then its constants, are the nest's inputs, row-major. What is computed place by place is computed
/// where it is read; reductions, what they read, and results stand in memory. Constants of one element are numbers in the nest. A call for
/// which `own(op, call)`, an optional `outcome<lowered_tensor>`, gives something is lowered so, every other one as `lowering_of` says. The
/// error names the operator that has no nest, and why.
template <class Own>
[[nodiscard]] outcome<loop_nest> lower(const region_view& r, std::string name, const Own& own) {
    return detail::lower_by(r, std::move(name),
                            {&own, [](const void* of, std::string_view op, const lowered_call& call) {
                                 return std::optional<outcome<lowered_tensor>>((*static_cast<const Own*>(of))(op, call));
                             }});
}
[[nodiscard]] inline outcome<loop_nest> lower(const region_view& r, std::string name) { return detail::lower_by(r, std::move(name), {}); }

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/lower/lower.ipp>
#endif

#endif
