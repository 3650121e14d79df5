// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_JSON_TARGET_JSON_HPP
#define INLAY_IO_JSON_TARGET_JSON_HPP

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/core/nearest_name.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/io/json/json.hpp>
#include <inlay/target/device.hpp>
#include <inlay/target/read_target.hpp>
#include <inlay/target/tag_list.hpp>
#include <inlay/target/target_builder.hpp>
#include <inlay/target/target_instance.hpp>
#include <inlay/target/target_schema.hpp>

namespace inlay {

namespace detail {

/// The value of that type at a place. Nothing is converted: texts are texts, numbers are numbers; only an infinity, which JSON lacks, is a
/// text.
[[nodiscard]] inline outcome<option_value> option_at(const json_place& place, option_type type, integer_range range) {
    const auto integer_at = [&](const json_place& at) -> outcome<std::int64_t> {
        if (!in_force<"target.json.types">() && at.value().is_number()) return at.value().get<std::int64_t>();
        auto read = at.integer();
        if (read && !range.has(*read))
            return at.wrong("must be from " + std::to_string(range.least) + " to " + std::to_string(range.most) + ", and is " +
                            std::to_string(*read));
        return read;
    };
    const auto wrapped = [](auto read) -> outcome<option_value> {
        if (!read) return read.failure();
        return option_value(*std::move(read));
    };
    switch (type) {
        case option_type::boolean:
            return wrapped(place.boolean());
        case option_type::integer:
            return wrapped(integer_at(place));
        case option_type::number:
            if (place.value() == "inf" || place.value() == "-inf") return option_value(place.value() == "inf" ? HUGE_VAL : -HUGE_VAL);
            return wrapped(place.number());
        case option_type::text:
            return wrapped(place.text());
        default:
            break;
    }
    const auto items = place.list();
    if (!items) return items.failure();
    std::vector<std::string> texts;
    std::vector<std::int64_t> integers;
    for (const json_place& item : *items) {
        if (type == option_type::texts) {
            auto read = item.text();
            if (!read) return read.failure();
            texts.push_back(*std::move(read));
        } else {
            const auto read = integer_at(item);
            if (!read) return read.failure();
            integers.push_back(*read);
        }
    }
    return type == option_type::texts ? option_value(std::move(texts)) : option_value(std::move(integers));
}

/// A target at a place: a text, or an object with its kind and its options.
[[nodiscard]] inline outcome<std::vector<target_instance>> targets_at(const json_place& place, const target_schemas& known,
                                                                      const tag_list& tags) {
    const auto wrong = [](const json_place& where, const error& e) {
        return in_force<"target.json.errors">() ? error{where.path() + ": " + e.message} : e;
    };
    if (in_force<"target.json.text">() && place.value().is_string()) {
        auto read = read_target_list(*place.text(), known, tags);
        if (!read) return wrong(place, read.failure());
        return read;
    }
    const auto kind_place = place.member("kind");
    if (!kind_place) return kind_place.failure();
    const auto kind = kind_place->text();
    if (!kind) return kind.failure();
    std::optional<std::string> compiler;
    if (const auto at = place.find("compiler"); at && in_force<"target.json.text">()) {
        auto read = at->text();
        if (!read) return read.failure();
        compiler = *std::move(read);
    }
    auto builder = target_builder::begin(*kind, compiler ? std::optional<std::string_view>(*compiler) : std::nullopt, known);
    if (!builder) return wrong(*kind_place, builder.failure());
    const auto members = place.members();
    if (!members) return members.failure();
    for (const auto& [key, at] : *members) {
        if (key == "kind") continue;
        const auto slot = builder->take(key);
        if (!slot) return wrong(at, slot.failure());
        if (slot->is_host) {
            auto host = targets_at(at, known, tags);
            if (!host) return host.failure();
            if (host->size() != 1) return at.wrong("must name one target, and names " + std::to_string(host->size()));
            if (auto set = builder->set_host(std::move(host->front())); !set) return wrong(at, set.failure());
            continue;
        }
        auto value = option_at(at, slot->type, slot->range);
        if (!value) return value.failure();
        if (in_force<"target.json.object">()) builder->set(key, *std::move(value));
    }
    auto made = builder->finish();
    if (!made) return wrong(place, made.failure());
    return made;
}

/// The older form: an object with a device type as each key, as a name or as DLPack's number, and a target of it as the value.
[[nodiscard]] inline outcome<std::vector<target_instance>> targets_by_device(const json_place& place, const target_schemas& known,
                                                                             const tag_list& tags) {
    std::vector<target_instance> all;
    const auto members = place.members();
    if (!members) return members.failure();
    for (const auto& [key, at] : *members) {
        std::optional<device_type> device = device_type_named(key);
        for (std::size_t i = 0; i < device_numbers.size(); ++i)
            if (key == std::to_string(device_numbers[i])) device = static_cast<device_type>(i);
        if (!device) {
            std::vector<std::string_view> names(device_names.begin(), device_names.end());
            names.insert(names.begin(), "kind");
            return place.wrong("has no key 'kind', and its key " + quoted_text(key) + " is no device type either" + name_hint(key, names));
        }
        auto made = targets_at(at, known, tags);
        if (!made) return made.failure();
        for (target_instance& t : *made) {
            if (t.device != *device)
                return at.wrong("must be a target of device type " + std::string(name_of(*device)) + ", and '" + t.kind + "' is one of " +
                                std::string(name_of(t.device)));
            all.push_back(std::move(t));
        }
    }
    return all;
}

}  // namespace detail

/// The targets of a JSON value: a list of targets, one target, or an object from device types to targets, which gives them by ascending
/// key. A target is a text, or an object: `{"kind": "cuda", "arch": "sm_80", "keys": ["cuda", "gpu"], "host": {"kind": "llvm"}}`. Errors
/// begin with the path.
[[nodiscard]] inline outcome<std::vector<target_instance>> read_target_json(const json_value& value, const target_schemas& known,
                                                                            const tag_list& tags = {}) {
    const json_place root(value, "targets");
    if (value.is_object())
        return value.contains("kind") || !in_force<"target.json.by-device">() ? detail::targets_at(root, known, tags)
                                                                              : detail::targets_by_device(root, known, tags);
    const auto items = root.list();
    if (!items) return items.failure();
    std::vector<target_instance> all;
    for (const json_place& item : *items) {
        auto made = detail::targets_at(item, known, tags);
        if (!made) return made.failure();
        for (target_instance& t : *made) all.push_back(std::move(t));
        if (all.size() > most_targets) return item.wrong("is one target too many: a list has at most " + std::to_string(most_targets));
    }
    return all;
}

/// The targets of a text: JSON where it begins with `[` or `{`, and else a target text.
[[nodiscard]] inline outcome<std::vector<target_instance>> read_targets(std::string_view text, const target_schemas& known,
                                                                        const tag_list& tags = {}) {
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos || (text[start] != '[' && text[start] != '{') ||
        (in_force<"target.json.hostile">() && text.size() > longest_target_text))
        return read_target_list(text, known, tags);
    const auto value = read_json(text);
    if (!value) return error{"the targets begin as JSON does and are none: " + value.failure().message};
    return read_target_json(*value, known, tags);
}

/// A target as JSON, which reads back as the same one where its texts are UTF-8.
[[nodiscard]] inline json_output target_json(const target_instance& t) {
    json_output out{{"kind", t.kind}};
    for (const set_target_option& o : t.options)
        std::visit(
            [&](const auto& value) {
                out[o.name] = value;
                if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>)
                    if (in_force<"target.json.round-trip">() && std::isinf(value)) out[o.name] = value > 0 ? "inf" : "-inf";
            },
            o.value);
    if (!t.keys.empty()) out["keys"] = t.keys;
    if (!t.tag.empty()) out["tag"] = t.tag;
    if (!t.host.empty()) out["host"] = target_json(t.host.front());
    return out;
}

/// A list of targets as JSON.
[[nodiscard]] inline json_output target_json(std::span<const target_instance> list) {
    json_output out = json_output::array();
    for (const target_instance& t : list) out.push_back(target_json(t));
    return out;
}
[[nodiscard]] inline json_output target_json(const std::vector<target_instance>& list) { return target_json(std::span(list)); }

}  // namespace inlay

#endif
