// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TARGET_TARGET_SCHEMA_HPP
#define INLAY_TARGET_TARGET_SCHEMA_HPP

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/core/nearest_name.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/target/device_kinds.hpp>
#include <inlay/target/option.hpp>
#include <inlay/target/plain_target.hpp>
#include <inlay/target/target.hpp>
#include <inlay/target/target_instance.hpp>
#include <inlay/target/target_record.hpp>

namespace inlay {

/// One option of a kind: its name, a line of help, its type by its default value, and the integers it takes.
struct option_schema {
    std::string name, doc;
    option_value otherwise;
    integer_range range = {};

    [[nodiscard]] option_type type() const { return type_of(otherwise); }
    friend bool operator==(const option_schema& a, const option_schema& b) {
        return a.name == b.name && a.doc == b.doc && same_value(a.otherwise, b.otherwise) && a.range == b.range;
    }
};

/// What there is to say about a kind of target, as a value: made from a type, or by what loads a back end.
struct target_schema {
    std::string kind;
    device_type device = device_type::cpu;
    std::string refines = {};            // empty: it is a plain target
    std::vector<std::string> keys = {};  // what its instances are labelled with unless they say otherwise
    std::vector<option_schema> options = {};
    outcome<void> (*check)(const target_instance&) = nullptr;  // what types and ranges cannot say; null: nothing

    [[nodiscard]] bool is_plain() const { return refines.empty(); }
    [[nodiscard]] const option_schema* find(std::string_view name) const {
        for (const option_schema& o : options)
            if (o.name == name) return &o;
        return nullptr;
    }
    /// The value of an option of an instance: what was set, or the default. Precondition: the schema has it.
    [[nodiscard]] const option_value& value(const target_instance& t, std::string_view name) const {
        const option_value* set = t.find(name);
        return set != nullptr ? *set : find(name)->otherwise;
    }
    /// The labels of an instance.
    [[nodiscard]] const std::vector<std::string>& keys_of(const target_instance& t) const { return t.keys.empty() ? keys : t.keys; }
    /// Sets an option, to a value of its type. The instance stays in the one form in which equal targets are equal values.
    void set(target_instance& t, std::string_view name, option_value value) const {
        std::vector<set_target_option> all;
        t.forget(name);
        for (const option_schema& o : options) {
            if (o.name == name && same_value(value, o.otherwise)) t.note(name, value);
            const option_value* had = o.name == name ? &value : t.find(o.name);
            if (had != nullptr && (!in_force<"target.text.options">() || !same_value(*had, o.otherwise))) all.push_back({o.name, *had});
        }
        t.options = std::move(all);
    }
    /// The instance of the bare kind.
    [[nodiscard]] target_instance bare() const {
        target_instance t;
        t.kind = kind;
        t.device = device;
        t.refines = refines;
        return t;
    }
    [[nodiscard]] target_record record() const { return {kind, device, refines}; }

