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
#include <inlay/core/shared_handle.hpp>
#include <inlay/graph/tensor.hpp>

namespace inlay {

/// The value of one attribute of a node.
using attribute_value =
    std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>, std::vector<std::string>, tensor>;

/// The attributes of a node by name, in ascending order of name. Copies share their entries until one of them is changed.
///
/// Most who include this only pass maps on. So all that looks at entries is a template of their type, compiled where it is called, and the
/// function that frees them is found through a pointer: a variant of seven types weighs more than the rest of this folder.
class attribute_map {
public:
    using entry = std::pair<std::string, attribute_value>;

    attribute_map() = default;
    template <class Entry = entry>
    attribute_map(std::initializer_list<Entry> entries) {
        for (const Entry& e : entries) set(e.first, e.second);
    }

    /// Room for so many entries.
    template <class Entry = entry>
    void reserve(std::size_t count) {
        if (count != 0) own<Entry>().reserve(count);
    }

    /// Gives the attribute of that name a value, of one of the types of `attribute_value`.
    template <class Value, class Entry = entry>
    void set(std::string_view name, Value&& value) {
        // Most come in order.
        const bool is_last = !empty<Entry>() && end<Entry>()[-1].first < name;
        const std::size_t at = is_last ? size<Entry>() : place_of<Entry>(name);
        const bool there = holds<Entry>(at, name);
        std::vector<Entry>& list = own<Entry>();
        if (there)
            list[at].second = std::forward<Value>(value);
        else
            list.emplace(list.begin() + static_cast<std::ptrdiff_t>(at), name, std::forward<Value>(value));
    }

    template <class Entry = entry>
    void erase(std::string_view name) {
        const std::size_t at = place_of<Entry>(name);
        if (!holds<Entry>(at, name)) return;
        std::vector<Entry>& list = own<Entry>();
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
    }

    template <class Entry = entry>
    [[nodiscard]] const attribute_value* find(std::string_view name) const {
        const std::size_t at = place_of<Entry>(name);
        return holds<Entry>(at, name) ? &(begin<Entry>() + at)->second : nullptr;
    }

    /// The attribute of that name if it is there and of type T, else null.
    template <class T, class Entry = entry>
    [[nodiscard]] const T* get(std::string_view name) const {
        const auto* value = find<Entry>(name);
        return value == nullptr ? nullptr : std::get_if<T>(value);
    }

    /// The attribute of that name, or the default where it is absent.
    template <class Entry = entry>
    [[nodiscard]] std::int64_t integer(std::string_view name, std::int64_t otherwise) const {
        const auto* v = get<std::int64_t, Entry>(name);
        return v == nullptr ? otherwise : *v;
    }
    template <class Entry = entry>
    [[nodiscard]] double number(std::string_view name, double otherwise) const {
        const auto* v = get<double, Entry>(name);
        return v == nullptr ? otherwise : *v;
    }
    template <class Entry = entry>
    [[nodiscard]] std::string_view text(std::string_view name, std::string_view otherwise) const {
        const auto* v = get<std::string, Entry>(name);
        return v == nullptr ? otherwise : std::string_view(*v);
    }
    template <class Entry = entry>
    [[nodiscard]] std::vector<std::int64_t> integers(std::string_view name, std::vector<std::int64_t> otherwise = {}) const {
        const auto* v = get<std::vector<std::int64_t>, Entry>(name);
        return v == nullptr ? std::move(otherwise) : *v;
    }

    template <class Entry = entry>
    [[nodiscard]] std::size_t size() const {
        return held_ ? static_cast<const list_of<Entry>*>(held_.get())->list.size() : 0;
    }
    template <class Entry = entry>
    [[nodiscard]] bool empty() const {
        return size<Entry>() == 0;
    }
    template <class Entry = entry>
    [[nodiscard]] const Entry* begin() const {
        return held_ ? static_cast<const list_of<Entry>*>(held_.get())->list.data() : nullptr;
    }
    template <class Entry = entry>
    [[nodiscard]] const Entry* end() const {
        return begin<Entry>() + size<Entry>();
    }

private:
    struct shared : owner_count {
        void (*free)(shared*) = nullptr;

        static void release(shared* s) { s->free(s); }
    };
    template <class Entry>
    struct list_of : shared {
        std::vector<Entry> list;
    };

    /// The entries, of which no copy knows after this call.
    template <class Entry>
    std::vector<Entry>& own() {
        if (!held_.is_alone()) {
            auto* made = new list_of<Entry>;
            made->free = [](shared* s) { delete static_cast<list_of<Entry>*>(s); };
            if (held_) made->list = static_cast<const list_of<Entry>*>(held_.get())->list;
            held_ = shared_handle<shared>(made);
        }
        return static_cast<list_of<Entry>*>(held_.get())->list;
    }

    /// The place of the first entry whose name is not below this one.
    template <class Entry>
    [[nodiscard]] std::size_t place_of(std::string_view name) const {
        const Entry* entries = begin<Entry>();
        std::size_t first = 0, last = size<Entry>();
        while (first < last) {
            const std::size_t middle = first + (last - first) / 2;
            if (entries[middle].first < name)
                first = middle + 1;
            else
                last = middle;
        }
        return first;
    }
    template <class Entry>
    [[nodiscard]] bool holds(std::size_t at, std::string_view name) const {
        return at < size<Entry>() && begin<Entry>()[at].first == name;
    }

    shared_handle<shared> held_;
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
template <class Entry = attribute_map::entry>
[[nodiscard]] digest content_of(const attribute_map& attributes) {
    digest_builder b;
    const Entry* last = attributes.end<Entry>();
    for (const Entry* e = attributes.begin<Entry>(); e != last; ++e) {
        b.add(std::string_view(e->first)).add(static_cast<std::uint64_t>(e->second.index()));
        std::visit([&](const auto& v) { detail::feed(b, v); }, e->second);
    }
    return b.finish();
}

/// Equal names and equal values; tensors by type and bytes.
template <class Entry = attribute_map::entry>
[[nodiscard]] bool operator==(const attribute_map& a, const attribute_map& b) {
    return a.size<Entry>() == b.size<Entry>() && content_of<Entry>(a) == content_of<Entry>(b);
}

}  // namespace inlay

#endif
