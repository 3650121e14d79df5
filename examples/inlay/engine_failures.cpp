// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>

#include <inlay/core/digest.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/cost/job_content.hpp>
#include <inlay/cost/memory_shortage.hpp>

#include "engine_state.hpp"
#include "watched_library.hpp"

namespace tool {

using namespace inlay;

namespace {

/// How many the database keeps.
constexpr std::size_t most_failures = 1000;

/// Under which key the database has what did not run.
digest place_of_failures() { return digest_builder().add("pieces without code").finish(); }

}  // namespace

void read_failures(engine::state& s) {
    const std::optional<std::string> text = s.database.decision(place_of_failures());
    if (!text) return;
    std::string_view rest = *text;
    while (!rest.empty()) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        // A line that is damaged has the key of nothing.
        const std::size_t blank = line.find(' ');
        const auto key = read_digest(line.substr(0, blank));
        if (!key || blank == std::string_view::npos) continue;
        // Without checks a kernel that was wrong runs all the same, but none that ended a process.
        const std::string_view reason = line.substr(blank + 1);
        if (s.options.checks || is_end_of_process(reason)) s.failures.emplace(*key, reason);
    }
}

bool engine::leaves_out_failed(const ir_module& m, const plan& p, bool is_kept) {
    bool is_new = false;
    for (const emit_failure& one : state_->not_emitted) {
        const auto body = state_->not_emitted_body;
        const ir_module& program = body ? state_->bodies[*body].program : m;
        const candidate& c = (body ? state_->body_plans[*body] : p).set.candidates[one.candidate];
        const digest key = job_content(pricing_job::of(c), state_->list);
        // A plan that was made before the database was read, or an old one, may have what is known.
        if (!state_->left_out.insert(key).second) continue;
        state_->failures.emplace(key, escaped_text(one.reason, 400));
        is_new = true;
        if (!end_of_library(*state_, c.backend).empty()) state_->failures_of_call.insert(key);
        std::cerr << "inlay: back end '" << kind(c.backend) << "' has no kernel for " << shown_name(program, c.root)
                  << ", and planning goes on without it: " << escaped_text(one.reason, 400) << "\n";
    }
    if (is_new && is_kept && state_->database.is_open()) {
        std::string text;
        std::size_t count = 0;
        // Those of earlier calls go where there are too many: each is found again when it is needed.
        for (const bool is_of_this_call : {true, false})
            for (const auto& [key, reason] : state_->failures)
                if (state_->left_out.contains(key) == is_of_this_call && !state_->failures_of_call.contains(key) &&
                    !is_memory_shortage(reason) && count++ < most_failures)
                    text += to_string(key) + " " + reason + "\n";
        // Where it cannot be kept, the next call finds it out again.
        (void)state_->database.keep_decision(place_of_failures(), text).has_value();
    }
    return is_new;
}

}  // namespace tool