    friend bool operator==(const target_schema&, const target_schema&) = default;
};

/// Sets the option of that name from one argument of a command line, as `set_option` on a type's instance does, and asks the kind's own
/// check.
[[nodiscard]] inline outcome<void> set_option(target_instance& t, const target_schema& schema, std::string_view name,
                                              std::string_view text) {
    const option_schema* o = schema.find(name);
    if (o == nullptr) {
        std::vector<std::string_view> known;
        for (const option_schema& one : schema.options) known.push_back(one.name);
        return error{"target " + quoted_text(t.kind) + " has no option " + quoted_text(name) +
                     (known.empty() ? std::string(", nor any other") : name_hint(name, known))};
    }
    auto read = read_argument(o->type(), text, o->range);
    if (!read) return error{"option '-" + o->name + "' of target " + quoted_text(t.kind) + " " + read.failure().message};
    target_instance changed = t;
    schema.set(changed, name, *std::move(read));
    if (in_force<"target.option.set">() && schema.check != nullptr)
        if (auto fits = schema.check(changed); !fits) return fits;
    t = std::move(changed);
    return {};
}

namespace detail {

/// Names that every kind has by itself.
inline constexpr std::string_view common_names[] = {"keys", "tag", "host", "compiler", "kind"};

template <class Options>
[[nodiscard]] constexpr bool leaves_common_names() {
    bool leaves = true;
    Options::for_each([&](auto o) {
        for (const std::string_view name : common_names) leaves = leaves && o.name != name;
    });
    return leaves;
}

}  // namespace detail

/// An instance of a type as a value.
template <target T>
[[nodiscard]] target_instance instance_of(const T& from) {
    target_instance t;
    const target_record record = record_of<T>();
    t.kind = record.kind;
    t.device = record.device;
    t.refines = record.refines;
    const T defaults{};
    T::options::for_each([&](auto o) {
        option_value value = o.value(from);
        if (!same_value(value, o.value(defaults))) t.options.push_back({std::string(o.name), std::move(value)});
    });
    return t;
}

/// Gives an instance of a type the options that a value has; keys, tag and host are no part of the type. Precondition: the value is of that
/// kind and fits its schema.
template <target T>
void assign_options(T& to, const target_instance& t) {
    T::options::for_each([&](auto o) {
        if (const option_value* value = t.find(o.name); value != nullptr && in_force<"target.instance.type">()) o.assign(to, *value);
    });
}

/// The value as an instance of a type. Precondition: as above.
template <target T>
[[nodiscard]] T configured(const target_instance& t) {
    T made{};
    assign_options(made, t);
    return made;
}

/// What there is to say about a target type, whose options then have the values of `defaults` unless they are set. Optional static members
/// of it are `refines` and `keys()`, its labels; `check()`, of an instance, gives one sentence for options that do not go together.
template <target T>
[[nodiscard]] target_schema schema_of(const T& defaults = T{}) {
    static_assert(detail::leaves_common_names<typename T::options>(),
                  "inlay: 'keys', 'tag', 'host', 'compiler' and 'kind' mean the same for every target; give the option another name");
    static_assert(detail::is_option_name(T::kind),
                  "inlay: a kind is named with letters, digits, '_', '.' and '-', and does not begin with '-'");
    const target_record record = record_of<T>();
    target_schema s;
    s.kind = record.kind;
    s.device = record.device;
    s.refines = record.refines;
    if constexpr (requires {
                      { T::keys() } -> std::convertible_to<std::vector<std::string>>;
                  })
        s.keys = T::keys();
    T::options::for_each([&](auto o) { s.options.push_back({std::string(o.name), std::string(o.doc), o.value(defaults), o.range}); });
    if constexpr (requires(const T& t) {
                      { t.check() } -> std::same_as<outcome<void>>;
                  })
        s.check = [](const target_instance& t) { return configured<T>(t).check(); };
    return s;
}

/// The same two of a target whose options are known while the program runs.
template <configured_by_value T>
[[nodiscard]] target_schema schema_of(const T& instance) {
    return instance.schema();
}
template <configured_by_value T>
void assign_options(T& to, const target_instance& t) {
    to.assign(t);
}

/// The kinds that somebody knows: passed to what reads targets. Linear lookup; there are tens of them.
class target_schemas {
public:
    target_schemas() = default;

    /// Adds a kind. Its name and its options' names need no quotes and are unique; those that every kind has stay free.
    [[nodiscard]] outcome<void> add(target_schema s) {
        if (!detail::is_option_name(s.kind))
            return error{"a kind is named with letters, digits, '_', '.' and '-', and not " + quoted_text(s.kind)};
        if (in_force<"target.schema.known">() && find(s.kind) != nullptr)
            return error{"there is a target of kind '" + s.kind + "' already; give one of them another name"};
        for (std::size_t i = 0; i < s.options.size(); ++i) {
            const std::string& name = s.options[i].name;
            const auto wrong = [&](const std::string& what) {
                return error{"option " + quoted_text(name) + " of target '" + s.kind + "' " + what};
            };
            if (!detail::is_option_name(name)) return wrong("is not named with letters, digits, '_', '.' and '-'");
            for (const std::string_view common : detail::common_names)
                if (name == common) return wrong("has a name that means the same for every target; give it another");
            for (std::size_t j = 0; j < i; ++j)
                if (s.options[j].name == name) return wrong("is declared twice");
        }
        all_.push_back(std::move(s));
        return {};
    }

