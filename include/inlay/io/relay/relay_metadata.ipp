// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_RELAY_RELAY_METADATA_IPP
#define INLAY_IO_RELAY_RELAY_METADATA_IPP

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <inlay/io/relay/relay_metadata.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/io/json/json.hpp>
#include <inlay/ir/base64.hpp>
#include <inlay/ir/relay_tensor.hpp>
#include <inlay/ir/write_relay_metadata.hpp>
#include <inlay/target/device.hpp>
#include <inlay/target/option_value.hpp>

namespace inlay {

namespace detail {

/// Reads the nodes of a metadata section, which name each other by number. The first fault is kept, and what could not be read is empty.
class relay_metadata_reader {
public:
    relay_metadata_reader(const json_value& root, const target_schemas& known) : root_(root), known_(known) {}

    outcome<relay_metadata> read() {
        relay_metadata made;
        sections(made);
        if (fault_) return error{"the metadata's " + *fault_};
        return made;
    }

private:
    using number = std::size_t;

    // Faults.

    [[nodiscard]] bool is_sound() const { return !fault_.has_value(); }
    void fail(std::string what) {
        if (!fault_) fault_ = std::move(what);
    }
    void fail_at(number n, const std::string& what) { fail("nodes[" + std::to_string(n) + "] " + what); }

    // Nodes.

    void sections(relay_metadata& made) {
        const json_value* nodes = member(root_, "nodes");
        if (nodes == nullptr || !nodes->is_array()) return fail("key 'nodes' must be a list");
        nodes_ = nodes;
        if (const json_value* arrays = member(root_, "b64ndarrays"); arrays != nullptr) {
            if (!arrays->is_array()) return fail("key 'b64ndarrays' must be a list");
            arrays_ = arrays;
        }
        const json_value* root = member(root_, "root");
        if (root == nullptr) return fail("key 'root' is not there");
        const auto at = index_in(*root);
        if (!at) return fail("root is no number of a node");
        if (*at == 0) return;
        if (type_key(*at) != "Map") return fail_at(*at, "must be a Map, since it is the root");
        for (const auto& [key, list] : map(*at)) {
            const std::vector<number> items = items_of(list);
            for (const number n : items) {
                if (!is_sound()) return;
                if (key == "VirtualDevice")
                    made.placements.push_back(place(n));
                else if (key == "relay.Constant")
                    made.constants.push_back(constant(n));
            }
            if (key == "VirtualDevice" || key == "relay.Constant") continue;
            made.others.push_back({key, {}});
            for (const number n : items) made.others.back().values.push_back(attribute(n));
        }
    }

