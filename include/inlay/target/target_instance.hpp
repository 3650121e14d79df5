// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TARGET_TARGET_INSTANCE_HPP
#define INLAY_TARGET_TARGET_INSTANCE_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/target/device.hpp>
#include <inlay/target/option_value.hpp>
#include <inlay/target/quoting.hpp>

namespace inlay {

/// Where an instance came from: somebody wrote it; it is the plain side of a `-compiler=K` that had options for it; a configuration
/// supplied it.
enum class target_origin : std::uint8_t { written, implied, supplied };

/// An option that was given a value other than its default.
struct set_target_option {
    std::string name;
    option_value value;

    friend bool operator==(const set_target_option& a, const set_target_option& b) {
        return a.name == b.name && same_value(a.value, b.value);
    }
};

/// A configured target as a value that knows its type at run time only: of a kind of this build, or of one that was loaded.
///
/// It is kept in one form, so that equal targets are equal values: `options` has what differs from the defaults, in the schema's order;
/// `keys` is empty where they are the kind's own. `given` is for what writes targets as TVM does, which has every attribute. What makes
/// instances (`instance_of`, `read_target`, `target_builder`) sees to it.
struct target_instance {
    std::string kind;
    device_type device = device_type::cpu;
    std::string refines;  // the plain target that it stands on; empty: it is a plain target
    std::vector<set_target_option> options;
    std::vector<set_target_option> given;  // what was written and makes no difference: options at their defaults, `device`; by name
    std::vector<std::string> keys;         // labels, most telling first
    std::string tag;                       // the name that it was looked up by
    std::vector<target_instance> host;     // none, or the one that starts its programs, which has none itself
    target_origin origin = target_origin::written;

    [[nodiscard]] bool is_plain() const { return refines.empty(); }
    /// The value of an option that differs from its default, or nothing.
    [[nodiscard]] const option_value* find(std::string_view name) const {
        for (const set_target_option& o : options)
            if (o.name == name) return &o.value;
        return nullptr;
    }

    /// Notes an option that was given a value which makes no difference; a second value replaces the first.
    void note(std::string_view name, option_value value) {
        std::size_t at = 0;
        while (at < given.size() && given[at].name < name) ++at;
        const bool is_there = at < given.size() && given[at].name == name;
        if (is_there) given.erase(given.begin() + static_cast<std::ptrdiff_t>(at));
        given.insert(given.begin() + static_cast<std::ptrdiff_t>(at), {std::string(name), std::move(value)});
    }
    /// Forgets that an option was noted.
    void forget(std::string_view name) {
        std::erase_if(given, [&](const set_target_option& o) { return o.name == name; });
    }

    /// Equal in structure: all but where they came from, and what makes no difference.
    friend bool operator==(const target_instance& a, const target_instance& b) {
        return a.kind == b.kind && a.device == b.device && a.refines == b.refines && a.options == b.options &&
               (!in_force<"target.instance.equality">() || a.keys == b.keys) && a.tag == b.tag && a.host == b.host;
    }
};

/// The instance without its host.
[[nodiscard]] inline target_instance without_host(target_instance t) {
    t.host.clear();
    return t;
}
/// The instance with that host, which loses its own.
[[nodiscard]] inline target_instance with_host(target_instance t, target_instance host) {
    t.host.assign(1, without_host(std::move(host)));
    return t;
}

/// The instance as text that reads back exactly: `cuda -arch=sm_90 -keys=cuda,big -host='llvm -mcpu=generic'`.
[[nodiscard]] inline std::string target_text(const target_instance& t) {
    std::string text = t.kind;
    const auto add = [&](std::string_view name, const option_value& value) {
        text += " -";
        text += name;
        text += '=';
        text += written_value(value);
    };
    for (const set_target_option& o : t.options) add(o.name, o.value);
    if (in_force<"target.text.print">() && !t.keys.empty()) add("keys", t.keys);
    if (!t.tag.empty()) add("tag", t.tag);
    if (!t.host.empty()) add("host", target_text(t.host.front()));
    return text;
}

/// The list as text that reads back exactly: its targets with a comma and a blank between.
[[nodiscard]] inline std::string target_text(std::span<const target_instance> list) {
    std::string text;
    for (const target_instance& t : list) text += (text.empty() ? "" : ", ") + target_text(t);
    return text;
}
[[nodiscard]] inline std::string target_text(const std::vector<target_instance>& list) { return target_text(std::span(list)); }

}  // namespace inlay

#endif
