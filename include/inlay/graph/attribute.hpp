// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_GRAPH_ATTRIBUTE_HPP
#define INLAY_GRAPH_ATTRIBUTE_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <inlay/core/digest.hpp>
#include <inlay/graph/tensor.hpp>

namespace inlay {

/// The value of one attribute of a node.
using attribute_value = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>,
                                     std::vector<std::string>, tensor>;

/// The attributes of a node by name, in ascending order of name.
class attribute_map {
public:
    using entry = std::pair<std::string, attribute_value>;

    attribute_map() = default;
    // What changes a map is a template, so that it is compiled where maps are made and not wherever one is read.
    template <class Entry = entry>
    attribute_map(std::initializer_list<Entry> entries) {
        for (const Entry& e : entries) set(e.first, e.second);
    }

    /// Gives the attribute of that name a value, of one of the types of `attribute_value`.
    template <class Value>
    void set(std::string_view name, Value&& value) {
        const std::size_t at = place_of(name);
        if (holds(at, name))
            entries_[at].second = std::forward<Value>(value);
        else
            entries_.emplace(entries_.begin() + static_cast<std::ptrdiff_t>(at), name, std::forward<Value>(value));
    }

    template <class Name>
    void erase(const Name& name) {
        const std::size_t at = place_of(name);
        if (holds(at, name)) entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(at));
    }

    [[nodiscard]] const attribute_value* find(std::string_view name) const {
        const std::size_t at = place_of(name);
        return holds(at, name) ? &entries_[at].second : nullptr;
    }

    /// The attribute of that name if it is there and of type T, else null.
    template <class T>
    [[nodiscard]] const T* get(std::string_view name) const {
        const attribute_value* value = find(name);
        return value == nullptr ? nullptr : std::get_if<T>(value);
    }

    /// The attribute of that name, or the default where it is absent.
    [[nodiscard]] std::int64_t integer(std::string_view name, std::int64_t otherwise) const {
        const auto* v = get<std::int64_t>(name);
        return v == nullptr ? otherwise : *v;
    }
    [[nodiscard]] double number(std::string_view name, double otherwise) const {
        const auto* v = get<double>(name);
        return v == nullptr ? otherwise : *v;
    }
    [[nodiscard]] std::string_view text(std::string_view name, std::string_view otherwise) const {
        const auto* v = get<std::string>(name);
        return v == nullptr ? otherwise : std::string_view(*v);
    }
    [[nodiscard]] std::vector<std::int64_t> integers(std::string_view name, std::vector<std::int64_t> otherwise = {}) const {
        const auto* v = get<std::vector<std::int64_t>>(name);
        return v == nullptr ? std::move(otherwise) : *v;
    }

    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    [[nodiscard]] bool empty() const { return entries_.empty(); }
    [[nodiscard]] auto begin() const { return entries_.begin(); }
    [[nodiscard]] auto end() const { return entries_.end(); }

private:
    /// The place of the first entry whose name is not below this one.
    [[nodiscard]] std::size_t place_of(std::string_view name) const {
        std::size_t first = 0, last = entries_.size();
        while (first < last) {
            const std::size_t middle = first + (last - first) / 2;
            if (entries_[middle].first < name)
                first = middle + 1;
            else
                last = middle;
        }
        return first;
    }
    [[nodiscard]] bool holds(std::size_t at, std::string_view name) const { return at < entries_.size() && entries_[at].first == name; }

    std::vector<entry> entries_;
};

namespace detail {
inline void feed(digest_builder& b, std::int64_t v) { b.add(v); }
inline void feed(digest_builder& b, double v) { b.add(v); }
inline void feed(digest_builder& b, const std::string& v) { b.add(std::string_view(v)); }
inline void feed(digest_builder& b, const tensor& v) { b.add(v.content()); }
template <class T>
void feed(digest_builder& b, const std::vector<T>& list) {
    b.add(static_cast<std::uint64_t>(list.size()));
    for (const T& v : list) feed(b, v);
}
}  // namespace detail

/// The digest of names and values.
[[nodiscard]] inline digest content_of(const attribute_map& attributes) {
    digest_builder b;
    for (const auto& [name, value] : attributes) {
        b.add(std::string_view(name)).add(static_cast<std::uint64_t>(value.index()));
        std::visit([&](const auto& v) { detail::feed(b, v); }, value);
    }
    return b.finish();
}

/// Equal names and equal values; tensors by type and bytes.
[[nodiscard]] inline bool operator==(const attribute_map& a, const attribute_map& b) {
    return a.size() == b.size() && content_of(a) == content_of(b);
}

}  // namespace inlay

#endif
