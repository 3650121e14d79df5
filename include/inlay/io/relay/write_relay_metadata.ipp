// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_RELAY_WRITE_RELAY_METADATA_IPP
#define INLAY_IO_RELAY_WRITE_RELAY_METADATA_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <inlay/io/relay/write_relay_metadata.hpp>

#include <inlay/io/json/json.hpp>
#include <inlay/io/relay/base64.hpp>
#include <inlay/io/relay/relay_metadata.hpp>
#include <inlay/io/relay/relay_tensor.hpp>
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
    std::size_t array(const std::vector<std::size_t>& items) {
        return add(items.empty() ? R"({"type_key": "Array"})" : R"({"type_key": "Array", "data": )" + list_text(items) + "}");
    }
    std::size_t text(const std::string& s) {
        std::string node = R"({"type_key": "runtime.String")";
        const bool prints = std::all_of(s.begin(), s.end(), [](char c) { return c >= 0x20 && c < 0x7F; });
        if (prints && !s.empty()) {
            node += ", \"repr_str\": ";
            write_text(s, node);
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
    std::size_t option(const option_value& value) {
        if (const auto* v = std::get_if<bool>(&value)) return integer(*v ? 1 : 0, "bool");
        if (const auto* v = std::get_if<std::int64_t>(&value)) return integer(*v, "int64");
        if (const auto* v = std::get_if<double>(&value))
            return add(R"({"type_key": "FloatImm", "attrs": {"dtype": "float64", "span": "0", "value": ")" + scalar_text(*v) + R"("}})");
        if (const auto* v = std::get_if<std::string>(&value)) return text(*v);
        if (const auto* v = std::get_if<std::vector<std::string>>(&value)) return texts(*v);
        std::vector<std::size_t> items;
        for (const std::int64_t v : std::get<std::vector<std::int64_t>>(value)) items.push_back(integer(v, "int64"));
        return array(items);
    }
    std::size_t target(const target_instance& t) {
        const target_schema* schema = known_.find(t.kind);
        const std::vector<std::string> own = schema == nullptr ? std::vector<std::string>() : schema->keys;
        const std::size_t kind =
            add(R"({"type_key": "TargetKind", "attrs": {"default_device_type": ")" + std::to_string(relay_number_of(t.device)) +
                R"(", "default_keys": ")" + std::to_string(texts(own)) + R"(", "name": ")" + std::to_string(text(t.kind)) + R"("}})");
        std::string names;
        std::vector<std::size_t> values;
        for (const set_target_option& o : t.options) {
            names += names.empty() ? "" : ", ";
            write_text(o.name, names);
            values.push_back(option(o.value));
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
                   std::to_string(p.device ? relay_number_of(*p.device) : -1) + R"(", "memory_scope": ")" + std::to_string(text(p.scope)) +
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
