// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_PLUGIN_CHECKED_TABLE_HPP
#define INLAY_BACKEND_PLUGIN_CHECKED_TABLE_HPP

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/plugin/backend_abi.h>
#include <inlay/backend/plugin/abi_values.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/core/shared_handle.hpp>
#include <inlay/pattern/term/pattern_value.hpp>
#include <inlay/pattern/text/parse_pattern.hpp>
#include <inlay/target/device.hpp>
#include <inlay/target/option_value.hpp>
#include <inlay/target/plain_target.hpp>
#include <inlay/target/quoting.hpp>
#include <inlay/target/target_record.hpp>
#include <inlay/target/target_schema.hpp>

namespace inlay {

/// Who has a table that does not live as long as the process. It goes with the last handle.
struct table_owner : owner_count {
    void (*destroy)(table_owner*);

    explicit table_owner(void (*end)(table_owner*)) : destroy(end) {}
    static void release(table_owner* o) { o->destroy(o); }
};
using table_handle = shared_handle<table_owner>;

/// What the table of a library says, read and found sound.
struct checked_table {
    const inlay_backend* table = nullptr;
    table_handle owner = {};  // none: it lives as long as the process
    target_schema schema;
    std::vector<std::string> names;       // of the composites
    std::vector<pattern_value> patterns;  // likewise
};

namespace detail {

inline constexpr std::size_t most_options = 256, most_composites = 4096, most_text = 1 << 16;

/// A text of a table. The error says what is wrong with it.
[[nodiscard]] inline outcome<std::string> text_of_table(inlay_text text, std::string_view what) {
    if (text.size > most_text)
        return error{"its " + std::string(what) + " has " + std::to_string(text.size) + " bytes; a text has at most " +
                     std::to_string(most_text)};
    if (text.data == nullptr && text.size != 0) return error{"its " + std::string(what) + " has a size and no bytes"};
    return std::string(text_in(text));
}

[[nodiscard]] inline outcome<option_schema> option_of_table(const inlay_option& o, std::size_t number) {
    auto name = text_of_table(o.name, "option " + std::to_string(number));
    auto doc = text_of_table(o.doc, "help for option " + std::to_string(number));
    auto otherwise = text_of_table(o.otherwise, "default of option " + std::to_string(number));
    for (const auto* one : {&name, &doc, &otherwise})
        if (!*one) return one->failure();
    const std::string which = "its option " + quoted_text(*name);
    if (o.type > INLAY_OPTION_INTS) return error{which + " is of type " + std::to_string(o.type) + "; types go from 0 to 5"};
    if (o.least > o.most) return error{which + " takes integers from " + std::to_string(o.least) + " to " + std::to_string(o.most)};
    const integer_range range{o.least, o.most};
    auto value = read_argument(static_cast<option_type>(o.type), *otherwise, range);
    if (!value) return error{which + " has a default that it does not take itself: it " + value.failure().message};
    return option_schema{*std::move(name), escaped_text(*doc), *std::move(value), range};
}

}  // namespace detail

/// Reads the table of a library and holds it to version 1 of the interface. The error says what of it is not sound. Linear in the table,
/// whose counts are bounded.
[[nodiscard]] inline outcome<checked_table> check_table(const inlay_backend* table) {
    if (table == nullptr) return error{"it gives no table of a back end"};
    // All versions begin with these two, and no more of another version means anything here.
    if (table->version != INLAY_BACKEND_ABI_VERSION)
        return error{"it was built for version " + std::to_string(table->version) + " of the interface, and this program has version " +
                     std::to_string(INLAY_BACKEND_ABI_VERSION) + "; build it again with this program's headers"};
    if (table->size < sizeof(inlay_backend))
        return error{"its table has " + std::to_string(table->size) + " bytes, and version " + std::to_string(INLAY_BACKEND_ABI_VERSION) +
                     " has " + std::to_string(sizeof(inlay_backend)) + "; let `size` be sizeof(inlay_backend)"};
    const std::pair<const char*, bool> needed[] = {{"open", table->open != nullptr},
                                                   {"close", table->close != nullptr},
                                                   {"describe", table->describe != nullptr},
                                                   {"read", table->read != nullptr},
                                                   {"release", table->release != nullptr}};
    for (const auto& [name, is_there] : needed)
        if (!is_there) return error{"its function '" + std::string(name) + "' is null; each back end has one"};
    if (table->emit == nullptr && table->emit_c == nullptr)
        return error{"it has neither 'emit' nor 'emit_c', and so makes no code; let one of them not be null"};

    checked_table made;
    made.table = table;
    auto kind = detail::text_of_table(table->kind, "kind");
    auto refines = detail::text_of_table(table->refines, "plain target");
    if (!kind) return kind.failure();
    if (!refines) return refines.failure();
    if (table->device > INLAY_EXT_DEV) return error{"its device type is " + std::to_string(table->device) + "; they go from 0 to 2"};
    made.schema.kind = *std::move(kind);
    made.schema.device = static_cast<device_type>(table->device);
    made.schema.refines = *std::move(refines);
    const target_record own = made.schema.record();
    const bool fits = std::any_of(plain_records.begin(), plain_records.end(),
                                  [&](const target_record& plain) { return plain.kind == own.refines && plain.device == own.device; });
    if (!fits)
        return error{"it refines " + quoted_text(made.schema.refines) + ", which is no plain target of its device type '" +
                     std::string(name_of(own.device)) + "'; these are llvm and c for cpu, cuda, ext_dev"};
    if (table->option_count > detail::most_options || (table->option_count != 0 && table->options == nullptr))
        return error{"it has " + std::to_string(table->option_count) + " options; a back end has at most " +
                     std::to_string(detail::most_options)};
    for (std::size_t i = 0; i < table->option_count; ++i) {
        auto one = detail::option_of_table(table->options[i], i);
        if (!one) return one.failure();
        made.schema.options.push_back(*std::move(one));
    }
    target_schemas alone;
    if (auto named = alone.add(made.schema); !named) return named.failure();

    if (table->composite_count == 0 || table->composites == nullptr)
        return error{"it has no composite, and so can take nothing; give it at least one"};
    if (table->composite_count > detail::most_composites)
        return error{"it has " + std::to_string(table->composite_count) + " composites; a back end has at most " +
                     std::to_string(detail::most_composites)};
    for (std::size_t i = 0; i < table->composite_count; ++i) {
        const std::string number = std::to_string(i);
        auto name = detail::text_of_table(table->composites[i].name, "composite " + number);
        auto text = detail::text_of_table(table->composites[i].pattern, "pattern " + number);
        if (!name) return name.failure();
        if (!text) return text.failure();
        *name = escaped_text(*name, 200);
        if (name->empty() || std::find(made.names.begin(), made.names.end(), *name) != made.names.end())
            return error{"its composite " + number + " is called " + quoted_text(*name) + "; each has a name of its own"};
        auto pattern = parse_pattern(*text);
        if (!pattern) return error{"the pattern of its composite " + quoted_text(*name) + " does not read: " + pattern.failure().message};
        made.names.push_back(*std::move(name));
        made.patterns.push_back(*std::move(pattern));
    }
    return made;
}

}  // namespace inlay

#endif
