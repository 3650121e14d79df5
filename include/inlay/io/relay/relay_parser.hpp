// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_RELAY_RELAY_PARSER_HPP
#define INLAY_IO_RELAY_RELAY_PARSER_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <inlay/core/nearest_name.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/io/relay/relay_attribute.hpp>
#include <inlay/io/relay/relay_binders.hpp>
#include <inlay/io/relay/relay_cursor.hpp>
#include <inlay/io/relay/relay_infix.hpp>
#include <inlay/io/relay/relay_names.hpp>
#include <inlay/io/relay/relay_nodes.hpp>
#include <inlay/io/relay/relay_number.hpp>
#include <inlay/io/relay/relay_survey.hpp>
#include <inlay/io/relay/relay_types.hpp>

namespace inlay {

/// Reads the definitions of a text that was surveyed, and makes their nodes. What is open at a place of the text is a stack of frames, so
/// that nothing is nested too deep; each step reads a few tokens. A step that fails says why, and reading goes on behind the next `;` or
/// `}`, or at the next definition.
class relay_parser {
public:
    /// What is handed over outlives this. `metadata` is null where it cannot be read.
    relay_parser(const relay_survey& survey, relay_types& types, const relay_metadata* metadata, relay_faults& faults)
        : survey_(survey),
          types_(types),
          faults_(faults),
          c_(survey.program, faults),
          attributes_(metadata),
          nodes_(metadata),
          binders_(c_, types, attributes_, nodes_, names_) {}

    /// The program; anything where there are faults.
    ir_module read() {
        version();
        std::size_t type = 0;
        while (!c_.at_end() && !faults_.is_full()) {
            if (!c_.at_definition()) {
                if (c_.take(';')) continue;
                c_.missing("a definition, as def @main(%x: int64) { %x },");
                while (!c_.at_end() && !c_.at_definition()) c_.next();
                continue;
            }
            const bool is_external = c_.take_name("extern");
            if (c_.at_name("type")) {
                // The survey has read it.
                c_.next();
                if (type == survey_.type_ends.size()) continue;
                const source_position end = survey_.type_ends[type++];
                while (!c_.at_end() && is_before(c_.place(), end)) c_.next();
            } else if (!definition(is_external)) {
                give_up();
            }
        }
        if (faults_.empty() && survey_.functions.empty())
            c_.fault("there is no function in this text; define one, as def @main(%x: int64) { %x }");
        if (const auto wrong = types_.clash()) faults_.add({1, 1}, *wrong);
        return faults_.empty() ? nodes_.finish(faults_, types_.used()) : ir_module();
    }

private:
    /// Something that is open. `first` and `second` are values that it has already; further ones stand on `values_` from `values` on.
    struct frame {
        enum what : std::uint8_t {
            sequence,   // values with `;` between them, up to `end`
            let_value,  // of the variable `first`
            let_body,   // of the variable `first`, whose value is `second`; the rest of a sequence
            binding,    // `%number = `
            call,       // of an operator; what is known of it stands on `calls_`
            apply,      // of a value
            construct,  // of a constructor
            tuple,
            infix,      // `first` and then the operator `end`
            condition,  // of an if
            if_true,    // `first` is the condition
            if_false,   // `second` is the result of the first branch
            scrutinee,  // of a match, which is partial where `end` is `?`
            clauses,    // of a match; what is known of it stands on `matches_`
            function    // its head stands on `heads_`
        };
        what kind;
        unsigned char end = 0;
        std::uint32_t values = 0, names = 0;
        source_position at, opened;  // where it begins; where its bracket is
        node_id first = no_node, second = no_node;
        std::uint64_t number = 0;
    };
    struct open_call {
        std::string_view name;
        relay_attributes attributes;
    };
    struct open_match {
        std::vector<std::int64_t> sizes;
        std::vector<std::string> patterns;
    };
    /// What is to be read next.
    enum class mode : std::uint8_t { statement, operand, arguments, behind };

    /// The end of a sequence that a comma or the bracket of what stands around closes, and that is not taken.
    static constexpr unsigned char end_of_item = ',';

    [[nodiscard]] static bool is_before(source_position a, source_position b) {
        return a.line < b.line || (a.line == b.line && a.column < b.column);
    }

