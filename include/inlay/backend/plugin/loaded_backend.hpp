// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_PLUGIN_LOADED_BACKEND_HPP
#define INLAY_BACKEND_PLUGIN_LOADED_BACKEND_HPP

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/plugin/backend_abi.h>
#include <inlay/backend/plugin/abi_values.hpp>
#include <inlay/backend/plugin/checked_table.hpp>
#include <inlay/backend/plugin/loaded_kernel.hpp>
#include <inlay/backend/plugin/loaded_plan.hpp>
#include <inlay/candidate/backend_vtable.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/candidate/composite_plan.hpp>
#include <inlay/candidate/matched_region.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/c/c_part.hpp>
#include <inlay/codegen/emit/emit_composite.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/guarded.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/shared_handle.hpp>
#include <inlay/pattern/term/pattern_value.hpp>
#include <inlay/target/device.hpp>
#include <inlay/target/limits.hpp>
#include <inlay/target/quoting.hpp>
#include <inlay/target/target_instance.hpp>
#include <inlay/target/target_schema.hpp>

namespace inlay {

/// A back end that came as a library, configured: what a compile-time back end says by its type, this one says as a value. It stands in an
/// `extended_list`. Copies share the table; each configuration is an instance of the library's own.
class loaded_backend {
public:
    /// Of a table that was read and found sound. `origin` is the file that it came from, for people.
    [[nodiscard]] static loaded_backend of(checked_table from, std::string origin) {
        loaded_backend made;
        made.shared_ = shared_handle<facts>(new facts(std::move(from), std::move(origin)));
        const target_schema& schema = made.shared_->from.schema;
        made.kind = schema.kind;
        made.refines = schema.refines;
        made.device = schema.device;
        made.assign(schema.bare());
        return made;
    }

    std::string_view kind, refines;
    device_type device = device_type::cpu;

    /// The file that it came from.
    [[nodiscard]] const std::string& origin() const { return shared_->origin; }
    [[nodiscard]] const backend_vtable& vtable() const { return shared_->rows; }
    [[nodiscard]] const target_schema& schema() const { return shared_->from.schema; }
    [[nodiscard]] bool by_name_alone() const { return shared_->from.table->by_name_only != 0; }

    /// Opens an instance with the options of a target of this kind; where the library refuses them, `usable` says so.
    void assign(const target_instance& t) {
        options_ = t.options;
        std::vector<std::string> texts;
        for (const set_target_option& o : options_) texts.push_back(argument_text(o.value));
        std::vector<inlay_option_value> values;
        for (std::size_t i = 0; i < options_.size(); ++i)
            values.push_back({detail::text_out(options_[i].name), detail::text_out(texts[i])});
        instance_ = {};
        fault_.clear();
        auto opened =
            guarded(who(), "opened an instance", [&] { return loaded_instance::open(*shared_->from.table, values, shared_->from.owner); });
        if (opened)
            instance_ = *std::move(opened);
        else
            fault_ = opened.failure().message;
        version_.clear();
        if (instance_) (void)guarded(who(), "told its version", [&] { table().describe(instance_.get(), detail::reply_to(version_)); });
        text_ = target_text(as_target());
    }
    [[nodiscard]] outcome<void> set_option(std::string_view name, std::string_view text) {
        target_instance t = as_target();
        if (auto set = inlay::set_option(t, schema(), name, text); !set) return set;
        assign(t);
        return {};
    }
    /// Calls `f(name, text)` for each option that is not at its default.
    template <class F>
    void for_each_argument(F&& f) const {
        for (const set_target_option& o : options_) f(std::string_view(o.name), argument_text(o.value));
    }
    /// The instance as text that reads back: kind and options.
    [[nodiscard]] std::string text() const { return text_; }
    /// What the library said when the instance was opened; empty where there is none.
    [[nodiscard]] std::string version() const { return version_; }
    [[nodiscard]] outcome<void> usable() const {
        if (!instance_) return error{fault_};
        if (table().usable == nullptr) return {};
        return guarded(who(), "said whether it can run here", [&]() -> outcome<void> {
            std::string why;
            if (table().usable(instance_.get(), detail::reply_to(why)) == INLAY_YES) return {};
            return error{why.empty() ? "it cannot run here, and does not say why" : why};
        });
    }

