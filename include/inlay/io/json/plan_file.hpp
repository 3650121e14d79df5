// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_JSON_PLAN_FILE_HPP
#define INLAY_IO_JSON_PLAN_FILE_HPP

#include <string>
#include <string_view>

#include <inlay/candidate/candidate.hpp>
#include <inlay/candidate/enumerate.hpp>
#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/concepts.hpp>
#include <inlay/plan/plan.hpp>
#include <inlay/plan/plan_record.hpp>
#include <inlay/plan/recorded_plan.hpp>

namespace inlay {

/// A plan's record as JSON, version 1 of `docs/plan.md`: `read_plan_record(write_plan_record(r)) == r`, to the last bit of every price.
[[nodiscard]] INLAY_FUNCTION std::string write_plan_record(const plan_record& r);

/// Reads what `write_plan_record` writes. The error says which key is wrong, and the nearest known one.
[[nodiscard]] INLAY_FUNCTION outcome<plan_record> read_plan_record(std::string_view text);

/// The same from a file. Errors begin with its path.
[[nodiscard]] INLAY_FUNCTION outcome<plan_record> load_plan_record(const std::string& path);

/// A plan for a graph on a `backend_list` as the text of a plan file: with the back ends that took part, their options and versions.
template <typed_graph G, class List>
[[nodiscard]] std::string write_plan(const G& g, const plan& p, const List& backends, bool is_rewritten = true) {
    return write_plan_record(record_of(
        g, p, [&](backend_id b) { return std::string(backends.kind(b)); }, recorded_targets(backends), is_rewritten));
}

/// Reads what `write_plan` writes, for the same graph. The error is one sentence where the text is no plan, a back end that took part does
/// not, or has other options or another version here, or the plan is of another graph. Whether it keeps the laws of a plan, `verify` says.
template <attributed_graph G, class List>
[[nodiscard]] outcome<plan> read_plan(std::string_view text, const G& g, const List& backends) {
    auto record = read_plan_record(text);
    if (!record) return record.failure();
    if (auto same = same_targets(*record, recorded_targets(backends)); !same) return same.failure();
    return plan_of(*record, g, enumerate(g, backends), [&](backend_id b) { return std::string(backends.kind(b)); });
}

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/io/json/plan_file.ipp>
#endif

#endif
