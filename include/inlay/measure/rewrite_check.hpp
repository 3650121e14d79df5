// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_REWRITE_CHECK_HPP
#define INLAY_MEASURE_REWRITE_CHECK_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include <inlay/core/digest.hpp>
#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/ops/op_definition.hpp>
#include <inlay/rewrite/rule_application.hpp>
#include <inlay/rewrite/working_graph.hpp>

namespace inlay {

/// How applications of rules are checked.
struct rewrite_check_options {
    std::size_t samples = 64;         // elements of each result that are compared, beside borders and tails, where it has so many
    double most_operations = 2e6;     // that the compared elements of one side may take; beyond, fewer are compared, down to four
    double most_bytes = 0x1p28;       // of inputs that are made up; with more an application is unchecked
    std::size_t most_known = 0x1p20;  // bytes of constants that are read to tell whether an application was seen before
    std::uint64_t seed = 1;
};

/// A judge for `rewrite` and `normalise`: evaluates chosen elements of both sides of an application, from the same inputs, and refuses an
/// application whose sides differ by more than what right kernels of both may be off by. Equal applications, by rule, types, attributes
/// and constants, are evaluated once. What cannot be evaluated is applied unchecked: operators without a meaning, types that are not
/// static, a replacement that reads what the match does not read, elements that take too much.
///
/// An error is one sentence without the rule's name: the first element that differs.
class rewrite_referee {
public:
    explicit rewrite_referee(op_finder find, rewrite_check_options options = {}) : find_(find), options_(options) {}

    [[nodiscard]] INLAY_FUNCTION outcome<void> operator()(const rule_application<working_graph<ir_module>>& a);

    /// How many applications were evaluated, were equal to one of these, and could not be evaluated.
    [[nodiscard]] std::size_t compared() const { return compared_; }
    [[nodiscard]] std::size_t known() const { return known_; }
    [[nodiscard]] std::size_t unchecked() const { return unchecked_; }

private:
    op_finder find_;
    rewrite_check_options options_;
    std::map<digest, std::string> seen_;  // what was said; empty: the sides agree
    std::size_t compared_ = 0, known_ = 0, unchecked_ = 0;
};

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/measure/rewrite_check.ipp>
#endif

#endif
