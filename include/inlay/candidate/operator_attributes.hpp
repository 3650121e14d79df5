// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_OPERATOR_ATTRIBUTES_HPP
#define INLAY_CANDIDATE_OPERATOR_ATTRIBUTES_HPP

#include <inlay/candidate/region_view.hpp>
#include <inlay/graph/attribute_list.hpp>

namespace inlay {

/// The attribute that a member stands for, of a value of a region; the default where the call lacks it. Precondition: it is a call of one
/// of the struct's operators; a predicate asks by `attr` of a `match_view`, where the compiler sees to that.
template <auto Member>
[[nodiscard]] detail::attribute_type<Member> attr(const region_value& call) {
    return attr<Member>(*call.attributes);
}

/// All attributes of a call of a region: `read<conv_attributes>(call)`. The same precondition.
template <operator_attributes C>
[[nodiscard]] C read(const region_value& call) {
    return read<C>(*call.attributes);
}

}  // namespace inlay

#endif
