// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <inlay/io/json/json.hpp>
#include <inlay/ir/compare_programs.hpp>

#include "verbs.hpp"

namespace tool {

using namespace inlay;

answer verb_equal(const verb_options& o, const std::string& other) {
    if (o.model.path == "-" && other == "-") return say(answer::wrong, error{"only one of the two programs can come from standard input"});
    model_options second = o.model;
    second.path = other;
    const auto a = load_written(o.model);
    if (!a) return say(answer::wrong, a.failure());
    const auto b = load_written(second);
    if (!b) return say(answer::wrong, b.failure());
    const auto difference = compare_programs(*a, *b, {&relay_default_of});
    if (o.json) {
        json_output whole{{"version", 1}, {"equal", !difference}};
        if (difference) whole["difference"] = *difference;
        std::cout << write_json(whole, 2) << "\n";
    } else if (difference) {
        std::cout << *difference << "\n";
    }
    return difference ? answer::no : answer::done;
}

}  // namespace tool
