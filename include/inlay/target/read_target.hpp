// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TARGET_READ_TARGET_HPP
#define INLAY_TARGET_READ_TARGET_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/core/nearest_name.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/target/quoting.hpp>
#include <inlay/target/tag_list.hpp>
#include <inlay/target/target_builder.hpp>
#include <inlay/target/target_instance.hpp>
#include <inlay/target/target_schema.hpp>

namespace inlay {

/// The longest target text and the most targets of one list. Whatever is longer is no text that somebody wrote.
inline constexpr std::size_t longest_target_text = std::size_t{1} << 20;
inline constexpr std::size_t most_targets = 1024;

namespace detail {

/// A word of a target text, and where it begins.
struct target_word {
    std::string_view text;
    std::size_t at = 0;
};
struct target_option_words {
    target_word whole;
    std::string_view name;
    std::optional<std::string_view> value;  // as written, with its quotes
};
struct target_words {
    target_word kind;
    std::vector<target_option_words> options;
};

/// Reads the targets of one text. `depth` counts how many tags and hosts stand around it.
class target_reader {
public:
    target_reader(std::string_view text, const target_schemas& known, const tag_list& tags, std::size_t depth)
        : text_(text), known_(known), tags_(tags), depth_(depth) {}

    [[nodiscard]] outcome<std::vector<target_instance>> list() {
        if (in_force<"target.text.hostile">() && text_.size() > longest_target_text)
            return error{"a target text has at most " + std::to_string(longest_target_text) +
                         " characters, and this one, which begins with " + quoted_text(text_, 40) + ", has " +
                         std::to_string(text_.size())};
        std::vector<target_instance> all;
        for (bool more = true; more;) {
            auto words = next(more);
            if (!words) return words.failure();
            auto made = target(*words);
            if (!made) return made.failure();
            for (target_instance& t : *made) all.push_back(std::move(t));
            if (all.size() > most_targets)
                return wrong(words->kind, "is one target too many: a list has at most " + std::to_string(most_targets));
        }
        return all;
    }

private:
    /// `target text, at 7, 'x': ...`
    [[nodiscard]] error wrong(const target_word& where, const std::string& what) const {
        return error{"target text at " + std::to_string(where.at) + ", " + quoted_text(where.text, 40) + ": " + what};
    }

    /// The words of the target that begins here, up to the comma behind it. `more` says whether there was one.
    [[nodiscard]] outcome<target_words> next(bool& more) {
        target_words t;
        more = false;
        const std::size_t start = at_;
        for (;;) {
            while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
            if (at_ == text_.size()) break;
            if (text_[at_] == ',') {
                more = true;
                break;
            }
            const bool is_kind = t.kind.text.empty();
            auto word = next_word(is_kind);
            if (!word) return word.failure();
            if (auto placed = is_kind ? place_kind(t, *word) : place_option(t, *word); !placed) return placed.failure();
            if (at_ < text_.size() && text_[at_] == ',') {
                more = true;
                break;
            }
        }
        if (in_force<"target.text.empty">() && t.kind.text.empty())
            return wrong({text_.substr(start, at_ - start + (more ? 1 : 0)), start},
                         text_.empty() ? "it names no target; write KIND -name=value"
                                       : "it names no target before or behind a comma; write KIND -name=value, KIND");
        if (more) ++at_;
        return t;
    }

    /// The word that begins here: up to a blank that nothing protects, or a comma that separates. Every comma does so behind a kind;
    /// elsewhere one that a blank or the end follows.
    [[nodiscard]] outcome<target_word> next_word(bool is_kind) {
        const std::size_t start = at_;
        quote_scanner scanner;
        for (; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (!scanner.protects()) {
                if (is_blank(c) ||
                    (c == ',' && (!in_force<"target.text.comma">() || is_kind || at_ + 1 == text_.size() || is_blank(text_[at_ + 1]))))
                    break;
                if (is_control(c))
                    return wrong({text_.substr(start, at_ + 1 - start), start},
                                 "it holds a control character outside of quotes; take it out, or quote the value");
            }
            scanner.take(c);
        }
        const target_word word{text_.substr(start, at_ - start), start};
        if (const auto fault = scanner.unfinished()) return wrong(word, "it " + *fault);
        return word;
    }

    [[nodiscard]] outcome<void> place_kind(target_words& t, const target_word& word) const {
        if (word.text.front() == '-') return wrong(word, "an option stands where a target begins with its kind; write KIND -name=value");
        if (word.text.front() == '{' || word.text.front() == '[')
            return wrong(word, "this begins as JSON does, which is not read here; write KIND -name=value");
        for (const char c : word.text)
            if (c == '\'' || c == '"' || c == '\\')
                return wrong(word, "a kind has no quotes; quote the values of options alone, as in KIND -name='a value'");
        t.kind = word;
        return {};
    }

    [[nodiscard]] outcome<void> place_option(target_words& t, const target_word& word) const {
        if (word.text.front() != '-') {
            // A value that stands behind its option's name and a blank.
            if (!in_force<"target.text.blank-value">() || t.options.empty() || t.options.back().value)
                return wrong(word, "it stands where an option '-name=value' is expected");
            t.options.back().value = word.text;
            return {};
        }
        const std::size_t dashes = word.text.find_first_not_of('-');
        if (dashes == std::string_view::npos || (!in_force<"target.text.options">() && dashes > 1))
            return wrong(word, "it has no name behind its dashes; write '-name=value'");
        const std::size_t equals = word.text.find('=');
        target_option_words o{word, word.text.substr(dashes, equals == std::string_view::npos ? equals : equals - dashes), std::nullopt};
        if (in_force<"target.text.key-empty">() && o.name.empty()) return wrong(word, "it has no name before its '='; write '-name=value'");
        if (!is_option_name(o.name))
            return wrong(word,
                         "an option's name has letters, digits, '_', '.' and '-'; write '-name=value', and a blank behind a comma that "
                         "ends a target");
        if (equals != std::string_view::npos) o.value = word.text.substr(equals + 1);
        t.options.push_back(o);
        return {};
    }

