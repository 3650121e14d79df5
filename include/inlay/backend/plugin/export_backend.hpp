// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_PLUGIN_EXPORT_BACKEND_HPP
#define INLAY_BACKEND_PLUGIN_EXPORT_BACKEND_HPP

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/plugin/backend_abi.h>
#include <inlay/backend/plugin/abi_values.hpp>
#include <inlay/backend/plugin/received_region.hpp>
#include <inlay/candidate/backend_vtable.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/candidate/composite_entry.hpp>
#include <inlay/candidate/composite_plan.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/c/c_part.hpp>
#include <inlay/codegen/c/c_unit.hpp>
#include <inlay/codegen/c/part_of_region.hpp>
#include <inlay/codegen/declare/backend.hpp>
#include <inlay/codegen/declare/by_default.hpp>
#include <inlay/codegen/declare/phase_list.hpp>
#include <inlay/codegen/emit/emit_composite.hpp>
#include <inlay/codegen/kernel/device_memory.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/executor.hpp>
#include <inlay/core/guarded.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/cost/price.hpp>
#include <inlay/pattern/text/pattern_text.hpp>
#include <inlay/target/format.hpp>
#include <inlay/target/option.hpp>
#include <inlay/target/quoting.hpp>
#include <inlay/target/target_schema.hpp>

namespace inlay {

namespace detail {

/// The threads of a run, as a library is handed them.
struct executor_of_host {
    const inlay_executor* given;

    [[nodiscard]] std::size_t threads() const { return given->threads; }
    template <class Task>
    void run(std::size_t count, Task&& task) {
        given->run(
            given->pool, count, [](void* context, std::size_t i) { (*static_cast<std::remove_reference_t<Task>*>(context))(i); }, &task);
    }
};

/// What an exported back end keeps of a match.
struct exported_plan {
    received_region region;
    std::uint32_t composite;
    composite_plan plan;

    /// The formats that the host chose, as long as they are asked with.
    struct formats {
        std::vector<format> inputs, results;
    };
    [[nodiscard]] std::optional<formats> read(const inlay_borders& borders) const {
        const region_view view = region.view();
        formats made;
        for (std::size_t i = 0; i < view.input_count; ++i) {
            const auto f = format_in(borders.inputs[i]);
            if (!f) return std::nullopt;
            made.inputs.push_back(*f);
        }
        for (std::size_t i = 0; i < view.results.size(); ++i) {
            const auto f = format_in(borders.results[i]);
            if (!f) return std::nullopt;
            made.results.push_back(*f);
        }
        return made;
    }
};

/// A back end of this type as functions of C.
template <backend B>
struct exported {
    static_assert(!owns_memory<B>,
                  "inlay: a library's back end works in the CPU's main memory; leave out `memories()`, or put the back end into the host's "
                  "list");
    static_assert(
        !has_phase_at<B>(phase_place::before_partitioning),
        "inlay: passes over the whole program do not cross into a library; leave them out of `phases()`, or put the back end into "
        "the host's list");

    [[nodiscard]] static const B& self(void* instance) { return *static_cast<const B*>(instance); }
    [[nodiscard]] static const exported_plan& plan_of(void* plan) { return *static_cast<const exported_plan*>(plan); }
    [[nodiscard]] static const composite_vtable& row(const exported_plan& p) { return backend_vtable_of<B>()[p.composite]; }
    [[nodiscard]] static std::string_view who() {
        static const std::string name = "back end '" + std::string(std::string_view(B::kind)) + "'";
        return name;
    }

    template <class T>
    static inlay_status answer(const outcome<T>& given, const inlay_reply& why, inlay_status otherwise) {
        if (given) return INLAY_YES;
        say(why, given.failure().message);
        return otherwise;
    }

