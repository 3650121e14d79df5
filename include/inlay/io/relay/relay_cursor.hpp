// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_RELAY_RELAY_CURSOR_HPP
#define INLAY_IO_RELAY_RELAY_CURSOR_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <inlay/core/quoted_text.hpp>
#include <inlay/io/relay/relay_faults.hpp>
#include <inlay/io/relay/relay_lexer.hpp>

namespace inlay {

/// A place in the text that is read: the token that stands here, and faults about it.
class relay_cursor {
public:
    relay_cursor(std::string_view text, relay_faults& faults) : faults_(&faults), lexer_(text) { advance(); }

    [[nodiscard]] const relay_token& now() const { return now_; }
    [[nodiscard]] source_position place() const { return now_.at; }
    [[nodiscard]] bool at(unsigned char what) const { return now_.what == what; }
    [[nodiscard]] bool at_name(std::string_view name) const { return now_.is_name(name); }
    [[nodiscard]] bool at_end() const { return at(relay_word::end); }
    /// How much of the text stands before the next token.
    [[nodiscard]] std::size_t read_so_far() const { return lexer_.place(); }

    /// The token behind the one that stands here.
    [[nodiscard]] relay_token ahead() const {
        relay_lexer copy = lexer_;
        return copy.next();
    }
    /// The token that stands here, which is then behind.
    relay_token next() {
        const relay_token taken = now_;
        advance();
        return taken;
    }
    /// The number of a field. Precondition: a point stands here, which is then behind as well.
    relay_token next_field() {
        const relay_token digits = lexer_.field();
        advance();
        return digits;
    }
    bool take(unsigned char what) {
        if (!at(what)) return false;
        advance();
        return true;
    }
    bool take_name(std::string_view name) {
        if (!at_name(name)) return false;
        advance();
        return true;
    }
    /// Takes a token of that kind, or says that `expected` was expected. False: there is a fault.
    bool expect(unsigned char what, std::string_view expected) { return take(what) || missing(expected); }

    /// Whether a definition begins here: `def @NAME`, `type NAME`, and both with `extern` before.
    [[nodiscard]] bool at_definition() const {
        if (!at_name("def") && !at_name("type") && !at_name("extern")) return false;
        relay_lexer copy = lexer_;
        const relay_token word = at_name("extern") ? copy.next() : now_;
        if (word.is_name("def")) return copy.next().what == relay_word::global;
        return word.is_name("type") && copy.next().what == relay_word::name;
    }

    /// Adds a fault; always false.
    bool fault(source_position at, std::string message) {
        faults_->add(at, std::move(message));
        return false;
    }
    bool fault(std::string message) { return fault(now_.at, std::move(message)); }
    /// Says what was expected here, and what stands here.
    bool missing(std::string_view expected) {
        if (at(relay_word::wrong)) return fault(lexer_.fault());
        return fault(std::string(expected) + " was expected, and " + shown() + " stands here");
    }
    [[nodiscard]] relay_faults& faults() { return *faults_; }

private:
    void advance() { now_ = lexer_.next(); }
    [[nodiscard]] std::string shown() const {
        switch (now_.what) {
            case relay_word::end:
                return "the end of the text";
            case relay_word::local:
            case relay_word::shared:
                return quoted_text("%" + std::string(now_.text), 40);
            case relay_word::global:
                return quoted_text("@" + std::string(now_.text), 40);
            case relay_word::text:
                return "a text in quotes";
            default:
                return quoted_text(now_.text, 40);
        }
    }

    relay_faults* faults_;
    relay_lexer lexer_;
    relay_token now_;
};

}  // namespace inlay

#endif
