// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_RELAY_RELAY_LEXER_HPP
#define INLAY_IO_RELAY_RELAY_LEXER_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <inlay/ir/relay_spelling.hpp>
#include <inlay/ir/source_position.hpp>

namespace inlay {

/// What a token of Relay's text is. A sign of one character is that character.
namespace relay_word {
inline constexpr unsigned char end = 1;              // of the text
inline constexpr unsigned char name = 2;             // `add`, `nn.conv2d`, `let`
inline constexpr unsigned char local = 3;            // `%x`; the token's text is `x`
inline constexpr unsigned char shared = 4;           // `%12`; the text is `12`
inline constexpr unsigned char global = 5;           // `@main`; the text is `main`, or what stands in `@"..."` as it is written
inline constexpr unsigned char number = 6;           // `2`, `1e-05f64`, without a sign
inline constexpr unsigned char text = 7;             // what stands between double quotes, as it is written
inline constexpr unsigned char wrong = 8;            // no token; the lexer says why
inline constexpr unsigned char arrow = 128;          // ->
inline constexpr unsigned char leads_to = 129;       // =>
inline constexpr unsigned char equal = 130;          // ==
inline constexpr unsigned char not_equal = 131;      // !=
inline constexpr unsigned char less_equal = 132;     // <=
inline constexpr unsigned char greater_equal = 133;  // >=
inline constexpr unsigned char dots = 134;           // ...
}  // namespace relay_word

struct relay_token {
    unsigned char what = relay_word::end;
    source_position at;
    std::string_view text;

    [[nodiscard]] bool is_name(std::string_view name) const { return what == relay_word::name && text == name; }
};

/// What stands between double quotes in a text, without its backslashes. One that begins no known sequence stands for itself.
[[nodiscard]] inline std::string unquoted_relay_text(std::string_view written) {
    std::string out;
    const auto digit = [&](std::size_t i) { return i < written.size() ? std::string_view("0123456789abcdef").find(written[i]) : 16u; };
    for (std::size_t i = 0; i < written.size(); ++i) {
        if (written[i] != '\\' || i + 1 == written.size()) {
            out += written[i];
            continue;
        }
        const char c = written[++i];
        if (c == '"' || c == '\\') {
            out += c;
        } else if (c == 'n') {
            out += '\n';
        } else if (c == 't') {
            out += '\t';
        } else if (c == 'x' && digit(i + 1) < 16 && digit(i + 2) < 16) {
            out += static_cast<char>(digit(i + 1) * 16 + digit(i + 2));
            i += 2;
        } else {
            out += '\\';
            out += c;
        }
    }
    return out;
}

/// The tokens of a text, one by one. A small value: to look ahead, copy it. Blanks and comments, `//` to the end of the line and `/*` to
/// its
/// `*/`, which may stand in each other, are nothing.
class relay_lexer {
public:
    explicit relay_lexer(std::string_view text) : text_(text) {}

    relay_token next() {
        fault_ = "";
        if (!skip()) return token(relay_word::wrong, at_, text_.size());
        if (at_ == text_.size()) return token(relay_word::end, at_, at_);
        const char c = text_[at_];
        if (detail::is_relay_letter(c)) return name();
        if (detail::is_relay_digit(c)) return number();
        if (c == '%') return variable();
        if (c == '@') return global();
        if (c == '"') return quoted(relay_word::text, at_);
        return sign();
    }
    /// The digits that stand right behind the token that was last given, which was a point: `%x.0.1` has two fields and no number.
    relay_token field() {
        if (!skip()) return token(relay_word::wrong, at_, text_.size());
        return token(relay_word::number, at_, digits_from(at_));
    }
    /// Why the last token was wrong.
    [[nodiscard]] const char* fault() const { return fault_; }
    /// How many characters have been read.
    [[nodiscard]] std::size_t place() const { return at_; }

private:
    [[nodiscard]] char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
    [[nodiscard]] source_position position() const { return {line_, static_cast<std::uint32_t>(at_ - line_begin_ + 1)}; }
    void new_line(std::size_t begin) {
        ++line_;
        line_begin_ = begin;
    }
    relay_token token(unsigned char what, std::size_t begin, std::size_t end) {
        const relay_token made{what, position(), text_.substr(begin, end - begin)};
        at_ = end;
        return made;
    }
    relay_token wrong(const char* why, std::size_t end) {
        fault_ = why;
        return token(relay_word::wrong, at_, end);
    }