    static inlay_status open(const inlay_backend*, const inlay_option_value* options, std::size_t count, void** instance, inlay_reply why) {
        const auto made = guarded(who(), "was configured", [&]() -> outcome<B*> {
            B fresh{};
            for (std::size_t i = 0; i < count; ++i)
                if (auto set = set_option(fresh, text_in(options[i].name), text_in(options[i].value)); !set) return set.failure();
            return new B(std::move(fresh));
        });
        if (made) *instance = *made;
        return answer(made, why, INLAY_NO);
    }
    static void close(void* instance) { delete static_cast<B*>(instance); }
    static void describe(void* instance, inlay_reply version) {
        const auto told = guarded(who(), "told its version", [&] { return std::string(self(instance).version()); });
        if (told) say(version, *told);
    }
    static inlay_status usable(void* instance, inlay_reply why) {
        return answer(guarded(who(), "said whether it can run here", [&] { return self(instance).usable(); }), why, INLAY_NO);
    }

    static inlay_status read(void* instance, std::uint32_t composite, const inlay_region* region, const std::uint32_t* captures,
                             std::size_t count, void** plan, inlay_reply why) {
        const auto made = guarded(who(), "read a match", [&]() -> outcome<exported_plan*> {
            exported_plan fresh{received_region(*region), composite, {}};
            auto own = backend_vtable_of<B>()[composite].read(instance, composite, fresh.region.view(), std::span(captures, count), {});
            if (!own) return own.failure();
            fresh.plan = *std::move(own);
            return new exported_plan(std::move(fresh));
        });
        if (made) *plan = *made;
        return answer(made, why, INLAY_NO);
    }
    static void release(void*, void* plan) { delete static_cast<exported_plan*>(plan); }

    static void formats(void* instance, void* plan, void* to, void (*take)(void* to, const inlay_borders* borders)) {
        const exported_plan& p = plan_of(plan);
        // Who lists none takes it in none.
        const auto all = guarded(who(), "listed formats", [&] { return row(p).formats(instance, p.plan, p.region.view()); });
        if (!all) return;
        for (const border_formats& one : *all) take(to, shown_borders(one.inputs, one.results).get());
    }
    /// Calls `ask(region in those formats)`.
    template <class F>
    static auto in_formats(const exported_plan& p, const inlay_borders* borders, F ask)
        -> decltype(ask(std::declval<const region_view&>())) {
        const auto f = p.read(*borders);
        if (!f) return error{"it is asked with a format that it does not know"};
        return ask(p.region.view(f->inputs, f->results));
    }
    static inlay_status price(void* instance, void* plan, const inlay_borders* borders, double* seconds, inlay_reply why) {
        const exported_plan& p = plan_of(plan);
        const auto told = guarded(who(), "priced a region", [&] {
            return in_formats(p, borders, [&](const region_view& r) { return row(p).price(instance, p.plan, r); });
        });
        if (!told) return answer(told, why, INLAY_FAILED);
        if (!*told) return INLAY_NO;
        *seconds = **told;
        return INLAY_YES;
    }
    static double lower_bound(void* instance, void* plan, const inlay_borders* borders) {
        const exported_plan& p = plan_of(plan);
        const auto told = guarded(who(), "bounded a price", [&] {
            return in_formats(p, borders, [&](const region_view& r) -> outcome<double> { return row(p).lower_bound(instance, p.plan, r); });
        });
        return told ? *told : 0;
    }

