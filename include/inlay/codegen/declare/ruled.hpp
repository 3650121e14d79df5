// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_DECLARE_RULED_HPP
#define INLAY_CODEGEN_DECLARE_RULED_HPP

#include <concepts>
#include <utility>

#include <inlay/candidate/partition_rule.hpp>
#include <inlay/codegen/declare/backend.hpp>

namespace inlay {

/// A back end with a partition rule, which it need not have itself: `backend_list<ruled<onednn, rule>, reference>` lets `make_plan` join
/// what oneDNN's patterns take as the rule says (`candidate/partition_rules.hpp` has them). Kind, options, prices and code are the back
/// end's; its measurements and plans are told apart by what is joined, not by the rule.
template <backend B, partition_rule Rule>
struct ruled : B {
    using partition_rule = Rule;

    ruled() = default;
    ruled(B instance) : B(std::move(instance)) {}
};

}  // namespace inlay

#endif