    void version() {
        if (!c_.at('#')) return;
        c_.next();
        const bool is_read = c_.expect('[', "'['") && (c_.take_name("version") || c_.missing("'version'")) && c_.expect('=', "'='");
        if (!is_read) return;
        if (!c_.at(relay_word::text) || c_.now().text != "0.0.5")
            c_.fault("this is another version of Relay's text; version \"0.0.5\" is read here");
        c_.next();
        c_.expect(']', "']'");
    }

    // Definitions.

    bool definition(bool is_external) {
        relay_head h;
        h.at = c_.next().at;
        h.name = global_relay_name(c_.next());
        heads_.push_back(std::move(h));
        push(frame::function, heads_.back().at);
        if (!read_head()) return false;
        if (is_external) {
            c_.take(';');
            end_function(no_node);
            return true;
        }
        return (open_block() || recover()) && run();
    }
    /// Reads on until the definition is whole. False: it cannot be.
    bool run() {
        while (!frames_.empty())
            if (!step() && !recover()) return false;
        return true;
    }
    void give_up() {
        frames_.clear();
        values_.clear();
        calls_.clear();
        matches_.clear();
        heads_.clear();
        names_.leave(0);
        types_.leave_variables(0);
        while (!c_.at_end() && !c_.at_definition()) c_.next();
    }

    /// Reads the head of the function whose frame is on top.
    bool read_head() {
        frames_.back().values = static_cast<std::uint32_t>(types_.variables());
        return binders_.head(heads_.back());
    }
    /// Makes the function whose frame is on top.
    void end_function(node_id result) {
        const frame f = frames_.back();
        frames_.pop_back();
        value_ = nodes_.function(heads_.back(), result);
        value_at_ = f.at;
        heads_.pop_back();
        names_.leave(f.names);
        types_.leave_variables(f.values);
        mode_ = mode::behind;
    }

    // Steps.

    frame& push(frame::what kind, source_position at) {
        frames_.push_back({});
        frame& f = frames_.back();
        f.kind = kind;
        f.values = static_cast<std::uint32_t>(values_.size());
        f.names = static_cast<std::uint32_t>(names_.count());
        f.at = at;
        return f;
    }
    void open_sequence(unsigned char end, source_position opened) {
        frame& f = push(frame::sequence, opened);
        f.end = end;
        f.opened = opened;
        mode_ = mode::statement;
    }
    bool open_block() {
        const source_position opened = c_.place();
        if (!c_.take('{')) return missing("'{'");
        open_sequence('}', opened);
        return true;
    }
    bool give(node_id n, source_position at) {
        value_ = n;
        value_at_ = at;
        mode_ = mode::behind;
        return true;
    }
    [[nodiscard]] std::span<const node_id> values_from(const frame& f) const { return std::span(values_).subspan(f.values); }
    void pop() {
        values_.resize(frames_.back().values);
        frames_.pop_back();
    }

    /// Says what was expected; where the text or its definition ends, that a bracket is not closed.
    bool missing(std::string_view expected) {
        if (c_.at_end() || c_.at_definition())
            for (std::size_t i = frames_.size(); i-- > 0;)
                if (frames_[i].opened.is_known())
                    return c_.fault(frames_[i].opened,
                                    "this bracket is never closed: " + std::string(expected) + " was expected, and " +
                                        (c_.at_end() ? "the text ends" : "a definition begins in line " + std::to_string(c_.place().line)));
        return c_.missing(expected);
    }

    bool step() {
        switch (mode_) {
            case mode::statement:
                return statement();
            case mode::operand:
                return operand();
            case mode::arguments:
                return arguments();
            default:
                return behind();
        }
    }

    // Values.