    bool skip() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '\n') {
                new_line(++at_);
            } else if (c == ' ' || c == '\t' || c == '\r') {
                ++at_;
            } else if (c == '/' && at(at_ + 1) == '/') {
                while (at_ < text_.size() && text_[at_] != '\n') ++at_;
            } else if (c == '/' && at(at_ + 1) == '*') {
                if (!skip_comment()) return false;
            } else {
                break;
            }
        }
        return true;
    }
    bool skip_comment() {
        std::size_t depth = 0, i = at_;
        std::uint32_t lines = 0;
        std::size_t line_begin = line_begin_;
        while (i < text_.size()) {
            if (text_[i] == '\n') {
                ++lines;
                line_begin = i + 1;
            }
            if (text_[i] == '/' && at(i + 1) == '*') {
                ++depth;
                i += 2;
            } else if (text_[i] == '*' && at(i + 1) == '/') {
                i += 2;
                if (--depth != 0) continue;
                at_ = i;
                line_ += lines;
                line_begin_ = line_begin;
                return true;
            } else {
                ++i;
            }
        }
        fault_ = "this comment is never closed; close it with '*/'";
        return false;
    }

    [[nodiscard]] std::size_t digits_from(std::size_t i) const {
        while (detail::is_relay_digit(at(i))) ++i;
        return i;
    }
    [[nodiscard]] std::size_t letters_from(std::size_t i) const {
        while (detail::is_relay_letter(at(i)) || detail::is_relay_digit(at(i))) ++i;
        return i;
    }

    /// Names with points between them are one.
    relay_token name() {
        std::size_t end = letters_from(at_);
        while (at(end) == '.' && detail::is_relay_letter(at(end + 1))) end = letters_from(end + 1);
        return token(relay_word::name, at_, end);
    }
    relay_token number() {
        std::size_t end = digits_from(at_);
        if (at(end) == '.' && detail::is_relay_digit(at(end + 1))) end = digits_from(end + 1);
        if (at(end) == 'e' || at(end) == 'E') {
            const std::size_t power = end + (at(end + 1) == '-' || at(end + 1) == '+' ? 2 : 1);
            if (detail::is_relay_digit(at(power))) end = digits_from(power);
        }
        return token(relay_word::number, at_, letters_from(end));
    }
    relay_token variable() {
        const std::size_t begin = at_ + 1, end = letters_from(begin);
        if (begin == end) return wrong("a name or a number was expected behind '%'", begin);
        if (!detail::is_relay_digit(text_[begin])) return token(relay_word::local, begin, end);
        if (digits_from(begin) != end) return wrong("a name begins with a letter, and a number has digits alone", end);
        return token(relay_word::shared, begin, end);
    }
    relay_token global() {
        std::size_t end = at_ + 1;
        if (at(end) == '"') return quoted(relay_word::global, end);
        if (!detail::is_relay_letter(at(end))) return wrong("a name was expected behind '@'", end);
        end = letters_from(end);
        while (at(end) == '.' && detail::is_relay_letter(at(end + 1))) end = letters_from(end + 1);
        return token(relay_word::global, at_ + 1, end);
    }
    relay_token quoted(unsigned char what, std::size_t open) {
        std::size_t end = open + 1, line_begin = line_begin_;
        std::uint32_t lines = 0;
        for (; end < text_.size() && text_[end] != '"'; ++end) {
            if (text_[end] == '\\' && end + 1 < text_.size()) ++end;
            if (text_[end] != '\n') continue;
            ++lines;
            line_begin = end + 1;
        }
        if (end == text_.size()) return wrong("this quote is never closed; close it with '\"'", end);
        const relay_token made = token(what, open + 1, end);
        ++at_;
        line_ += lines;
        line_begin_ = line_begin;
        return made;
    }
    relay_token sign() {
        const char c = text_[at_], d = at(at_ + 1);
        const auto two = [&](unsigned char what) { return token(what, at_, at_ + 2); };
        if (c == '-' && d == '>') return two(relay_word::arrow);
        if (c == '=' && d == '>') return two(relay_word::leads_to);
        if (c == '=' && d == '=') return two(relay_word::equal);
        if (c == '!' && d == '=') return two(relay_word::not_equal);
        if (c == '<' && d == '=') return two(relay_word::less_equal);
        if (c == '>' && d == '=') return two(relay_word::greater_equal);
        if (c == '.' && d == '.' && at(at_ + 2) == '.') return token(relay_word::dots, at_, at_ + 3);
        if (std::string_view("()[]{},;:=<>+-*/.?#").find(c) != std::string_view::npos)
            return token(static_cast<unsigned char>(c), at_, at_ + 1);
        std::size_t end = at_ + 1;
        while ((static_cast<unsigned char>(at(end)) & 0xC0u) == 0x80u) ++end;
        return wrong("this character begins nothing in Relay's text", end);
    }

    std::string_view text_;
    std::size_t at_ = 0, line_begin_ = 0;
    std::uint32_t line_ = 1;
    const char* fault_ = "";
};

}  // namespace inlay

#endif
