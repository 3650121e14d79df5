// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <string>

#include <inlay/core/quoted_text.hpp>
#include <inlay/cost/database.hpp>
#include <inlay/io/json/json.hpp>

#include "cache_paths.hpp"
#include "verbs.hpp"

namespace tool {

using namespace inlay;

answer list_failures(const verb_options& o) {
    cost_database database;
    const std::string path = o.engine.database.empty() ? default_database() : o.engine.database;
    if (auto opened = database.open(path); !opened) return say(answer::wrong, opened.failure());
    json_output list = json_output::array();
    const auto add = [&](const std::string& what, const std::string& reason, const std::string& place) {
        if (reason.empty()) return;
        if (!o.json) std::cout << escaped_text(what) << "  " << escaped_text(reason) << "  (" << escaped_text(place) << ")\n";
        list.push_back({{"kernel", what}, {"reason", reason}, {"place", place}});
    };
    const bool whole = database.for_each([&](const cost_record& r) { add(r.label, r.cost.failure, r.place); }) &&
                       database.for_each_check([&](const check_record& r) { add(r.label, r.failure, r.place); });
    if (!whole) return say(answer::wrong, error{quoted_text(path, 400) + " cannot be read to its end; move it away and measure anew"});
    if (o.json) std::cout << write_json(json_output{{"version", 1}, {"failures", list}}, 2) << "\n";
    return answer::done;
}

}  // namespace tool