    bool statement() {
        if (c_.at_name("let")) return let();
        if (c_.at(relay_word::shared) && c_.ahead().what == '=') {
            const relay_token name = c_.next();
            c_.next();
            frame& f = push(frame::binding, name.at);
            if (!read_relay_digits(name.text, f.number)) return c_.fault(name.at, "this number is too large");
            mode_ = mode::operand;
            return true;
        }
        return operand();
    }
    /// `let %x: T =`. The value may read the variable, as a function that calls itself does.
    bool let() {
        const source_position at = c_.next().at;
        node_id v = no_node;
        if (c_.at_name("_")) {
            v = nodes_.variable({}, {}, c_.next().at);
        } else {
            if (!c_.at(relay_word::local)) return missing("a variable");
            const auto read = binders_.variable(names_.count());
            if (!read) return false;
            v = *read;
        }
        if (!c_.expect('=', "'='")) return false;
        push(frame::let_value, at).first = v;
        mode_ = mode::operand;
        return true;
    }

    bool operand() {
        const source_position at = c_.place();
        switch (c_.now().what) {
            case relay_word::local:
                return give(local(c_.next()), at);
            case relay_word::shared:
                return give(shared(c_.next()), at);
            case relay_word::global:
                return give(global(c_.next()), at);
            case relay_word::name:
                return word();
            case relay_word::number:
                return literal(at, false);
            case '-': {
                const relay_token ahead = c_.ahead();
                if (ahead.what != relay_word::number && !(ahead.what == relay_word::name && is_relay_number_word(ahead.text)))
                    return c_.fault("a minus stands before a number or between two values; write negative(...)");
                c_.next();
                return literal(at, true);
            }
            case '(':
                c_.next();
                if (c_.take(')')) return give(nodes_.tuple({}, at), at);
                open_sequence(')', at);
                return true;
            case '{':
                c_.next();
                open_sequence('}', at);
                return true;
            default:
                return missing("a value");
        }
    }
    bool literal(source_position at, bool is_negative) {
        const auto value = relay_number_tensor(c_.next().text, is_negative);
        if (!value) c_.fault(at, value.failure().message);
        return give(value ? nodes_.constant(*value, at) : nodes_.missing(), at);
    }
    node_id local(const relay_token& name) {
        const node_id n = names_.find(name.text);
        if (n != no_node) return n;
        if (!faults_.is_full()) {
            std::vector<std::string> known;
            for (const std::string_view k : names_.all()) known.push_back("%" + std::string(k));
            const std::string wanted = "%" + std::string(name.text);
            c_.fault(name.at, "there is no variable " + quoted_text(wanted) + " here" + name_hint(wanted, known));
        }
        return nodes_.missing();
    }
    node_id shared(const relay_token& name) {
        std::uint64_t n = 0;
        if (read_relay_digits(name.text, n))
            if (const auto known = shared_.find(n); known != shared_.end()) return known->second;
        c_.fault(name.at, "there is no " + quoted_text("%" + std::string(name.text)) + " before this place");
        return nodes_.missing();
    }
    node_id global(const relay_token& token) {
        const std::string name = global_relay_name(token);
        if (survey_.functions.find(name) != survey_.functions.end()) return nodes_.global(name, token.at);
        if (!faults_.is_full())
            c_.fault(token.at, "there is no function " + quoted_text("@" + name) + name_hint("@" + name, survey_.function_names()));
        return nodes_.missing();
    }

