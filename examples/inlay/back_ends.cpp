// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "back_ends.hpp"

#include <algorithm>
#include <type_traits>

#include <inlay/codegen/declare/by_default.hpp>
#include <inlay/pattern/term/lone_call.hpp>
#include <inlay/target/target_schema.hpp>

#include "backends.hpp"

namespace tool {

using namespace inlay;

namespace {

std::vector<option_facts> options_of(const target_schema& schema) {
    std::vector<option_facts> all;
    for (const option_schema& o : schema.options)
        all.push_back({o.name, std::string(name_of(o.type())), argument_text(o.otherwise), o.doc});
    return all;
}

}  // namespace

std::vector<kind_options> all_options(const loaded_folders* loaded) {
    std::vector<kind_options> all;
    list_with(loaded).for_each([&](const auto& b, std::size_t) {
        const target_schema schema = schema_of(b);
        all.push_back({std::string(schema.kind), options_of(schema)});
    });
    return all;
}

std::vector<backend_facts> all_back_ends(const loaded_folders* loaded) {
    std::vector<backend_facts> all;
    const back_end_list list = list_with(loaded);
    list.for_each([&](const auto& b, std::size_t) {
        const target_schema schema = schema_of(b);
        backend_facts facts;
        facts.kind = schema.kind;
        facts.device = name_of(schema.device);
        facts.refines = schema.refines;
        facts.version = b.version();
        if constexpr (requires { b.origin(); }) facts.file = b.origin();
        facts.by_default = takes_part_by_default(b);
        if (const auto can = b.usable(); !can) facts.not_usable = can.failure().message;
        facts.options = options_of(schema);
        const backend_vtable& rows = vtable_of(b);
        for (std::size_t i = 0; i < rows.count; ++i) facts.patterns.emplace_back(rows.composites[i].name);
        all.push_back(std::move(facts));
    });
    return all;
}

bool nobody_loses(std::string_view op, std::span<const std::string_view> written) {
    bool loses = false;
    built_in_list().for_each([&](const auto& b, std::size_t) {
        if (!takes_part_by_default(b)) return;
        const backend_vtable& rows = vtable_of(b);
        const auto names = [&](std::string_view wanted) {
            return std::any_of(rows.composites, rows.composites + rows.count,
                               [&](const composite_vtable& c) { return names_call(*c.pattern, wanted); });
        };
        loses = loses || (!names(op) && std::any_of(written.begin(), written.end(), names));
    });
    return !loses;
}

}  // namespace tool
