// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <inlay/candidate/region.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/users.hpp>
#include <inlay/io/json/json.hpp>
#include <inlay/ir/node_name.hpp>
#include <inlay/loops/nest/nest_text.hpp>
#include <inlay/loops/text/cuda_text.hpp>
#include <inlay/loops/text/tensor_core.hpp>

#include "plan_text.hpp"
#include "verbs.hpp"

namespace tool {

using namespace inlay;

namespace {

/// What is printed of a part: its nest, or its kernels and what launches them.
outcome<std::string> text_of(const outcome<loop_nest>& nest, bool cuda) {
    if (!nest) return nest.failure();
    if (!cuda) return to_text(*nest);
    auto made = to_cuda(*nest, tensor_core_calls());
    if (!made) return made.failure();
    return made->text + made->launcher;
}

}  // namespace

answer verb_lower(const verb_options& o, lower_options how) {
    if (how.cuda && !how.phase) how.phase = 3;
    if (how.phase && *how.phase > 3)
        return say(answer::wrong,
                   error{"loop phases have the numbers 0 to 3; '--phase " + std::to_string(*how.phase) + "' is none of them"});
    auto model = load_static(o.model);
    if (!model) return say(answer::wrong, model.failure());
    auto back_ends = engine::make(o.engine);
    if (!back_ends) return say(answer::wrong, back_ends.failure());
    answer failed = answer::no;
    auto made = back_ends->make_plan(*model, plan_request_of(o), nullptr, &failed);
    if (!made) return say(failed, made.failure());
    const ir_module& m = model->program;
    const user_lists users(m);
    const std::vector<node_id> results = m.results();
    json_output parts = json_output::array();
    std::size_t lowered = 0;
    for (std::size_t p = 0; p < made->cut.parts.size(); ++p) {
        const part& each = made->cut.parts[p];
        const std::string kind = back_ends->kind(each.owner);
        const region body(m, users, results, each.nodes);
        const auto nest = back_ends->lower(each.owner, body.view(), "part_" + std::to_string(p), how.phase);
        const auto text = text_of(nest, how.cuda);
        lowered += text ? 1 : 0;
        if (o.json) {
            json_output one{{"part", p}, {"backend", kind}};
            one["nodes"] = json_output::array();
            for (const node_id n : each.nodes) one["nodes"].push_back(name_of_node(m, n));
            one[how.cuda ? "cuda" : "nest"] = text ? json_output(*text) : json_output();
            one["reason"] = text ? json_output() : json_output(text.failure().message);
            parts.push_back(std::move(one));
            continue;
        }
        std::string nodes;
        for (const node_id n : each.nodes) nodes += (nodes.empty() ? "" : ", ") + shown_name(m, n);
        std::cout << (p == 0 ? "" : "\n") << "// part " << p << " on " << escaped_text(kind) << ": " << nodes << "\n";
        if (text)
            std::cout << *text;
        else
            std::cout << "// no loops: " << text.failure().message << "\n";
    }
    if (o.json) {
        json_output whole{{"version", 1}};
        whole["phase"] = how.phase ? json_output(*how.phase) : json_output();
        whole["parts"] = std::move(parts);
        std::cout << write_json(whole, 2) << "\n";
    }
    return lowered != 0 || made->cut.parts.empty() ? answer::done : answer::no;
}

}  // namespace tool