    /// What begins with a word: a literal, an if, a match, a function, a constructor, a call.
    bool word() {
        const relay_token t = c_.now();
        if (t.text == "if") {
            c_.next();
            push(frame::condition, t.at);
            if (!c_.at('(')) return missing("'('");
            mode_ = mode::operand;
            return true;
        }
        if (t.text == "match") {
            c_.next();
            push(frame::scrutinee, t.at).end = c_.take('?') ? '?' : 0;
            mode_ = mode::operand;
            return true;
        }
        if (t.text == "fn") {
            c_.next();
            heads_.push_back({});
            heads_.back().at = t.at;
            push(frame::function, t.at);
            return read_head() && open_block();
        }
        if (t.text == "meta") return reference();
        if (t.text == "True" || t.text == "False") {
            c_.next();
            return give(nodes_.constant(tensor::scalar(t.text == "True"), t.at), t.at);
        }
        if (is_relay_number_word(t.text)) return literal(t.at, false);
        const frame::what around = frames_.back().kind;
        if (t.text == "let" && (around == frame::call || around == frame::apply || around == frame::construct || around == frame::tuple)) {
            // As an argument: the rest of it is the body.
            open_sequence(end_of_item, t.at);
            frames_.back().opened = {};
            return true;
        }
        if (t.text == "let" || t.text == "else" || c_.at_definition()) return missing("a value");
        c_.next();
        return named(t);
    }
    bool reference() {
        relay_reference to;
        if (!attributes_.read_reference(c_, to)) return false;
        if (!attributes_.is_there(c_, to)) return give(nodes_.missing(), to.at);
        if (to.key == "relay.Constant") return give(nodes_.constant(to.index, to.at), to.at);
        c_.fault(to.at, "metadata of kind " + quoted_text(to.key, 60) + " is no value; relay.Constant is");
        return give(nodes_.missing(), to.at);
    }
    bool named(const relay_token& t) {
        const bool has_brackets = c_.at('(');
        const auto made = types_.constructor(t.text);
        const bool is_capital = t.text.front() >= 'A' && t.text.front() <= 'Z' && t.text.find('.') == std::string_view::npos;
        if (!made && is_capital) binders_.no_constructor(t);
        if (!has_brackets) {
            if (made) {
                binders_.tell_fields(t, *made, 0);
                return give(nodes_.construct(t.text, {}, t.at), t.at);
            }
            if (!is_capital)
                c_.fault(t.at, "the operator " + quoted_text(t.text, 60) + " stands alone; write its operands in brackets behind it");
            return give(nodes_.missing(), t.at);
        }
        frame& f = push(made ? frame::construct : frame::call, t.at);
        f.opened = c_.next().at;
        calls_.push_back({t.text, {}});
        mode_ = mode::arguments;
        return true;
    }
    bool arguments() {
        if (c_.take(')')) return end_call();
        const bool has_attributes = frames_.back().kind != frame::construct;
        if (has_attributes && (c_.at(relay_word::name) || c_.at(relay_word::text)) && c_.ahead().what == '=')
            return binders_.attribute(calls_.back().attributes) && next_argument();
        return operand();
    }
    bool next_argument() {
        if (!c_.take(',') && !c_.at(')')) return missing("a comma or ')'");
        mode_ = mode::arguments;
        return true;
    }
    bool end_call() {
        const frame f = frames_.back();
        open_call call = std::move(calls_.back());
        calls_.pop_back();
        const auto operands = values_from(f);
        node_id made = no_node;
        if (f.kind == frame::call) {
            made = nodes_.call(c_, call.name, operands, std::move(call.attributes), f.at);
        } else if (f.kind == frame::apply) {
            made = nodes_.apply(operands, call.attributes.values, f.at);
        } else {
            if (const auto which = types_.constructor(call.name))
                binders_.tell_fields({relay_word::name, f.at, call.name}, *which, operands.size());
            made = nodes_.construct(call.name, operands, f.at);
        }
        pop();
        return give(made, f.at);
    }

    /// What may stand behind a value: arguments, a field, an operator; or what it stands in goes on.
    bool behind() {
        if (c_.at('(')) {
            frame& f = push(frame::apply, value_at_);
            f.opened = c_.next().at;
            values_.push_back(value_);
            calls_.push_back({});
            mode_ = mode::arguments;
            return true;
        }
        if (c_.at('.')) {
            const relay_token digits = c_.next_field();
            std::uint32_t field = 0;
            if (!read_relay_digits(digits.text, field)) return c_.fault(digits.at, "the number of a field was expected behind the point");
            return give(nodes_.projection(value_, field, value_at_), value_at_);
        }
        const int order = relay_order(c_.now().what);
        end_infix(order);
        if (order == 0) return deliver();
        frame& f = push(frame::infix, value_at_);
        f.end = c_.next().what;
        f.first = value_;
        mode_ = mode::operand;
        return true;
    }
    void end_infix(int order) {
        while (frames_.back().kind == frame::infix && relay_order(frames_.back().end) >= order) {
            const frame& f = frames_.back();
            const node_id operands[] = {f.first, value_};
            value_ = nodes_.call(relay_operator(f.end), operands, f.at);
            value_at_ = f.at;
            frames_.pop_back();
        }
    }

