// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IR_WRITE_RELAY_METADATA_IPP
#define INLAY_IR_WRITE_RELAY_METADATA_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <inlay/ir/write_relay_metadata.hpp>

#include <inlay/core/in_force.hpp>
#include <inlay/ir/base64.hpp>
#include <inlay/ir/relay_tensor.hpp>
#include <inlay/target/device.hpp>
#include <inlay/target/option_value.hpp>

namespace inlay {

namespace detail {

/// Writes the nodes of a metadata section, each value once.
class relay_metadata_writer {
public:
    explicit relay_metadata_writer(const target_schemas& known) : known_(known) {}

    std::string write(const std::vector<tensor>& constants, const std::vector<placement>& placements) {
        nodes_ = {R"({"type_key": ""})", ""};
        std::string keys;
        std::vector<std::size_t> sections;
        const auto section = [&](const char* key, const auto& list, auto&& write_one) {
            if (list.empty()) return;
            std::vector<std::size_t> items;
            for (const auto& item : list) items.push_back(write_one(item));
            keys += (keys.empty() ? "\"" : ", \"") + std::string(key) + "\"";
            sections.push_back(array(items));
        };
        section("VirtualDevice", placements, [&](const placement& p) { return place(p); });
        std::size_t tensors = 0;
        section("relay.Constant", constants, [&](const tensor&) {
            return add(R"({"type_key": "relay.Constant", "attrs": {"_checked_type_": "0", "data": ")" + std::to_string(tensors++) +
                       R"(", "span": "0", "virtual_device_": "0"}})");
        });
        nodes_[1] = R"({"type_key": "Map")";
        if (!sections.empty()) nodes_[1] += ", \"keys\": [" + keys + "], \"data\": " + list_text(sections);
        nodes_[1] += "}";

        std::string out = "{\"root\": 1,\n \"nodes\": [";
        for (std::size_t i = 0; i < nodes_.size(); ++i) out += (i == 0 ? "\n  " : ",\n  ") + nodes_[i];
        out += "],\n \"b64ndarrays\": [";
        std::string bytes;
        for (std::size_t i = 0; i < constants.size(); ++i) {
            bytes.clear();
            write_relay_tensor(bytes, constants[i]);
            out += i == 0 ? "\n  \"" : ",\n  \"";
            write_base64(out, bytes);
            out += '"';
        }
        return out + "],\n \"attrs\": {\"tvm_version\": \"0.15.0\"}}\n";
    }