    [[nodiscard]] outcome<kernel> emit(const composite_job& job) const {
        if (const auto plan = plan_of(job.plan)) return emit_loaded(*plan, job.region);
        return error{"it makes code of what it read of a match alone, and this region has none of that; enumerate the program again"};
    }
    [[nodiscard]] outcome<c_part> emit_c(const composite_job& job, std::string_view name) const {
        if (const auto plan = plan_of(job.plan)) return emit_loaded_c(*plan, job.region, name);
        return error{"it makes C of what it read of a match alone, and this region has none of that; enumerate the program again"};
    }

private:
    /// What all instances of a library share, found once.
    struct facts : owner_count {
        checked_table from;
        std::string origin;
        std::vector<pattern_view> patterns;
        std::vector<composite_vtable> composites;
        backend_vtable rows;

        facts(checked_table of, std::string file) : from(std::move(of)), origin(std::move(file)) {
            for (const pattern_value& p : from.patterns) patterns.push_back(p.view());
            for (std::size_t i = 0; i < patterns.size(); ++i)
                composites.push_back({from.names[i], &patterns[i], from.table->composites[i].makes_own_code != 0 ? &patterns[i] : nullptr,
                                      &loaded_backend::read, &loaded_backend::formats, &loaded_backend::price,
                                      &loaded_backend::lower_bound});
            composites.push_back({"joined", nullptr, nullptr, &loaded_backend::read, &loaded_backend::formats, &loaded_backend::price,
                                  &loaded_backend::lower_bound});
            rows = {composites.data(), patterns.size(), [](const void*) { return limits{}; }};
        }
        static void release(facts* f) { delete f; }
    };

    [[nodiscard]] const inlay_backend& table() const { return *shared_->from.table; }
    [[nodiscard]] std::string who() const { return "back end '" + std::string(kind) + "'"; }
    [[nodiscard]] target_instance as_target() const {
        target_instance t = schema().bare();
        t.options = options_;
        return t;
    }
    [[nodiscard]] static const loaded_plan* plan_of(const composite_plan* plan) {
        return plan != nullptr ? plan->as<loaded_plan>() : nullptr;
    }

    static outcome<composite_plan> read(const void* instance, std::uint32_t composite, const region_view& region,
                                        std::span<const value_id> captures, std::span<const matched_piece>) {
        const auto& self = *static_cast<const loaded_backend*>(instance);
        if (!self.instance_) return error{self.fault_};
        auto plan = loaded_plan::read(self.instance_, composite, region, captures);
        if (!plan) return plan.failure();
        return composite_plan::of(*std::move(plan));
    }
    static std::vector<border_formats> formats(const void*, const composite_plan& plan, const region_view&) {
        return plan.as<loaded_plan>()->formats();
    }
    static outcome<std::optional<double>> price(const void*, const composite_plan& plan, const region_view& region) {
        const loaded_plan& own = *plan.as<loaded_plan>();
        const inlay_backend& from = own.instance().table();
        if (from.price == nullptr) return std::optional<double>();
        const shown_borders borders(region.input_formats, region.result_formats);
        double seconds = 0;
        std::string why;
        const inlay_status said = from.price(own.instance().get(), own.handle(), borders.get(), &seconds, detail::reply_to(why));
        if (said == INLAY_YES) return std::optional(seconds);
        if (said == INLAY_NO) return std::optional<double>();
        return error{why.empty() ? "it failed to price a region, and does not say why" : why};
    }
    static double lower_bound(const void*, const composite_plan& plan, const region_view& region) {
        const loaded_plan& own = *plan.as<loaded_plan>();
        const inlay_backend& from = own.instance().table();
        if (from.lower_bound == nullptr) return 0;
        const shown_borders borders(region.input_formats, region.result_formats);
        const double least = from.lower_bound(own.instance().get(), own.handle(), borders.get());
        // A bound that is no number, or says that nothing can be measured, says nothing.
        return least >= 0 && least < std::numeric_limits<double>::infinity() ? least : 0;
    }

    shared_handle<facts> shared_;
    std::vector<set_target_option> options_;
    loaded_instance instance_;
    std::string fault_;  // why there is no instance
    std::string version_, text_;
};

}  // namespace inlay

#endif