    [[nodiscard]] static const json_value* member(const json_value& v, const char* key) {
        if (!v.is_object()) return nullptr;
        const auto at = v.find(key);
        return at == v.end() ? nullptr : &*at;
    }
    /// The whole number that a value is, or a text of decimal digits.
    [[nodiscard]] static std::optional<std::int64_t> integer_in(const json_value& v) {
        if (v.is_number_unsigned()) {
            const auto n = v.get<std::uint64_t>();
            return n <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) ? std::optional(static_cast<std::int64_t>(n))
                                                                                             : std::nullopt;
        }
        if (v.is_number_integer()) return v.get<std::int64_t>();
        if (!v.is_string()) return std::nullopt;
        const auto& text = v.get_ref<const std::string&>();
        std::int64_t n = 0;
        const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), n);
        return fault == std::errc() && end == text.data() + text.size() ? std::optional(n) : std::nullopt;
    }
    [[nodiscard]] std::optional<number> index_in(const json_value& v) const {
        const auto n = integer_in(v);
        if (!n || *n < 0 || static_cast<std::uint64_t>(*n) >= nodes_->size()) return std::nullopt;
        return static_cast<number>(*n);
    }
    [[nodiscard]] std::string type_key(number n) const {
        const json_value* key = member((*nodes_)[n], "type_key");
        return key != nullptr && key->is_string() ? key->get<std::string>() : std::string();
    }
    bool is_of(number n, std::string_view key) {
        if (type_key(n) == key) return true;
        fail_at(n, "must be of type_key " + quoted_text(key) + ", and is of " + quoted_text(type_key(n)));
        return false;
    }
    const json_value* attribute_of(number n, const char* key) {
        const json_value* attrs = member((*nodes_)[n], "attrs");
        const json_value* value = attrs == nullptr ? nullptr : member(*attrs, key);
        if (value == nullptr) fail_at(n, "has no attrs." + std::string(key));
        return value;
    }
    std::int64_t integer_of(number n, const char* key) {
        const json_value* value = attribute_of(n, key);
        if (value == nullptr) return 0;
        const auto read = integer_in(*value);
        if (!read) fail_at(n, "must have a whole number as attrs." + std::string(key));
        return read.value_or(0);
    }
    number node_of(number n, const char* key) {
        const json_value* value = attribute_of(n, key);
        if (value == nullptr) return 0;
        const auto read = index_in(*value);
        if (!read)
            fail_at(n, "has attrs." + std::string(key) + ", which is no number of a node; there are " + std::to_string(nodes_->size()));
        return read.value_or(0);
    }
    std::vector<number> numbers_in(number n, const json_value& list) {
        std::vector<number> all;
        if (!list.is_array()) {
            fail_at(n, "must have a list as data");
            return all;
        }
        for (const json_value& v : list) {
            const auto read = index_in(v);
            if (!read) {
                fail_at(n, "has in its data what is no number of a node; there are " + std::to_string(nodes_->size()));
                return {};
            }
            all.push_back(*read);
        }
        return all;
    }
    std::vector<number> items_of(number n) {
        if (n == 0 || !is_of(n, "Array")) return {};
        const json_value* data = member((*nodes_)[n], "data");
        return data == nullptr ? std::vector<number>() : numbers_in(n, *data);
    }
    /// The text of a node; null is the empty one.
    std::string text(number n) {
        if (n == 0 || !is_of(n, "runtime.String")) return {};
        if (const json_value* plain = member((*nodes_)[n], "repr_str")) {
            if (plain->is_string()) return plain->get<std::string>();
        } else if (const json_value* coded = member((*nodes_)[n], "repr_b64")) {
            if (const auto bytes = coded->is_string() ? read_base64(coded->get_ref<const std::string&>()) : std::nullopt) {
                std::uint64_t size = 0;
                for (std::size_t i = 0; i < 8 && i < bytes->size(); ++i)
                    size |= static_cast<std::uint64_t>(static_cast<unsigned char>((*bytes)[i])) << (8 * i);
                if (bytes->size() >= 8 && size == bytes->size() - 8) return bytes->substr(8);
            }
        } else {
            return {};
        }
        fail_at(n, "is a text that cannot be read");
        return {};
    }
    /// A map by ascending key, without the values that are null.
    std::map<std::string, number> map(number n) {
        std::map<std::string, number> made;
        if (n == 0 || !is_of(n, "Map")) return made;
        const json_value* data = member((*nodes_)[n], "data");
        if (data == nullptr) return made;
        const std::vector<number> numbers = numbers_in(n, *data);
        const json_value* keys = member((*nodes_)[n], "keys");
        if (keys != nullptr) {
            if (!keys->is_array() || keys->size() != numbers.size()) {
                fail_at(n, "must have as many keys as data");
                return made;
            }
            for (std::size_t i = 0; i < numbers.size(); ++i) {
                if (!(*keys)[i].is_string())
                    fail_at(n, "must have texts as keys");
                else if (!made.emplace((*keys)[i].get<std::string>(), numbers[i]).second)
                    fail_at(n, "has a key twice");
            }
            return made;
        }
        if (numbers.size() % 2 != 0) fail_at(n, "must have a value for each key");
        for (std::size_t i = 0; i + 1 < numbers.size(); i += 2)
            if (!made.emplace(text(numbers[i]), numbers[i + 1]).second) fail_at(n, "has a key twice");
        return made;
    }

    // What is made of nodes.

    tensor constant(number n) {
        if (n == 0) fail("relay.Constant has a null in it");
        if (!is_sound() || !is_of(n, "relay.Constant")) return {};
        const std::int64_t at = integer_of(n, "data");
        if (!is_sound()) return {};
        if (arrays_ == nullptr || at < 0 || static_cast<std::uint64_t>(at) >= arrays_->size()) {
            fail_at(n, "has attrs.data " + std::to_string(at) + ", and there are " +
                           std::to_string(arrays_ == nullptr ? 0 : arrays_->size()) + " tensors in b64ndarrays");
            return {};
        }
        const json_value& coded = (*arrays_)[static_cast<std::size_t>(at)];
        const std::string where = "b64ndarrays[" + std::to_string(at) + "] ";
        const auto bytes = coded.is_string() ? read_base64(coded.get_ref<const std::string&>()) : std::nullopt;
        if (!bytes) {
            fail(where + "is no base64");
            return {};
        }
        auto read = read_relay_tensor(*bytes);
        if (read) return *std::move(read);
        fail(where + read.failure().message);
        return {};
    }

    std::optional<device_type> device(number n, std::int64_t coded) {
        if (const auto known = device_type_numbered(coded)) return known;
        std::string all;
        for (std::size_t i = 0; i < device_names.size(); ++i)
            all += (i == 0 ? "" : ", ") + std::to_string(device_numbers[i]) + " is " + std::string(device_names[i]);
        fail_at(n, "names the device type " + std::to_string(coded) + ", which is not known here; " + all);
        return std::nullopt;
    }

    placement place(number n) {
        placement p;
        if (n == 0 || !is_of(n, "VirtualDevice")) return p;
        if (const std::int64_t coded = integer_of(n, "device_type_int"); coded != -1 && is_sound()) p.device = device(n, coded);
        const std::int64_t id = integer_of(n, "virtual_device_id");
        if (id < -1 || id > std::numeric_limits<std::int32_t>::max())
            fail_at(n, "must have a number of a device as attrs.virtual_device_id");
        p.id = static_cast<std::int32_t>(id);
        p.scope = text(node_of(n, "memory_scope"));
        if (const number t = node_of(n, "target"); t != 0 && is_sound()) {
            p.target.push_back(target(t, 0));
            if (!p.device) p.device = p.target.front().device;
            if (is_sound() && p.target.front().device != *p.device)
                fail_at(n, "has a target of device type " + std::string(name_of(p.target.front().device)) + ", and is of " +
                               std::string(name_of(*p.device)));
        }
        return p;
    }

    target_instance target(number n, std::size_t depth) {
        constexpr std::size_t deepest = 8;
        if (!is_of(n, "Target")) return {};
        if (const auto made = targets_.find(n); made != targets_.end()) return made->second;
        if (depth == deepest) {
            fail_at(n, "is the host of itself, or hosts stand in each other more than " + std::to_string(deepest) + " deep");
            return {};
        }
        target_instance t;
        const number kind = node_of(n, "kind");
        if (kind == 0) fail_at(n, "has no kind");
        if (!is_sound() || !is_of(kind, "TargetKind")) return {};
        t.kind = text(node_of(kind, "name"));
        std::vector<std::string> own_keys;
        for (const number key : items_of(node_of(kind, "default_keys"))) own_keys.push_back(text(key));
        const target_schema* schema = known_.find(t.kind);
        if (schema != nullptr) {
            t = schema->bare();
            own_keys = schema->keys;
        } else if (const std::int64_t coded = integer_of(kind, "default_device_type"); is_sound()) {
            t.device = device(kind, coded).value_or(device_type::cpu);
        }
        for (const number key : items_of(node_of(n, "keys"))) t.keys.push_back(text(key));
        if (t.keys == own_keys) t.keys.clear();
        t.tag = text(node_of(n, "tag"));
        options(t, schema, map(node_of(n, "attrs")));
        if (const number host = node_of(n, "host"); host != 0 && is_sound()) t = with_host(std::move(t), target(host, depth + 1));
        if (is_sound()) targets_.emplace(n, t);
        return t;
    }

    void options(target_instance& t, const target_schema* schema, const std::map<std::string, number>& set) {
        std::map<std::string, option_value> values;
        for (const auto& [name, n] : set)
            if (auto v = option(n, schema == nullptr ? nullptr : schema->find(name))) values.emplace(name, *std::move(v));
        if (schema != nullptr)
            for (const option_schema& o : schema->options)
                if (const auto at = values.find(o.name); at != values.end()) {
                    if (same_value(at->second, o.otherwise))
                        t.note(o.name, std::move(at->second));
                    else
                        t.options.push_back({o.name, std::move(at->second)});
                    values.erase(at);
                }
        // A device is a label, which is among the keys.
        if (const auto at = values.find("device"); schema != nullptr && at != values.end()) {
            t.note("device", std::move(at->second));
            values.erase(at);
        }
        for (auto& [name, value] : values) t.options.push_back({name, std::move(value)});
    }
    /// A value, of the type that the option has where that is known and the value can be of it. Null is none.
    std::optional<option_value> option(number n, const option_schema* o) {
        if (n == 0) return std::nullopt;
        auto read = attribute(n);
        if (!read) {
            fail_at(n, "is the value of a target's option, and " + read.failure().message);
            return std::nullopt;
        }
        if (const auto* v = std::get_if<std::int64_t>(&*read)) {
            const bool is_truth = o == nullptr ? dtype(n) == "bool" : o->type() == option_type::boolean;
            if (is_truth && (*v == 0 || *v == 1)) return option_value(*v == 1);
            if (o != nullptr && o->type() == option_type::number) return option_value(static_cast<double>(*v));
            return option_value(*v);
        }
        if (const auto* v = std::get_if<double>(&*read)) return option_value(*v);
        if (auto* v = std::get_if<std::string>(&*read)) return option_value(std::move(*v));
        if (auto* v = std::get_if<std::vector<std::string>>(&*read)) return option_value(std::move(*v));
        if (auto* v = std::get_if<std::vector<std::int64_t>>(&*read)) {
            if (v->empty() && (o == nullptr || o->type() == option_type::texts)) return option_value(std::vector<std::string>());
            return option_value(std::move(*v));
        }
        fail_at(n, "is the value of a target's option, and is of a type that no option has");
        return std::nullopt;
    }
    std::string dtype(number n) {
        const json_value* value = attribute_of(n, "dtype");
        return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
    }

    /// A node as the value of an attribute: a number, a text, or a list of such.
    outcome<attribute_value> attribute(number n) {
        const std::string key = type_key(n);
        if (key == "IntImm") return attribute_value(integer_of(n, "value"));
        if (key == "runtime.String") return attribute_value(text(n));
        if (key == "FloatImm") {
            if (const auto v = floating(n)) return attribute_value(*v);
            return error{"has no number as attrs.value"};
        }
        if (key != "Array") return error{"is of type_key " + quoted_text(key) + ", which is not read here"};
        std::vector<std::int64_t> integers;
        std::vector<double> numbers;
        std::vector<std::string> texts;
        const std::vector<number> items = items_of(n);
        for (const number item : items) {
            if (type_key(item) == "Array") return error{"is a list of lists, which is not read here"};
            auto v = attribute(item);
            if (!v) return v;
            if (const auto* i = std::get_if<std::int64_t>(&*v)) integers.push_back(*i);
            if (const auto* i = std::get_if<double>(&*v)) numbers.push_back(*i);
            if (auto* i = std::get_if<std::string>(&*v)) texts.push_back(std::move(*i));
        }
        if (integers.size() == items.size()) return attribute_value(std::move(integers));
        if (numbers.size() == items.size()) return attribute_value(std::move(numbers));
        if (texts.size() == items.size()) return attribute_value(std::move(texts));
        return error{"is a list of values of several types, which is not read here"};
    }
    std::optional<double> floating(number n) {
        const json_value* value = attribute_of(n, "value");
        if (value == nullptr) return std::nullopt;
        if (value->is_number()) return value->get<double>();
        if (!value->is_string()) return std::nullopt;
        const auto& text = value->get_ref<const std::string&>();
        double v = 0;
        const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), v);
        return fault == std::errc() && end == text.data() + text.size() ? std::optional(v) : std::nullopt;
    }

    const json_value& root_;
    const target_schemas& known_;
    const json_value* nodes_ = nullptr;
    const json_value* arrays_ = nullptr;
    std::map<number, target_instance> targets_;  // that were read
    std::optional<std::string> fault_;
};

}  // namespace detail

INLAY_FUNCTION outcome<relay_metadata> read_relay_metadata(std::string_view json, const target_schemas& known) {
    const auto root = read_json(json);
    if (!root) return error{"the metadata is no JSON, counted from where it begins: " + root.failure().message};
    return detail::relay_metadata_reader(*root, known).read();
}

}  // namespace inlay

#endif