private:
    /// The node of that text, made where there is none yet.
    std::size_t add(std::string node) {
        const auto [known, fresh] = numbers_.try_emplace(node, nodes_.size());
        if (fresh) nodes_.push_back(std::move(node));
        return known->second;
    }
    [[nodiscard]] static std::string list_text(const std::vector<std::size_t>& items) {
        std::string text = "[";
        for (std::size_t i = 0; i < items.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(items[i]);
        return text + "]";
    }
    /// Appends a text as JSON has it.
    static void quote(std::string& out, std::string_view text) {
        out += '"';
        for (const char c : text) {
            const auto byte = static_cast<unsigned char>(c);
            if (c == '"' || c == '\\') {
                out += '\\';
                out += c;
            } else if (byte < 0x20 || byte == 0x7F) {
                out += "\\u00";
                out += "0123456789abcdef"[byte >> 4];
                out += "0123456789abcdef"[byte & 15u];
            } else {
                out += c;
            }
        }
        out += '"';
    }
    std::size_t array(const std::vector<std::size_t>& items) {
        return add(items.empty() ? R"({"type_key": "Array"})" : R"({"type_key": "Array", "data": )" + list_text(items) + "}");
    }
    std::size_t text(const std::string& s) {
        std::string node = R"({"type_key": "runtime.String")";
        const bool prints = std::all_of(s.begin(), s.end(), [](char c) { return c >= 0x20 && c < 0x7F; });
        if (prints && !s.empty()) {
            node += ", \"repr_str\": ";
            quote(node, s);
        } else if (!prints) {
            std::string bytes;
            for (std::size_t i = 0; i < 8; ++i) bytes += static_cast<char>(static_cast<std::uint64_t>(s.size()) >> (8 * i) & 255u);
            node += ", \"repr_b64\": \"";
            write_base64(node, bytes + s);
            node += '"';
        }
        return add(node + "}");
    }
    std::size_t texts(const std::vector<std::string>& list) {
        std::vector<std::size_t> items;
        for (const std::string& s : list) items.push_back(text(s));
        return array(items);
    }
    std::size_t integer(std::int64_t v, const char* type) {
        return add(R"({"type_key": "IntImm", "attrs": {"dtype": ")" + std::string(type) + R"(", "span": "0", "value": ")" +
                   std::to_string(v) + R"("}})");
    }
    /// An integer as TVM's targets have it: of 32 bits, unless it needs more.
    std::size_t integer(std::int64_t v) { return integer(v, v == static_cast<std::int32_t>(v) ? "int32" : "int64"); }
    /// TVM has the truth values of a kind's options as integers; `is_known`: the kind has the option.
    std::size_t option(const option_value& value, bool is_known) {
        if (const auto* v = std::get_if<bool>(&value)) return integer(*v ? 1 : 0, is_known ? "int32" : "bool");
        if (const auto* v = std::get_if<std::int64_t>(&value)) return integer(*v);
        if (const auto* v = std::get_if<double>(&value))
            return add(R"({"type_key": "FloatImm", "attrs": {"dtype": "float64", "span": "0", "value": ")" + scalar_text(*v) + R"("}})");
        if (const auto* v = std::get_if<std::string>(&value)) return text(*v);
        if (const auto* v = std::get_if<std::vector<std::string>>(&value)) return texts(*v);
        std::vector<std::size_t> items;
        for (const std::int64_t v : std::get<std::vector<std::int64_t>>(value)) items.push_back(integer(v));
        return array(items);
    }
    /// The options that TVM has as a target's attributes, by name: what was given, equal to a default or not, and what the kind has by
    /// default.
    [[nodiscard]] static std::map<std::string, option_value> attributes_of(const target_instance& t, const target_schema* schema) {
        std::map<std::string, option_value> all;
        for (const set_target_option& o : t.options) all.insert_or_assign(o.name, o.value);
        if (!in_force<"target.metadata.attributes">()) return all;
        for (const set_target_option& o : t.given) all.emplace(o.name, o.value);
        // A default of false, 0 or nothing means that the kind has none.
        if (schema != nullptr)
            for (const option_schema& o : schema->options)
                if (!same_value(o.otherwise, nothing_of(o.otherwise))) all.emplace(o.name, o.otherwise);
        return all;
    }
    /// The value of that type which says nothing.
    [[nodiscard]] static option_value nothing_of(const option_value& like) {
        return std::visit([](const auto& v) { return option_value(std::decay_t<decltype(v)>{}); }, like);
    }
    std::size_t target(const target_instance& t) {
        const target_schema* schema = known_.find(t.kind);
        const std::vector<std::string> own = schema == nullptr ? std::vector<std::string>() : schema->keys;
        const std::size_t kind =
            add(R"({"type_key": "TargetKind", "attrs": {"default_device_type": ")" + std::to_string(dlpack_number_of(t.device)) +
                R"(", "default_keys": ")" + std::to_string(texts(own)) + R"(", "name": ")" + std::to_string(text(t.kind)) + R"("}})");
        std::string names;
        std::vector<std::size_t> values;
        for (const auto& [name, value] : attributes_of(t, schema)) {
            names += names.empty() ? "" : ", ";
            quote(names, name);
            values.push_back(option(value, schema != nullptr && schema->find(name) != nullptr));
        }
        const std::size_t options =
            add(values.empty() ? R"({"type_key": "Map"})"
                               : R"({"type_key": "Map", "keys": [)" + names + R"(], "data": )" + list_text(values) + "}");
        const std::size_t host = t.host.empty() ? 0 : target(without_host(t.host.front()));
        const auto entry = [](const char* name, std::size_t n) { return "\"" + std::string(name) + "\": \"" + std::to_string(n) + "\""; };
        return add(R"({"type_key": "Target", "attrs": {)" + entry("attrs", options) + ", " +
                   entry("features", add(R"({"type_key": "Map"})")) + ", " + entry("host", host) + ", " +
                   entry("keys", texts(t.keys.empty() ? own : t.keys)) + ", " + entry("kind", kind) + ", " + entry("tag", text(t.tag)) +
                   "}}");
    }
    std::size_t place(const placement& p) {
        const std::size_t there = p.target.empty() ? 0 : target(p.target.front());
        return add(R"({"type_key": "VirtualDevice", "attrs": {"device_type_int": ")" +
                   std::to_string(p.device ? dlpack_number_of(*p.device) : -1) + R"(", "memory_scope": ")" + std::to_string(text(p.scope)) +
                   R"(", "target": ")" + std::to_string(there) + R"(", "virtual_device_id": ")" + std::to_string(p.id) + R"("}})");
    }

    const target_schemas& known_;
    std::vector<std::string> nodes_;
    std::map<std::string, std::size_t> numbers_;
};

}  // namespace detail

INLAY_FUNCTION std::string write_relay_metadata(const std::vector<tensor>& constants, const std::vector<placement>& placements,
                                                const target_schemas& known) {
    return detail::relay_metadata_writer(known).write(constants, placements);
}

}  // namespace inlay

#endif
