// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_ACCELERATOR_INSTRUCTION_WORD_HPP
#define INLAY_ACCELERATOR_INSTRUCTION_WORD_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/accelerator/work_unit.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay {

/// One field of an instruction, and its bits.
struct instruction_field {
    std::string_view name;
    unsigned bits = 0;
};

/// What follows the opcode (4 bits) and the tokens (4 bits taken, 4 given) in the 128 bits of an instruction. A machine has one form for
/// each opcode.
struct instruction_form {
    std::string_view name;
    std::array<instruction_field, 8> fields{};

    /// The number of a field. Precondition: there is one of that name.
    [[nodiscard]] constexpr std::size_t field_of(std::string_view field) const {
        for (std::size_t i = 0; i < fields.size(); ++i)
            if (fields[i].name == field) return i;
        return fields.size();
    }
    [[nodiscard]] constexpr unsigned bits() const {
        unsigned sum = 4 + 2 * work_units;
        for (const instruction_field& f : fields) sum += f.bits;
        return sum;
    }
};

/// An instruction of a machine with such opcodes as numbers by field, in the order of its form. It takes a token from each unit of `takes`
/// before it begins and gives one to each of `gives` when it has ended.
template <class Opcode>
struct coded_instruction {
    Opcode op{};
    unit_set takes = {}, gives = {};
    std::array<std::uint32_t, 8> values{};

    friend bool operator==(const coded_instruction&, const coded_instruction&) = default;
};

/// 128 bits, the first 32 of them first.
using instruction_word = std::array<std::uint32_t, 4>;

/// The error names a field whose number has more bits than there are.
template <class Opcode>
[[nodiscard]] outcome<instruction_word> encode(std::span<const instruction_form> forms, const coded_instruction<Opcode>& i) {
    instruction_word made{};
    unsigned at = 0;
    const auto put = [&](std::uint32_t value, unsigned bits) {
        for (unsigned b = 0; b < bits; ++b, ++at) made[at / 32] |= (value >> b & 1u) << (at % 32);
    };
    put(static_cast<std::uint32_t>(i.op), 4);
    for (const unit_set& tokens : {i.takes, i.gives}) put(tokens.bits, work_units);
    const instruction_form& form = forms[static_cast<std::size_t>(i.op)];
    for (std::size_t f = 0; f < form.fields.size(); ++f) {
        const unsigned bits = form.fields[f].bits;
        if (bits < 32 && i.values[f] >> bits != 0)
            return error{"the instruction " + std::string(form.name) + " has " + std::to_string(i.values[f]) + " as " +
                         std::string(form.fields[f].name) + ", for which there are " + std::to_string(bits) + " bits"};
        put(i.values[f], bits);
    }
    return made;
}

/// The words of a program, one instruction behind the other. The error is that of `encode`.
template <class Opcode>
[[nodiscard]] outcome<std::vector<std::uint32_t>> encode(std::span<const instruction_form> forms,
                                                         const std::vector<coded_instruction<Opcode>>& program) {
    std::vector<std::uint32_t> words;
    for (const coded_instruction<Opcode>& i : program) {
        const auto word = encode(forms, i);
        if (!word) return word.failure();
        words.insert(words.end(), word->begin(), word->end());
    }
    return words;
}

/// The error says that there is no such instruction.
template <class Opcode>
[[nodiscard]] outcome<coded_instruction<Opcode>> decode(std::span<const instruction_form> forms, const instruction_word& word) {
    coded_instruction<Opcode> made;
    unsigned at = 0;
    const auto take = [&](unsigned bits) {
        std::uint32_t value = 0;
        for (unsigned b = 0; b < bits; ++b, ++at) value |= (word[at / 32] >> (at % 32) & 1u) << b;
        return value;
    };
    const std::uint32_t op = take(4);
    if (op >= forms.size()) return error{"there is no instruction with opcode " + std::to_string(op)};
    made.op = static_cast<Opcode>(op);
    for (unit_set* tokens : {&made.takes, &made.gives}) tokens->bits = static_cast<std::uint8_t>(take(work_units));
    for (std::size_t f = 0; f < forms[op].fields.size(); ++f) made.values[f] = take(forms[op].fields[f].bits);
    return made;
}

/// `load base=0 offset=64 local=0 rows=4 bytes=16 stride=16 takes:compute gives:compute`.
template <class Opcode>
[[nodiscard]] std::string to_string(std::span<const instruction_form> forms, const coded_instruction<Opcode>& i) {
    const instruction_form& form = forms[static_cast<std::size_t>(i.op)];
    std::string text(form.name);
    for (std::size_t f = 0; f < form.fields.size() && form.fields[f].bits != 0; ++f)
        text += " " + std::string(form.fields[f].name) + "=" + std::to_string(i.values[f]);
    const auto list = [&](const char* what, const unit_set& tokens) {
        for (std::size_t u = 0; u < work_units; ++u)
            if (const auto unit = static_cast<work_unit>(u); tokens.has(unit)) text += what + std::string(name_of(unit));
    };
    list(" takes:", i.takes);
    list(" gives:", i.gives);
    return text;
}

}  // namespace inlay

#endif