    [[nodiscard]] outcome<std::vector<target_instance>> target(const target_words& words) const {
        if (!in_force<"target.tag.kind-first">() || known_.find(words.kind.text) == nullptr)
            if (const target_tag* tag = tags_.find(words.kind.text)) return tagged(words, *tag);
        std::optional<std::string> compiler;
        for (const target_option_words& o : words.options) {
            if (!in_force<"target.text.compiler">() || o.name != "compiler" || compiler) continue;
            auto read = value_of(o, option_type::text, {});
            if (!read)
                return wrong(o.whole, "option '-compiler' of target " + quoted_text(words.kind.text, 40) + " " + read.failure().message);
            compiler = std::get<std::string>(*std::move(read));
        }
        auto builder = target_builder::begin(words.kind.text, compiler ? std::optional<std::string_view>(*compiler) : std::nullopt, known_);
        if (!builder) return wrong(words.kind, builder.failure().message);
        for (const target_option_words& o : words.options) {
            const auto slot = builder->take(o.name);
            if (!slot) return wrong(o.whole, slot.failure().message);
            auto read = value_of(o, slot->is_host ? option_type::text : slot->type, slot->range);
            if (!read)
                return wrong(o.whole, "option '-" + std::string(o.name) + "' of target '" + std::string(words.kind.text) + "' " +
                                          read.failure().message);
            if (!slot->is_host) {
                builder->set(o.name, *std::move(read));
                continue;
            }
            auto host = one(std::get<std::string>(*read));
            if (!host) return wrong(o.whole, host.failure().message);
            if (auto set = builder->set_host(*std::move(host)); !set) return wrong(o.whole, set.failure().message);
        }
        auto made = builder->finish();
        if (!made) return wrong(words.kind, made.failure().message);
        return made;
    }

    /// What an option was given. A flag alone is true, or 1.
    [[nodiscard]] static outcome<option_value> value_of(const target_option_words& o, option_type type, integer_range range) {
        if (o.value) return read_written_value(type, *o.value, range);
        if (type == option_type::boolean) return option_value(true);
        if (in_force<"target.text.flag">() && type == option_type::integer && range.has(1)) return option_value(std::int64_t{1});
        return error{"stands without a value; write '-" + std::string(o.name) + "=' and " + wanted_text(type, range)};
    }

    [[nodiscard]] outcome<std::vector<target_instance>> tagged(const target_words& words, const target_tag& tag) const {
        if (!words.options.empty())
            return wrong(words.options.front().whole, "a tag takes no options; write the target that '" + tag.name + "' stands for");
        std::vector<target_instance> made;
        if (const target_instance* t = std::get_if<target_instance>(&tag.meaning)) {
            made.push_back(*t);
        } else {
            auto read = one(std::get<std::string>(tag.meaning));
            if (!read) return wrong(words.kind, "what this tag stands for cannot be read: " + read.failure().message);
            made.push_back(*std::move(read));
        }
        if (made.front().tag.empty()) made.front().tag = tag.name;
        return made;
    }

    /// The one target of a text inside this one.
    [[nodiscard]] outcome<target_instance> one(std::string_view text) const {
        constexpr std::size_t deepest = 8;
        if (in_force<"target.text.hostile">() && depth_ == deepest)
            return error{"tags and hosts stand in each other more than " + std::to_string(deepest) + " deep"};
        auto all = target_reader(text, known_, tags_, depth_ + 1).list();
        if (!all) return all.failure();
        if (in_force<"target.text.host">() ? all->size() != 1 : all->empty())
            return error{quoted_text(text, 40) + " names " + std::to_string(all->size()) + " targets where one is expected"};
        return std::move(all->front());
    }

    std::string_view text_;
    const target_schemas& known_;
    const tag_list& tags_;
    std::size_t depth_, at_ = 0;
};

}  // namespace detail

/// The targets of a text such as `accel -rows=16 -cols=16, cpu_simd`, in its order. A comma separates behind a bare kind, and where a blank
/// or the end follows; elsewhere it belongs to the option's value. `'...'` and `"..."` protect commas and blanks, a backslash the next
/// character. An option is `-name=value`, `-name value`, or `-name` alone for true and 1. A word that is no kind may be a tag. Errors say
/// where, in one sentence. Linear in the text, times what looking up names takes.
[[nodiscard]] inline outcome<std::vector<target_instance>> read_target_list(std::string_view text, const target_schemas& known,
                                                                            const tag_list& tags = {}) {
    return detail::target_reader(text, known, tags, 0).list();
}

/// The one target of a text.
[[nodiscard]] inline outcome<target_instance> read_target(std::string_view text, const target_schemas& known, const tag_list& tags = {}) {
    auto all = read_target_list(text, known, tags);
    if (!all) return all.failure();
    if (all->size() != 1)
        return error{"target text " + quoted_text(text, 60) + " names " + std::to_string(all->size()) + " targets where one is expected"};
    return std::move(all->front());
}

}  // namespace inlay

#endif