    /// The value is handed to what it stands in.
    bool deliver() {
        frame& top = frames_.back();
        switch (top.kind) {
            case frame::let_value:
                if (!c_.take(';')) return missing("';'");
                top.kind = frame::let_body;
                top.second = value_;
                mode_ = mode::statement;
                return true;
            case frame::binding:
                if (!c_.take(';')) return missing("';'");
                bind_shared(top);
                frames_.pop_back();
                mode_ = mode::statement;
                return true;
            case frame::call:
            case frame::apply:
            case frame::construct:
                values_.push_back(value_);
                return next_argument();
            case frame::tuple:
                values_.push_back(value_);
                return next_field();
            case frame::condition:
                top.first = value_;
                top.kind = frame::if_true;
                return open_block();
            case frame::if_true:
                if (!c_.take_name("else")) return missing("'else'");
                top.second = value_;
                top.kind = frame::if_false;
                if (!c_.at_name("if")) return open_block();
                mode_ = mode::operand;
                return true;
            case frame::if_false: {
                const frame f = top;
                frames_.pop_back();
                return give(nodes_.if_else(f.first, f.second, value_, f.at), f.at);
            }
            case frame::scrutinee:
                return open_clauses();
            case frame::clauses:
                return end_clause();
            case frame::function:
                end_function(value_);
                return true;
            default:
                return end_statement();
        }
    }
    void bind_shared(const frame& f) {
        if (!shared_.insert_or_assign(f.number, value_).second)
            c_.fault(f.at, "'%" + std::to_string(f.number) + "' stands for something already; numbers are unique in a text");
    }

    bool next_field() {
        const bool comma = c_.take(',');
        if (comma && !c_.at(')')) {
            mode_ = mode::operand;
            return true;
        }
        if (!c_.take(')')) return missing("a comma or ')'");
        const frame f = frames_.back();
        const node_id made = nodes_.tuple(values_from(f), f.at);
        pop();
        return give(made, f.at);
    }

    /// A value of a sequence is whole: it is the last one, or a nameless let.
    bool end_statement() {
        if (c_.take(';')) {
            const source_position at = value_at_;
            const node_id v = nodes_.variable({}, {}, at);
            frame& f = push(frame::let_body, at);
            f.first = v;
            f.second = value_;
            mode_ = mode::statement;
            return true;
        }
        for (; frames_.back().kind == frame::let_body; frames_.pop_back()) {
            const frame& f = frames_.back();
            value_ = nodes_.let(f.first, f.second, value_, f.at);
            value_at_ = f.at;
        }
        frame& top = frames_.back();
        if (top.end == ')' && c_.at(',')) {
            names_.leave(top.names);
            top.kind = frame::tuple;
            values_.push_back(value_);
            return next_field();
        }
        if (top.end == end_of_item) {
            if (!c_.at(',') && !c_.at('}') && !c_.at(')')) return missing("';' or a comma");
        } else if (!c_.take(top.end)) {
            return missing(top.end == ')' ? "a comma or ')'" : "';' or '}'");
        }
        return end_sequence();
    }
    bool end_sequence() {
        const frame f = frames_.back();
        names_.leave(f.names);
        frames_.pop_back();
        const frame::what around = frames_.back().kind;
        if (f.end == end_of_item) return deliver();
        if (f.end == '}' && (around == frame::function || around == frame::if_true || around == frame::if_false)) return deliver();
        return give(value_, f.at);
    }

    // Matches.

    bool open_clauses() {
        const source_position opened = c_.place();
        if (!c_.take('{')) return missing("'{'");
        frame& top = frames_.back();
        top.kind = frame::clauses;
        top.opened = opened;
        values_.push_back(value_);
        matches_.push_back({});
        return next_clause();
    }
    bool next_clause() {
        if (c_.take('}')) return end_match();
        open_match& m = matches_.back();
        const std::size_t before = values_.size();
        m.patterns.emplace_back();
        if (!binders_.pattern(m.patterns.back(), values_) || !c_.expect(relay_word::leads_to, "'=>'")) return false;
        m.sizes.push_back(static_cast<std::int64_t>(values_.size() - before));
        open_sequence(end_of_item, c_.place());
        frames_.back().opened = {};
        return true;
    }
    bool end_clause() {
        values_.push_back(value_);
        names_.leave(frames_.back().names);
        if (!c_.take(',') && !c_.at('}')) return missing("a comma or '}'");
        return next_clause();
    }
    bool end_match() {
        const frame f = frames_.back();
        attribute_map a;
        a.set("clause_sizes", std::move(matches_.back().sizes));
        a.set("patterns", std::move(matches_.back().patterns));
        if (f.end == '?') a.set("complete", std::int64_t{0});
        matches_.pop_back();
        const node_id made = nodes_.match(values_from(f), a, f.at);
        pop();
        return give(made, f.at);
    }
    // Faults.

