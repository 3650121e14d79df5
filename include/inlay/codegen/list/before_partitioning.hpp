// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_LIST_BEFORE_PARTITIONING_HPP
#define INLAY_CODEGEN_LIST_BEFORE_PARTITIONING_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <inlay/codegen/list/backend_list.hpp>
#include <inlay/codegen/list/prepared_program.hpp>
#include <inlay/core/fixed_string.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/ir/ir_module.hpp>

namespace inlay {

/// For whom a phase before partitioning changes the program.
enum class phase_scope : std::uint8_t {
    shared,  // for everyone: nobody is worse off with what comes out
    own      // for plans that are made for this back end's sake, beside those without it
};

/// A pass over the program before anybody claims anything.
template <fixed_string Name, phase_scope Scope, class F>
struct before_partitioning_phase {
    static_assert(std::is_empty_v<F>, "inlay: a phase captures nothing; it reads the back end's options");

    static constexpr phase_place place = phase_place::before_partitioning;
    static constexpr phase_scope scope = Scope;
    static constexpr std::string_view name = Name.view();
    using function_type = F;

    template <class B>
    [[nodiscard]] static consteval bool fits() {
        return detail::is_pass<F, B, const ir_module&, ir_module>();
    }
};

/// `before_partitioning<"fold">([](const mine& self, const ir_module& program) -> outcome<ir_module> { ... })`. What comes out means the
/// same, and has inputs and results of the same names and types. With `phase_scope::own` behind the name, others need not plan on it.
template <fixed_string Name, phase_scope Scope = phase_scope::shared, class F>
[[nodiscard]] constexpr auto before_partitioning(F) {
    return before_partitioning_phase<Name, Scope, F>{};
}

namespace detail {

/// One sentence where a program's outside is not what it was.
[[nodiscard]] inline outcome<void> same_outside(const ir_module& before, const ir_module& now) {
    if (now.functions().empty()) return error{"gives a program without a function; it gives the one it was given, changed"};
    const auto compare = [](const char* what, const ir_module& a, std::span<const node_id> as, const ir_module& b,
                            std::span<const node_id> bs, bool named) -> outcome<void> {
        if (as.size() != bs.size())
            return error{"gives a program of " + std::to_string(bs.size()) + " " + what + "s, where there were " +
                         std::to_string(as.size())};
        for (std::size_t i = 0; i < as.size(); ++i) {
            const std::string which = std::string(what) + " " + std::to_string(i);
            if (a.type(as[i]) != b.type(bs[i]))
                return error{"gives " + which + " the type " + to_string(b.type(bs[i])) + ", where it had " + to_string(a.type(as[i]))};
            if (named && a.name(as[i]) != b.name(bs[i]))
                return error{"names " + which + " " + quoted_text(b.name(bs[i])) + ", where it was " + quoted_text(a.name(as[i]))};
        }
        return {};
    };
    if (auto same = compare("input", before, before.inputs(), now, now.inputs(), true); !same) return same;
    if (auto same = compare("result", before, before.results(), now, now.results(), false); !same) return same;
    if (!before.result_names().empty() && now.result_names() != before.result_names())
        return error{"gives the results other names than they had; carry them along by `name_results`"};
    return {};
}

template <class B, phase_scope Scope>
[[nodiscard]] outcome<void> run_before(const B& self, prepared_program& at) {
    outcome<void> done;
    if constexpr (has_phases<B>)
        B::phases().for_each([&]<class P>(P) {
            if constexpr (P::place == phase_place::before_partitioning) {
                if constexpr (P::scope == Scope) {
                    if (!done) return;
                    outcome<ir_module> made = typename P::function_type{}(self, at.program);
                    if (!made)
                        done = error{phase_text<B, P>("failed: " + made.failure().message)};
                    else if (auto same = same_outside(at.program, *made); !same)
                        done = error{phase_text<B, P>(same.failure().message)};
                    if (!done) return;
                    at.program = *std::move(made);
                    at.phases.push_back(std::string(std::string_view(B::kind)) + "." + std::string(P::name));
                }
            }
        });
    return done;
}

}  // namespace detail

namespace detail {

template <class B>
[[nodiscard]] consteval bool runs_before() {
    bool any = false;
    if constexpr (has_phases<B>) B::phases().for_each([&]<class P>(P) { any = any || P::place == phase_place::before_partitioning; });
    return any;
}

}  // namespace detail

/// Whether a back end of a list has a phase before partitioning.
template <class List>
inline constexpr bool has_phases_before = false;
template <class... Bs>
inline constexpr bool has_phases_before<backend_list<Bs...>> = (detail::runs_before<Bs>() || ...);

/// Runs what the chosen back ends do before partitioning. First of the programs that are given stands the one that all plan on: the shared
/// phases of all, in the order of the back ends and of their lists, have run on it. Behind it stands one for each back end with phases of
/// its own, which have run on top of that. Each means what the given program means, so any may be planned. The error says which phase
/// failed or changed what the program takes or gives.
template <class... Bs>
[[nodiscard]] outcome<std::vector<prepared_program>> prepare(const backend_list<Bs...>& backends, const ir_module& program) {
    std::vector<prepared_program> all(1);
    all.front().program = program;
    outcome<void> done;
    for (const std::size_t number : backends.chosen()) {
        done = backends.visit(number, [&]<class B>(const B& b) { return detail::run_before<B, phase_scope::shared>(b, all.front()); });
        if (!done) return done.failure();
    }
    for (const std::size_t number : backends.chosen()) {
        prepared_program own = all.front();
        own.backend = number;
        done = backends.visit(number, [&]<class B>(const B& b) { return detail::run_before<B, phase_scope::own>(b, own); });
        if (!done) return done.failure();
        if (own.phases.size() != all.front().phases.size()) all.push_back(std::move(own));
    }
    return all;
}

}  // namespace inlay

#endif
