// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_JSON_CONSTRAINT_FILE_HPP
#define INLAY_IO_JSON_CONSTRAINT_FILE_HPP

#include <functional>
#include <string>
#include <string_view>

#include <inlay/candidate/enumerate.hpp>
#include <inlay/codegen/list/backends_ref.hpp>
#include <inlay/core/id.hpp>
#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/io/json/plan_file.hpp>
#include <inlay/io/read_file.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/partition/partition.hpp>
#include <inlay/plan/plan_rules.hpp>
#include <inlay/plan/recorded_plan.hpp>

namespace inlay {

/// Gives the parts of the plan that a path stands for, or says why it cannot.
using plan_finder = std::function<outcome<partitioned>(const std::string& path)>;

/// Reads the text of a file of constraints, version 1 of `docs/constraints.md`, for plans of a module. Any back end of the list may be
/// named, and some rules want one that takes part. `parts_at` is asked where a rule `keep` names a plan. Each rule's text is its place in
/// the file and what it says in short. The error names the place, and the nearest known word where one is unknown.
[[nodiscard]] INLAY_FUNCTION outcome<plan_rules> read_constraints(std::string_view text, const ir_module& m, backends_ref backends,
                                                                  const plan_finder& parts_at);

/// The same from a file, for plans on a `backend_list`. A path of a plan is one of a plan file. Errors begin with the file's path.
template <class List>
[[nodiscard]] outcome<plan_rules> load_constraints(const std::string& path, const ir_module& m, const List& backends) {
    auto text = read_file(path);
    if (!text) return text.failure();
    // Only nodes and owners are kept, so that other options than the plan was made with are no harm.
    const plan_finder parts_at = [&](const std::string& of) -> outcome<partitioned> {
        const auto record = load_plan_record(of);
        if (!record) return record.failure();
        auto made = plan_of(*record, m, enumerate(m, backends), [&](backend_id b) { return std::string(backends.kind(b)); });
        if (!made) return error{quoted_text(of, 400) + ": " + made.failure().message};
        return std::move(made->cut);
    };
    auto rules = read_constraints(*text, m, backends, parts_at);
    if (!rules) return error{quoted_text(path, 400) + ": " + rules.failure().message};
    return rules;
}

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/io/json/constraint_file.ipp>
#endif

#endif
