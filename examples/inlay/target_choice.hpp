// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_TARGET_CHOICE_HPP
#define INLAY_EXAMPLES_INLAY_TARGET_CHOICE_HPP

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/nearest_name.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/import/read_file.hpp>
#include <inlay/import/target_json.hpp>
#include <inlay/target/configuration.hpp>
#include <inlay/target/plain_target.hpp>
#include <inlay/target/read_target.hpp>
#include <inlay/target/target_schema.hpp>

#include "engine.hpp"

namespace tool {

/// The kinds that a list of back ends and the library know; what the list's instances hold is the default of each option.
template <class List>
[[nodiscard]] inlay::target_schemas schemas_of(const List& list) {
    inlay::target_schemas known;
    const auto add = [&](inlay::target_schema s) { (void)known.add(std::move(s)).has_value(); };
    list.for_each([&](const auto& b, std::size_t) { add(inlay::schema_of(b)); });
    add(inlay::schema_of<inlay::llvm_target>());
    add(inlay::schema_of<inlay::c_target>());
    add(inlay::schema_of<inlay::cuda_target>());
    add(inlay::schema_of<inlay::ext_dev_target>());
    return known;
}

/// The targets of one `--target`: a text, JSON, or the name of a file of JSON, which ends in `.json`.
[[nodiscard]] inline inlay::outcome<std::vector<inlay::target_instance>> targets_of(const std::string& argument,
                                                                                    const inlay::target_schemas& known) {
    if (!argument.ends_with(".json")) return inlay::read_targets(argument, known);
    const auto content = inlay::read_file(argument, inlay::longest_target_text);
    if (!content) return content.failure();
    auto read = inlay::read_targets(*content, known);
    if (!read) return inlay::error{inlay::quoted_text(argument, 400) + ": " + read.failure().message};
    return read;
}

/// Which back ends of the list take part, and how they are configured: by `--target` and `--target-KIND-NAME`; without the former, all that
/// can run here. Nodes that no other claims go to `reference`, which stands for the CPU's plain target and is always there.
template <class List>
[[nodiscard]] inlay::outcome<void> choose_targets(List& list, const engine_options& options) {
    using namespace inlay;
    const target_schemas known = schemas_of(list);
    std::vector<target_instance> wanted;
    for (const std::string& argument : options.targets) {
        auto read = targets_of(argument, known);
        if (!read) return read.failure();
        for (target_instance& t : *read) wanted.push_back(std::move(t));
    }
    list.for_each([&](const auto& b, std::size_t) {
        const bool named = std::any_of(wanted.begin(), wanted.end(), [&](const target_instance& t) { return t.kind == b.kind; });
        if (!named && (b.kind == "reference" || (options.targets.empty() && b.usable()))) wanted.push_back(known.find(b.kind)->bare());
    });
    for (const auto& [where, value] : options.set_options) {
        const std::size_t dot = where.find('.');
        const std::string kind = where.substr(0, dot), name = where.substr(dot + 1);
        const auto of_kind = std::find_if(wanted.begin(), wanted.end(), [&](const target_instance& t) { return t.kind == kind; });
        if (of_kind == wanted.end())
            return error{"'--target-" + kind + "-" + name + "' is given, and '" + kind +
                         "' takes no part; name it with --target, or leave the option out"};
        if (auto set = set_option(*of_kind, *known.find(kind), name, value); !set) return set.failure();
    }
    for (const target_instance& t : wanted) {
        if (!t.is_plain()) continue;
        if (t.device != device_type::cpu)
            return error{"nothing in this build runs on '" + t.kind + "'; `inlay targets` lists what there is"};
        if (!t.options.empty())
            return error{"target '" + t.kind + "' takes no options here; write the options of a back end after its kind"};
    }
    const auto configured = configuration::make(std::move(wanted), known);
    if (!configured) return configured.failure();
    std::vector<std::size_t> order;
    for (const target_instance& t : configured->targets())
        if (!t.is_plain()) order.push_back(List::index_of(t.kind));
    outcome<void> usable;
    list.for_each([&](auto& b, std::size_t) {
        const target_instance* t = configured->of_kind(b.kind);
        if (t == nullptr) return;
        assign_options(b, *t);
        if (const auto can = b.usable(); !can && usable)
            usable = error{"target '" + std::string(b.kind) + "' cannot run here: " + can.failure().message};
    });
    if (!usable) return usable;
    list.choose(std::move(order));
    return {};
}

}  // namespace tool

#endif
