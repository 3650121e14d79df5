// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <iostream>

#include <inlay/core/quoted_text.hpp>
#include <inlay/io/json/search_instance.hpp>
#include <inlay/io/read_file.hpp>
#include <inlay/plan/partitioner.hpp>
#include <inlay/runtime/tbb.hpp>
#include <inlay/search/proof/certify.hpp>
#include <inlay/search/select.hpp>

#include "verbs.hpp"

namespace tool {

using namespace inlay;

answer verb_search(const verb_options& o, const search_options& search) {
    auto text = read_file(search.instance);
    if (!text) return say(answer::wrong, text.failure());
    auto instance = read_search_instance(*text, search.instance);
    if (!instance) return say(answer::wrong, instance.failure());
    select_options how;
    how.budget_ms = search.budget_ms;
    how.marginals = search.marginals;
    how.cancel = &interrupted();
    tbb_executor threads(o.engine.threads);
    how.executor = executor_ref(threads);
    const auto decided_by = read_partitioner(o.partitioner, {});
    if (!decided_by)
        return say(answer::wrong,
                   error{"there is no partitioner " + quoted_text(o.partitioner) + " for an instance; write exact, eager or exhaustive"});
    how.partitioner = decided_by->rule();
    const auto start = std::chrono::steady_clock::now();
    const selection found = select(*instance, how);
    const double milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    // Without an answer, plain enumeration has refused what is too much for it.
    if (how.partitioner == selection_rule::exhaustive && found.status == selection_status::gap && !found.cost)
        return say(answer::wrong, error{found.reason});
    std::optional<certificate> proof;
    if (search.certificate && found.lower_bound)
        proof = certify(*instance, *found.lower_bound * (1 - certificate_slack), deadline(search.budget_ms, &interrupted()));
    std::cout << write_search_answer(found, milliseconds, search.marginals, proof ? &*proof : nullptr) << "\n";
    if (!found.reason.empty()) std::cerr << "inlay: " << found.reason << "\n";
    return found.cost ? answer::done : answer::no;
}

}  // namespace tool