    [[nodiscard]] const target_schema* find(std::string_view kind) const {
        for (const target_schema& s : all_)
            if (s.kind == kind) return &s;
        return nullptr;
    }
    [[nodiscard]] std::span<const target_schema> all() const { return all_; }
    [[nodiscard]] std::vector<std::string_view> kinds() const {
        std::vector<std::string_view> kinds;
        for (const target_schema& s : all_) kinds.push_back(s.kind);
        return kinds;
    }

    friend bool operator==(const target_schemas&, const target_schemas&) = default;

private:
    std::vector<target_schema> all_;
};

namespace detail {

/// Checks the options of an instance of a kind in `device_kinds`.
[[nodiscard]] inline outcome<void> check_device_kind(const target_instance& t) {
    if (!in_force<"target.plain.device-options">()) return {};
    for (const device_kind& k : device_kinds) {
        if (k.kind != t.kind) continue;
        for (const device_option& o : k.options) {
            const option_value* set = t.find(o.name);
            if (set == nullptr || (!o.is_fixed && o.begins.empty())) continue;
            const auto& value = std::get<std::string>(*set);
            bool fits = !o.is_fixed && value.size() > o.begins.size() && value.starts_with(o.begins);
            for (std::size_t i = o.begins.size(); i < value.size(); ++i) fits = fits && value[i] >= '0' && value[i] <= '9';
            if (fits) continue;
            const std::string wanted =
                o.is_fixed ? quoted_text(o.otherwise) : quoted_text(o.begins) + " and digits, as " + quoted_text(o.otherwise);
            return error{"option '-" + std::string(o.name) + "' of target '" + t.kind + "' takes " + wanted + ", not " +
                         quoted_text(value)};
        }
    }
    return {};
}

[[nodiscard]] inline target_schema schema_of_kind(const device_kind& k) {
    target_schema s;
    s.kind = k.kind;
    s.device = k.device;
    s.keys.assign(k.keys.begin(), k.keys.end());
    for (const device_option& o : k.options)
        s.options.push_back(
            {std::string(o.name), std::string(o.doc),
             o.type == option_type::texts
                 ? option_value(std::vector<std::string>())
                 : read_scalar(o.type, o.otherwise.empty() && o.type != option_type::text ? "0" : o.otherwise).value_or(false)});
    s.options.push_back({"model", "the hardware's name, for people", std::string()});
    s.options.push_back({"libs", "libraries that TVM may call; here each is a target of its own", std::vector<std::string>()});
    s.check = &check_device_kind;
    return s;
}

}  // namespace detail

/// The plain kinds of the library: those that back ends refine, then those that programs are only placed on.
[[nodiscard]] inline std::vector<target_schema> plain_schemas() {
    std::vector<target_schema> all{schema_of<llvm_target>(), schema_of<c_target>(), schema_of<cuda_target>(), schema_of<ext_dev_target>()};
    for (const device_kind& k : device_kinds) all.push_back(detail::schema_of_kind(k));
    return all;
}

/// The kinds of these types and the plain ones of the library. Precondition: kinds are unique, as in a `backend_list`.
template <target... Ts>
[[nodiscard]] target_schemas known_targets() {
    target_schemas known;
    for (target_schema& s : std::vector<target_schema>{schema_of<Ts>()...}) (void)known.add(std::move(s)).has_value();
    for (target_schema& s : plain_schemas()) (void)known.add(std::move(s)).has_value();
    return known;
}

}  // namespace inlay

#endif
