// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_RUNTIME_SIMULATE_CODE_LISTS_HPP
#define INLAY_RUNTIME_SIMULATE_CODE_LISTS_HPP

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <inlay/runtime/simulate/register_program.hpp>

namespace inlay {

/// The instructions of a function while it is made: a list for each block, to which more may come at any time; where a branch or a match
/// stands, the lists of its sides belong in.
class code_lists {
public:
    static constexpr std::uint32_t none = 0xFFFF'FFFFu;

    /// One side of a choice: where one of `tests` jumps, the next side is tried.
    struct side {
        std::vector<register_instruction> tests;
        std::uint32_t list = none;
        std::vector<register_instruction> last;  // behind the list
    };
    /// The sides of a branch or a match, and what is done where the last one has tests that jump.
    struct choice {
        std::vector<side> sides;
        register_instruction otherwise;
    };

    void clear() {
        lists_.clear();
        choices_.clear();
    }
    /// A new list, by its number.
    [[nodiscard]] std::uint32_t add() {
        lists_.emplace_back();
        return static_cast<std::uint32_t>(lists_.size() - 1);
    }
    void put(std::uint32_t list, const register_instruction& i) { lists_[list].push_back({i, none}); }
    void put(std::uint32_t list, choice c) {
        choices_.push_back(std::move(c));
        lists_[list].push_back({{}, static_cast<std::uint32_t>(choices_.size() - 1)});
    }

    /// The list with all that belongs in it, as flat code with jumps. Linear; no recursion.
    [[nodiscard]] std::vector<register_instruction> flat(std::uint32_t root) const {
        struct level {
            std::uint32_t number;
            bool is_choice;
            std::size_t at = 0;
            std::vector<std::size_t> to_next = {}, to_end = {};  // instructions that jump there
        };
        std::vector<register_instruction> code;
        std::vector<level> open;
        open.push_back({root, false});
        const auto here = [&](std::vector<std::size_t>& jumps) {
            for (const std::size_t j : jumps) code[j].target = static_cast<std::uint32_t>(code.size());
            jumps.clear();
        };
        while (!open.empty()) {
            level& top = open.back();
            if (!top.is_choice) {
                if (top.at == lists_[top.number].size()) {
                    open.pop_back();
                    continue;
                }
                const entry& e = lists_[top.number][top.at++];
                if (e.choice == none)
                    code.push_back(e.instruction);
                else
                    open.push_back({e.choice, true});
                continue;
            }
            const choice& c = choices_[top.number];
            const bool is_last = top.at == c.sides.size();
            if (top.at != 0) {
                // The side before ends here; it goes on behind all sides, unless nothing stands between.
                const side& before = c.sides[top.at - 1];
                code.insert(code.end(), before.last.begin(), before.last.end());
                if (!is_last || !before.tests.empty()) {
                    top.to_end.push_back(code.size());
                    register_instruction jump;
                    jump.op = register_op::jump;
                    jump.node = c.otherwise.node;
                    code.push_back(jump);
                }
                here(top.to_next);
            }
            if (is_last) {
                if (c.sides.empty() || !c.sides.back().tests.empty()) code.push_back(c.otherwise);
                here(top.to_end);
                open.pop_back();
                continue;
            }
            const side& s = c.sides[top.at++];
            for (const register_instruction& i : s.tests) {
                if (i.jumps()) top.to_next.push_back(code.size());
                code.push_back(i);
            }
            if (s.list != none) open.push_back({s.list, false});
        }
        return code;
    }

private:
    struct entry {
        register_instruction instruction;
        std::uint32_t choice = none;
    };

    std::vector<std::vector<entry>> lists_;
    std::vector<choice> choices_;
};

}  // namespace inlay

#endif