    static int run(void* state, const inlay_run* how) {
        executor_of_host threads{how->executor};
        const run_arguments arguments{how->inputs, how->results, static_cast<std::byte*>(how->workspace), executor_ref(threads)};
        const auto ran = guarded(who(), "ran a kernel", [&] { return (*static_cast<const kernel*>(state))(arguments); });
        return ran && *ran ? 0 : 1;
    }
    static inlay_status emit(void* instance, void* plan, const inlay_borders* borders, inlay_kernel* made, inlay_reply why) {
        const exported_plan& p = plan_of(plan);
        auto code = guarded(who(), "emitted code", [&] {
            return in_formats(p, borders, [&](const region_view& r) { return emit_composite(self(instance), {p.composite, &p.plan, r}); });
        });
        if (!code) return answer(code, why, INLAY_FAILED);
        made->workspace_bytes = code->workspace_bytes;
        made->state = new kernel(*std::move(code));
        made->run = &run;
        made->release = [](void* state) { delete static_cast<kernel*>(state); };
        return INLAY_YES;
    }
    static inlay_status emit_c(void* instance, void* plan, const inlay_borders* borders, inlay_text name, const inlay_c_code* code,
                               inlay_reply why) {
        if constexpr (leaves_as_c<B>) {
            const exported_plan& p = plan_of(plan);
            const auto part = guarded(who(), "emitted C", [&] {
                return in_formats(p, borders, [&](const region_view& r) { return part_of_region(self(instance), r); });
            });
            if (!part) return answer(part, why, INLAY_FAILED);
            if (!part->views.empty()) {
                say(why, "its C gives an input's bytes as a result, for which the interface has no words");
                return INLAY_FAILED;
            }
            if (!part->callees.empty()) {
                say(why, "its C calls functions of other parts, for which the interface has no words");
                return INLAY_FAILED;
            }
            for (const c_header& h : part->headers) code->header(code->to, text_out(h.name), text_out(h.text));
            for (const c_source& s : part->sources) code->source(code->to, text_out(s.name), text_out(s.text));
            for (const std::string& n : part->needs) code->needs(code->to, text_out(n));
            for (const tensor& t : part->constants) {
                const inlay_constant constant{
                    {static_cast<std::uint32_t>(t.element()), static_cast<std::uint32_t>(t.rank()), t.extents().data()},
                    t.data(),
                    t.bytes()};
                code->constant(code->to, &constant);
            }
            code->workspace(code->to, part->workspace_bytes);
            const std::string function = with_c_word(part->text, part->name, text_in(name));
            code->function(code->to, text_out(function));
            return INLAY_YES;
        } else {
            say(why, "its code does not leave as C");
            return INLAY_NO;
        }
    }

    static constexpr bool bounds_regions = requires(const B& b, const region_view& r) { b.lower_bound(r); };

    /// What the table points to.
    struct content {
        std::deque<std::string> texts;
        std::vector<inlay_option> options;
        std::vector<inlay_composite> composites;
        inlay_backend table{};

        [[nodiscard]] inlay_text keep(std::string text) { return text_out(texts.emplace_back(std::move(text))); }

        content() {
            for (const option_schema& o : schema_of<B>().options)
                options.push_back({keep(o.name), keep(o.doc), keep(argument_text(o.otherwise)), static_cast<std::uint32_t>(o.type()),
                                   o.range.least, o.range.most});
            const backend_vtable& rows = backend_vtable_of<B>();
            for (std::size_t i = 0; i < rows.count; ++i)
                composites.push_back({keep(std::string(rows.composites[i].name)), keep(to_text(*rows.composites[i].pattern)),
                                      static_cast<std::uint32_t>(rows.composites[i].code != nullptr)});
            table.size = sizeof table;
            table.version = INLAY_BACKEND_ABI_VERSION;
            table.device = static_cast<std::uint32_t>(B::device);
            table.kind = text_out(B::kind);
            table.refines = text_out(B::refines);
            table.by_name_only = !takes_part_by_default<B>();
            table.options = options.data();
            table.option_count = options.size();
            table.composites = composites.data();
            table.composite_count = composites.size();
            table.open = &open;
            table.close = &close;
            table.describe = &describe;
            table.usable = &usable;
            table.read = &read;
            table.release = &release;
            table.formats = &formats;
            // Who has nothing to say is not asked.
            table.price = has_price<B> || entries<B>::some_have_prices ? &price : nullptr;
            table.lower_bound = bounds_regions || entries<B>::some_have_bounds ? &lower_bound : nullptr;
            table.emit = &emit;
            table.emit_c = leaves_as_c<B> ? &emit_c : nullptr;
        }
    };
};

}  // namespace detail

/// A compile-time back end as the table of a library. It works as it does in a list, but that its partition rule joins nothing, since rules
/// look at the whole graph, and that its constants stand in its code whatever its policy. The table lives as long as the process.
template <backend B>
[[nodiscard]] const inlay_backend* exported_table() {
    static const typename detail::exported<B>::content kept;
    return &kept.table;
}

}  // namespace inlay

/// The one line that makes a library of a source file with a back end: `INLAY_EXPORT_BACKEND(mine)`.
#define INLAY_EXPORT_BACKEND(...) \
    extern "C" INLAY_BACKEND_EXPORT const inlay_backend* inlay_backend_entry(void) { return inlay::exported_table<__VA_ARGS__>(); }

#endif
