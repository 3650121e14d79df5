// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_TEXT_TEXT_CURSOR_HPP
#define INLAY_PATTERN_TEXT_TEXT_CURSOR_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <inlay/core/in_force.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/pattern/text/pattern_words.hpp>

namespace inlay {

/// A place in a text that is being read: patterns and rules. Blanks, ends of lines and comments from `//` to the end of a line stand
/// between words and mean nothing.
class text_cursor {
public:
    /// `what` is the text's name in errors: "pattern", "rule file rules.txt".
    text_cursor(std::string_view text, std::string what) : text_(text), what_(std::move(what)) { skip_blanks(); }

    [[nodiscard]] bool at_end() const { return at_ == text_.size(); }
    [[nodiscard]] std::size_t place() const { return at_; }
    [[nodiscard]] char next() const { return at_end() ? '\0' : text_[at_]; }
    [[nodiscard]] bool looking_at(std::string_view s) const { return text_.substr(at_).starts_with(s); }

    /// Takes a sign if it stands here; `Word`: a word, so that no further character of a name may follow.
    bool take(std::string_view sign) {
        if (!looking_at(sign)) return false;
        at_ += sign.size();
        skip_blanks();
        return true;
    }
    bool take_word(std::string_view word) {
        if (!looking_at(word)) return false;
        if (at_ + word.size() < text_.size() && detail::is_name_part(text_[at_ + word.size()])) return false;
        return take(word);
    }

    /// A plain name, or an operator with dots between its names; empty where none stands here.
    std::string_view take_name(bool dots) {
        std::size_t end = at_;
        if (end == text_.size() || !detail::is_name_start(text_[end])) return {};
        while (end < text_.size()) {
            if (detail::is_name_part(text_[end]))
                ++end;
            else if (dots && text_[end] == '.' && end + 1 < text_.size() && detail::is_name_start(text_[end + 1]))
                ++end;
            else
                break;
        }
        const std::string_view name = text_.substr(at_, end - at_);
        at_ = end;
        skip_blanks();
        return name;
    }

    /// Digits; empty where none stand here.
    std::string_view take_digits() {
        std::size_t end = at_;
        while (end < text_.size() && text_[end] >= '0' && text_[end] <= '9') ++end;
        const std::string_view digits = text_.substr(at_, end - at_);
        at_ = end;
        skip_blanks();
        return digits;
    }

    /// The characters that a number may be written with.
    std::string_view take_number() {
        std::size_t end = at_;
        const auto digits = [&] {
            const std::size_t from = end;
            while (end < text_.size() && text_[end] >= '0' && text_[end] <= '9') ++end;
            return end != from;
        };
        if (end < text_.size() && text_[end] == '-') ++end;
        for (const std::string_view word : {"inf", "nan"})
            if (text_.substr(end).starts_with(word)) {
                const std::string_view number = text_.substr(at_, end + 3 - at_);
                at_ = end + 3;
                skip_blanks();
                return number;
            }
        if (!digits()) return {};
        // Two dots are no part of a number: `1..4`.
        if (end + 1 < text_.size() && text_[end] == '.' && text_[end + 1] >= '0' && text_[end + 1] <= '9') {
            ++end;
            digits();
        }
        if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
            const std::size_t before = end++;
            if (end < text_.size() && (text_[end] == '-' || text_[end] == '+')) ++end;
            if (!digits()) end = before;
        }
        const std::string_view number = text_.substr(at_, end - at_);
        at_ = end;
        skip_blanks();
        return number;
    }

    /// A text in double quotes, as `in_quotes` writes it. The error names the place where it begins.
    outcome<std::string> take_quoted() {
        const std::size_t from = at_;
        std::string read;
        const auto digit = [&](std::size_t at) {
            const std::size_t value = at < text_.size() ? std::string_view("0123456789abcdef").find(text_[at]) : std::string_view::npos;
            return value == std::string_view::npos ? std::optional<unsigned>() : std::optional<unsigned>(static_cast<unsigned>(value));
        };
        for (++at_; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (c == '"') {
                ++at_;
                skip_blanks();
                return read;
            }
            if (c != '\\') {
                read += c;
                continue;
            }
            ++at_;
            if (next() == '"' || next() == '\\') {
                read += next();
                continue;
            }
            const auto high = digit(at_ + 1), low = digit(at_ + 2);
            if (next() != 'x' || !high || !low)
                return fault("a backslash stands before a quote, a backslash or x and two hexadecimal digits", at_ - 1);
            read += static_cast<char>(*high * 16 + *low);
            at_ += 2;
        }
        return fault("a quote is opened and never closed; close it with '\"'", from);
    }

    /// What is wrong and where: one sentence, then the line and a caret under the place.
    [[nodiscard]] error fault(std::string_view wrong, std::size_t place) const {
        std::size_t line = 1, begin = 0;
        for (std::size_t i = 0; i < place && i < text_.size(); ++i)
            if (text_[i] == '\n') {
                ++line;
                begin = i + 1;
            }
        std::size_t end = text_.find('\n', begin);
        if (end == std::string_view::npos) end = text_.size();
        // Of a very long line only what stands around the place is shown.
        constexpr std::size_t around = 60;
        const std::size_t from = place - begin > around ? place - around : begin, to = end - place > around ? place + around : end;
        std::string shown, caret;
        // A character of several bytes takes one place, and so does a byte that is no part of one.
        const std::string_view seen = text_.substr(0, to);
        for (std::size_t i = from; i < to;) {
            const std::size_t length = detail::character_length(seen, i);
            if (i < place) caret += ' ';
            if (length == 0)
                shown += '?';
            else if (length == 1)
                shown += static_cast<unsigned char>(text_[i]) < 0x20 || text_[i] == 0x7F ? ' ' : text_[i];
            else
                shown += text_.substr(i, length);
            i += length == 0 ? 1 : length;
        }
        if (!in_force<"pattern.text.one-sentence">()) return {what_ + ": " + std::string(wrong)};
        return {what_ + ", line " + std::to_string(line) + ", column " + std::to_string(place - begin + 1) + ": " + std::string(wrong) +
                "\n  " + shown + "\n  " + caret + "^"};
    }
    [[nodiscard]] error fault(std::string_view wrong) const { return fault(wrong, at_); }
    /// What was expected here, and what stands here.
    [[nodiscard]] error expected(std::string_view what) const {
        std::string found = "the end of the text";
        if (!at_end()) {
            const std::string_view name = text_.substr(at_, 20);
            std::size_t length = 1;
            while (length < name.size() && detail::is_name_part(name[0]) && detail::is_name_part(name[length])) ++length;
            while (length < name.size() && (static_cast<unsigned char>(name[length]) & 0xC0u) == 0x80u) ++length;
            found = detail::in_quotes(name.substr(0, length));
        }
        return fault("expected " + std::string(what) + ", found " + found);
    }

private:
    void skip_blanks() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
                ++at_;
            else if (looking_at("//"))
                while (at_ < text_.size() && text_[at_] != '\n') ++at_;
            else
                break;
        }
    }

    std::string_view text_;
    std::string what_;
    std::size_t at_ = 0;
};

}  // namespace inlay

#endif
