// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "back_ends.hpp"

#include <algorithm>
#include <type_traits>

#include <inlay/codegen/by_default.hpp>
#include <inlay/pattern/term/lone_call.hpp>
#include <inlay/target/target_schema.hpp>

#include "backends.hpp"

namespace tool {

using namespace inlay;

std::vector<backend_facts> back_ends_of_build() {
    std::vector<backend_facts> all;
    const back_end_list list;
    list.for_each([&](const auto& b, std::size_t) {
        using back_end = std::remove_cvref_t<decltype(b)>;
        const target_schema schema = schema_of<back_end>();
        backend_facts facts;
        facts.kind = schema.kind;
        facts.device = name_of(schema.device);
        facts.refines = schema.refines;
        facts.version = b.version();
        facts.by_default = takes_part_by_default<back_end>();
        if (const auto can = b.usable(); !can) facts.not_usable = can.failure().message;
        for (const option_schema& o : schema.options)
            facts.options.push_back({o.name, std::string(name_of(o.type())), argument_text(o.otherwise), o.doc});
        back_end::patterns().for_each([&](auto c, std::size_t) { facts.patterns.emplace_back(c.name); });
        all.push_back(std::move(facts));
    });
    return all;
}

bool nobody_loses(std::string_view op, std::span<const std::string_view> written) {
    bool loses = false;
    back_end_list().for_each([&](const auto& b, std::size_t) {
        using back_end = std::remove_cvref_t<decltype(b)>;
        if (!takes_part_by_default<back_end>()) return;
        const auto names = [](std::string_view wanted) {
            bool any = false;
            back_end::patterns().for_each(
                [&](auto c, std::size_t) { any = any || names_call(view_of(typename decltype(c)::pattern_type{}), wanted); });
            return any;
        };
        loses = loses || (!names(op) && std::any_of(written.begin(), written.end(), names));
    });
    return !loses;
}

}  // namespace tool
