// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_RELAY_RELAY_ATTRIBUTE_HPP
#define INLAY_IO_RELAY_RELAY_ATTRIBUTE_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/attribute.hpp>
#include <inlay/io/relay/relay_cursor.hpp>
#include <inlay/io/relay/relay_metadata.hpp>
#include <inlay/io/relay/relay_number.hpp>

namespace inlay {

/// `meta[KEY][index]`, and where it stands.
struct relay_reference {
    std::string_view key;
    std::size_t index = 0;
    source_position at;
};

/// What an attribute is given: a value, or a place by its number in the metadata, or nothing.
struct relay_attribute {
    enum class form : std::uint8_t { nothing, value, place };

    form what = form::nothing;
    attribute_value value;
    std::size_t place = 0;
};

/// Reads values of attributes, which may refer to metadata.
class relay_attribute_reader {
public:
    /// `metadata`, which outlives this: null where there should be some that cannot be read, about which nothing more is said.
    explicit relay_attribute_reader(const relay_metadata* metadata) : metadata_(metadata) {}

    /// A reference to metadata. Precondition: `meta` stands here. False: there is a fault.
    bool read_reference(relay_cursor& c, relay_reference& to) const {
        to.at = c.next().at;
        if (!c.expect('[', "'['")) return false;
        if (!c.at(relay_word::name)) return c.missing("the name of a kind of metadata");
        to.key = c.next().text;
        if (!c.expect(']', "']'") || !c.expect('[', "'['")) return false;
        if (!c.at(relay_word::number) || !read_relay_digits(c.now().text, to.index)) return c.missing("a number in the metadata");
        c.next();
        return c.expect(']', "']'");
    }
    /// Whether there is such a thing; if not, that is said.
    bool is_there(relay_cursor& c, const relay_reference& to) const {
        if (metadata_ == nullptr) return false;
        std::size_t count = 0;
        if (to.key == "relay.Constant") count = metadata_->constants.size();
        if (to.key == "VirtualDevice") count = metadata_->placements.size();
        for (const relay_metadata::section& s : metadata_->others)
            if (s.key == to.key) count = s.values.size();
        if (to.index < count) return true;
        return c.fault(to.at, "this refers to " + quoted_text(to.key, 60) + " number " + std::to_string(to.index) +
                                  " of the metadata, which has " + (count == 0 ? std::string("none") : std::to_string(count)));
    }

    /// The value of an attribute. False: there is a fault, and the text does not go on as it should.
    bool read(relay_cursor& c, relay_attribute& made) const {
        const source_position at = c.place();
        if (c.take_name("None") || c.take_name("nullptr")) {
            made.what = relay_attribute::form::nothing;
            return true;
        }
        if (!c.at('[') && !c.at('(')) return read_one(c, made);
        std::vector<attribute_value> items;
        if (!read_list(c, items)) return false;
        join(c, at, std::move(items), made);
        return true;
    }

private:
    /// Values of a list, and of lists in it: no operator needs to know where those begin.
    bool read_list(relay_cursor& c, std::vector<attribute_value>& items) const {
        std::vector<unsigned char> open;
        for (;;) {
            if (c.at('[') || c.at('(')) {
                open.push_back(c.at('[') ? ']' : ')');
                c.next();
                if (!c.at(open.back())) continue;
            } else if (!read_item(c, items)) {
                return false;
            }
            for (;;) {
                if (c.take(open.back())) {
                    open.pop_back();
                    if (open.empty()) return true;
                } else if (!c.take(',')) {
                    return c.missing(open.back() == ']' ? "a comma or ']'" : "a comma or ')'");
                } else if (!c.at(open.back())) {
                    break;
                }
            }
        }
    }
    bool read_item(relay_cursor& c, std::vector<attribute_value>& items) const {
        const source_position at = c.place();
        relay_attribute one;
        if (!read_one(c, one)) return false;
        if (one.what == relay_attribute::form::value) items.push_back(std::move(one.value));
        if (one.what == relay_attribute::form::place) c.fault(at, "a place of the metadata stands alone, and not in a list");
        return true;
    }

    static void join(relay_cursor& c, source_position at, std::vector<attribute_value> items, relay_attribute& made) {
        std::vector<std::int64_t> integers;
        std::vector<double> numbers;
        std::vector<std::string> texts;
        for (attribute_value& v : items) {
            if (const auto* i = std::get_if<std::int64_t>(&v)) {
                integers.push_back(*i);
                numbers.push_back(static_cast<double>(*i));
            } else if (const auto* d = std::get_if<double>(&v)) {
                numbers.push_back(*d);
            } else if (auto* s = std::get_if<std::string>(&v)) {
                texts.push_back(std::move(*s));
            }
        }
        made.what = relay_attribute::form::value;
        if (integers.size() == items.size())
            made.value = std::move(integers);
        else if (numbers.size() == items.size())
            made.value = std::move(numbers);
        else if (texts.size() == items.size())
            made.value = std::move(texts);
        else
            c.fault(at, "a list has numbers alone or texts alone");
    }

    bool read_one(relay_cursor& c, relay_attribute& made) const {
        made.what = relay_attribute::form::value;
        const source_position at = c.place();
        if (c.at_name("True") || c.at_name("False")) {
            made.value = std::int64_t{c.next().text == "True"};
            return true;
        }
        if (c.at(relay_word::text)) {
            made.value = unquoted_relay_text(c.next().text);
            return true;
        }
        if (c.at_name("meta")) return read_meta(c, made);
        const bool is_negative = c.take('-');
        if (!c.at(relay_word::number) && !(c.at(relay_word::name) && is_relay_number_word(c.now().text)))
            return c.missing("a number, a text, a list, True, False, None or a reference to metadata");
        auto v = relay_number_attribute(c.next().text, is_negative);
        if (!v) return c.fault(at, v.failure().message);
        made.value = *std::move(v);
        return true;
    }
    bool read_meta(relay_cursor& c, relay_attribute& made) const {
        relay_reference to;
        if (!read_reference(c, to)) return false;
        made.what = relay_attribute::form::nothing;
        if (!is_there(c, to)) return true;
        if (to.key == "VirtualDevice") {
            made.what = relay_attribute::form::place;
            made.place = to.index;
            return true;
        }
        made.what = relay_attribute::form::value;
        if (to.key == "relay.Constant") {
            made.value = metadata_->constants[to.index];
            return true;
        }
        for (const relay_metadata::section& s : metadata_->others) {
            if (s.key != to.key) continue;
            if (s.values[to.index]) {
                made.value = *s.values[to.index];
                return true;
            }
            made.what = relay_attribute::form::nothing;
            c.fault(to.at, "this value in the metadata " + s.values[to.index].failure().message);
        }
        return true;
    }

    const relay_metadata* metadata_;
};

}  // namespace inlay

#endif
