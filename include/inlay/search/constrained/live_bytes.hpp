// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_CONSTRAINED_LIVE_BYTES_HPP
#define INLAY_SEARCH_CONSTRAINED_LIVE_BYTES_HPP

#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/search/constrained/quantity.hpp>
#include <inlay/search/problem.hpp>

namespace inlay {

/// How many bytes things take while a program runs.
struct tensor_bytes {
    /// Of the tensor that each node makes: one number a node, or `nodes * formats` numbers, a row of formats for each node.
    std::vector<double> of_node{};
    /// Nodes whose tensors are results: they live until the end. Distinct.
    std::vector<node_id> results{};
    /// Per candidate, what it needs for itself while one of its nodes runs; empty: nothing.
    std::vector<double> workspace{};
    /// What is there all the time: weights, inputs.
    double always = 0;
    /// Whether a conversion makes a copy beside the tensor (else it is done in place and takes nothing).
    bool conversions_copy = true;
};

/// Whether these are bytes of a problem that `check` accepts; the error names the first place that is wrong.
[[nodiscard]] INLAY_FUNCTION outcome<void> check(const tensor_bytes& bytes, const problem& given);

/// The bytes that are alive while one node runs.
struct live_position {
    node_id node = 0;
    quantity bytes;
};

/// The bytes alive while node t runs, for each t that matters. Nodes run one by one in their order, also those of one part. The tensor of
/// node u takes memory if it is a result, or some node outside u's part reads it: then from u to the last node that reads it, wherever that
/// is (to the last node of all where it is a result; to u itself where nobody reads it). It takes what it takes in the format in which its
/// part gives it; a result that nobody else reads, in the candidate's `out` or `out_of`. A copy that a conversion makes lives as long as
/// the tensor, once or once for each reading part, as conversions are paid. A candidate's workspace is there while t is among its nodes.
///
/// So at t a cover takes `always`, plus for each candidate its workspace if t is one of its nodes and the tensors it gives that live at t,
/// plus the copies of tensors that live at t. Positions at which no cover can take more than at the one before or after are left out,
/// unless `all_positions`. `given` and `bytes` as `check` accepts them, every node in some candidate. Takes memory for positions times
/// candidates.
[[nodiscard]] INLAY_FUNCTION std::vector<live_position> live_bytes(const problem& given, const tensor_bytes& bytes,
                                                                   bool all_positions = false);

/// The quantities of positions alone, in their order.
[[nodiscard]] INLAY_FUNCTION std::vector<quantity> quantities_of(std::vector<live_position> positions);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/search/constrained/live_bytes.ipp>
#endif

#endif
