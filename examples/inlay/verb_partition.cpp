// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <inlay/import/write_file.hpp>

#include "plan_text.hpp"
#include "verbs.hpp"

namespace tool {

using namespace inlay;

answer verb_partition(const verb_options& o) {
    auto model = load_prepared(o.model);
    if (!model) return say(answer::wrong, model.failure());
    auto back_ends = engine::make(o.engine);
    if (!back_ends) return say(answer::wrong, back_ends.failure());
    plan_times times;
    plan_request request{o.partitioner, true, {}};
    auto made = back_ends->make_plan(*model, request, &times);
    if (!made) return say(answer::no, made.failure());
    if (!o.out.empty())
        if (auto written = write_file(o.out, plan_json(*model, *made, *back_ends) + "\n"); !written) return say(answer::wrong, written.failure());
    std::cout << (o.json ? plan_json(*model, *made, *back_ends) + "\n" : plan_text(*model, *made, *back_ends));
    if (!o.engine.quiet)
        std::cerr << "searched " << times.search_seconds * 1e3 << " ms; measured " << times.measured << " prices in " << times.measure_seconds << " s, "
                  << times.known << " were known\n";
    return answer::done;
}

}  // namespace tool
