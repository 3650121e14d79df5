// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_PLUGIN_LOADED_KERNEL_HPP
#define INLAY_BACKEND_PLUGIN_LOADED_KERNEL_HPP

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include <inlay/backend/plugin/backend_abi.h>
#include <inlay/backend/plugin/abi_values.hpp>
#include <inlay/backend/plugin/loaded_plan.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/c/c_part.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/executor.hpp>
#include <inlay/core/guarded.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/graph/tensor.hpp>

namespace inlay {

namespace detail {

/// The state of a kernel that a library made. The plan goes after it, since it may look at what that one keeps.
class loaded_kernel {
public:
    loaded_kernel(loaded_plan plan, const inlay_kernel& made) : plan_(std::move(plan)), code_(made) {}
    loaded_kernel(loaded_kernel&& other) noexcept : plan_(std::move(other.plan_)), code_(std::exchange(other.code_, {})) {}
    loaded_kernel& operator=(loaded_kernel&&) = delete;
    ~loaded_kernel() {
        if (code_.release != nullptr) code_.release(code_.state);
    }

    [[nodiscard]] bool run(const run_arguments& a) const {
        executor_ref threads = a.executor;
        // An exception of the library's is a failure, on this thread and on the executor's.
        struct pool {
            executor_ref& threads;
            std::atomic<bool> threw{false};
        } shared{threads, {}};
        const inlay_executor executor{sizeof(inlay_executor), threads.threads(), &shared,
                                      [](void* to, std::size_t count, void (*task)(void*, std::size_t), void* context) {
                                          auto& by = *static_cast<pool*>(to);
                                          by.threads.run(count, [&](std::size_t i) {
                                              if (!guarded("a kernel", "ran", [&] { task(context, i); })) by.threw.store(true);
                                          });
                                      }};
        const inlay_run how{sizeof(inlay_run), a.inputs, a.results, a.workspace, &executor};
        const auto ended = guarded("a kernel", "ran", [&] { return code_.run(code_.state, &how); });
        return ended && *ended == 0 && !shared.threw.load();
    }

private:
    loaded_plan plan_;
    inlay_kernel code_;
};

/// Whether a text in C has a function of that name: the name as a word of its own, and a parenthesis.
[[nodiscard]] inline bool names_function(std::string_view text, std::string_view name) {
    const auto is_of_word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; };
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
        const std::size_t next = text.find_first_not_of(" \t\n", at + name.size());
        if ((at == 0 || !is_of_word(text[at - 1])) && next != std::string_view::npos && text[next] == '(') return true;
    }
    return false;
}

/// Where a library says its C.
struct c_code_of_library {
    c_part part;
    std::string fault;

    [[nodiscard]] inlay_c_code interface() {
        return {sizeof(inlay_c_code),
                this,
                [](void* to, inlay_text text) { self(to).part.text += text_in(text); },
                [](void* to, inlay_text text) { self(to).part.needs.emplace_back(text_in(text)); },
                [](void* to, inlay_text name, inlay_text text) {
                    if (self(to).may_be(name)) self(to).part.headers.push_back({std::string(text_in(name)), std::string(text_in(text))});
                },
                [](void* to, inlay_text name, inlay_text text) {
                    if (self(to).may_be(name)) self(to).part.sources.push_back({std::string(text_in(name)), std::string(text_in(text))});
                },
                [](void* to, const inlay_constant* value) { self(to).add(value); },
                [](void* to, std::size_t bytes) { self(to).part.workspace_bytes = bytes; }};
    }

private:
    [[nodiscard]] static c_code_of_library& self(void* to) { return *static_cast<c_code_of_library*>(to); }

    /// Whether a file may be called so: it goes into the folder of a program, and nowhere else.
    bool may_be(inlay_text name) {
        const std::string_view word = text_in(name);
        const bool is_plain =
            !word.empty() && word.size() <= 100 && word.front() != '.' && std::all_of(word.begin(), word.end(), [](char c) {
                return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
            });
        if (!is_plain) fault = "it has a file called " + quoted_text(word) + "; names of files have letters, digits, '_', '-' and '.'";
        return is_plain;
    }
    void add(const inlay_constant* value) {
        if (value == nullptr || value->type.element > INLAY_BOOL || value->type.rank > 64) {
            fault = "it gives a constant that is no tensor";
            return;
        }
        const auto element = static_cast<element_type>(value->type.element);
        tensor kept(element, {value->type.extents, value->type.extents + value->type.rank});
        if (!kept.ok() || kept.bytes() != value->bytes || (value->data == nullptr && value->bytes != 0)) {
            fault = "it gives a constant whose bytes are not those of its type";
            return;
        }
        if (value->bytes != 0) std::memcpy(kept.data(), value->data, value->bytes);
        part.constants.push_back(std::move(kept));
    }
};

}  // namespace detail

/// The code of a plan that a loaded back end made, for the formats that the region holds. The error is the library's.
[[nodiscard]] inline outcome<kernel> emit_loaded(const loaded_plan& plan, const region_view& region) {
    const inlay_backend& table = plan.instance().table();
    if (table.emit == nullptr) return error{"it makes C alone, and no code that runs here"};
    const shown_borders borders(region.input_formats, region.result_formats);
    inlay_kernel made{};
    made.size = sizeof made;
    std::string why;
    if (table.emit(plan.instance().get(), plan.handle(), borders.get(), &made, detail::reply_to(why)) != INLAY_YES)
        return error{why.empty() ? "it makes no code, and does not say why" : why};
    const auto refuse = [&](std::string what) {
        if (made.release != nullptr) made.release(made.state);
        return error{std::move(what)};
    };
    if (made.run == nullptr) return refuse("it gives a kernel without a function 'run'");
    if (made.workspace_bytes > static_cast<std::size_t>(-1) / 4)
        return refuse("it gives a kernel that needs " + std::to_string(made.workspace_bytes) + " bytes of workspace");
    return kernel(detail::loaded_kernel(plan, made), made.workspace_bytes);
}

/// The C of a plan, for the formats that the region holds, as a function of that name. The error is the library's.
[[nodiscard]] inline outcome<c_part> emit_loaded_c(const loaded_plan& plan, const region_view& region, std::string_view name) {
    const inlay_backend& table = plan.instance().table();
    if (table.emit_c == nullptr) return error{"its code does not leave as C"};
    const shown_borders borders(region.input_formats, region.result_formats);
    detail::c_code_of_library code;
    const inlay_c_code to = code.interface();
    std::string why;
    if (table.emit_c(plan.instance().get(), plan.handle(), borders.get(), detail::text_out(name), &to, detail::reply_to(why)) != INLAY_YES)
        return error{why.empty() ? "it makes no C, and does not say why" : why};
    if (!code.fault.empty()) return error{code.fault};
    if (!detail::names_function(code.part.text, name))
        return error{"it says that it makes C, and gives no function " + quoted_text(name) + "; it writes one of that name"};
    code.part.name = name;
    return std::move(code.part);
}

}  // namespace inlay

#endif