    void drop() {
        const frame f = frames_.back();
        switch (f.kind) {
            case frame::call:
            case frame::apply:
            case frame::construct:
                calls_.pop_back();
                break;
            case frame::clauses:
                matches_.pop_back();
                break;
            case frame::function:
                heads_.pop_back();
                types_.leave_variables(f.values);
                break;
            default:
                break;
        }
        names_.leave(f.names);
        if (f.kind != frame::function) values_.resize(f.values);
        frames_.pop_back();
    }
    /// Goes on behind the next `;` or `}`. What is bound there is bound all the same, so that its name is known. False: there is none.
    bool recover() {
        if (faults_.is_full()) return false;
        bool has_brackets = true;  // that are open since before
        for (std::size_t blocks = 0, brackets = 0;; c_.next()) {
            if (c_.at_end() || c_.at_definition()) return false;
            if (c_.at('{')) ++blocks;
            if (blocks == 0 && (c_.at(';') || c_.at('}'))) break;
            if (c_.at('}')) --blocks;
            if (blocks != 0) continue;
            if (c_.at('(')) ++brackets;
            if (!c_.at(')')) continue;
            if (brackets != 0)
                --brackets;
            else if (has_brackets)
                has_brackets = close_bracket();
        }
        value_ = nodes_.missing();
        value_at_ = c_.place();
        return c_.take(';') ? recover_statement() : recover_block();
    }
    /// A round bracket is closed that was opened before the fault: what stands in it is no longer open. False: there was none.
    bool close_bracket() {
        for (std::size_t i = frames_.size(); i-- > 0;) {
            const frame& f = frames_[i];
            if (f.kind == frame::clauses || f.kind == frame::function || (f.kind == frame::sequence && f.end == '}')) return false;
            const bool is_round = f.kind == frame::call || f.kind == frame::apply || f.kind == frame::construct || f.kind == frame::tuple ||
                                  (f.kind == frame::sequence && f.end == ')');
            if (!is_round) continue;
            while (frames_.size() > i) drop();
            return true;
        }
        return false;
    }
    bool recover_statement() {
        while (frames_.back().kind != frame::sequence && frames_.back().kind != frame::let_body) {
            frame& top = frames_.back();
            if (top.kind == frame::let_value) {
                top.kind = frame::let_body;
                top.second = value_;
                break;
            }
            if (top.kind == frame::binding) shared_.try_emplace(top.number, value_);
            drop();
            if (frames_.empty()) return false;
        }
        mode_ = mode::statement;
        return true;
    }
    bool recover_block() {
        while (frames_.back().kind != frame::clauses && (frames_.back().kind != frame::sequence || frames_.back().end != '}')) {
            drop();
            if (frames_.empty()) return false;
        }
        c_.next();
        if (frames_.back().kind == frame::sequence) return end_sequence() || recover();
        drop();
        return give(value_, value_at_);
    }

    const relay_survey& survey_;
    relay_types& types_;
    relay_faults& faults_;
    relay_cursor c_;
    relay_attribute_reader attributes_;
    relay_nodes nodes_;
    relay_names names_;
    relay_binders binders_;
    std::unordered_map<std::uint64_t, node_id> shared_;  // what `%N` stands for
    std::vector<frame> frames_;
    std::vector<node_id> values_;
    std::vector<open_call> calls_;
    std::vector<open_match> matches_;
    std::vector<relay_head> heads_;
    mode mode_ = mode::statement;
    node_id value_ = no_node;
    source_position value_at_;
};

}  // namespace inlay

#endif
