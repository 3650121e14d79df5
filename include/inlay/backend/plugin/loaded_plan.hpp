// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_PLUGIN_LOADED_PLAN_HPP
#define INLAY_BACKEND_PLUGIN_LOADED_PLAN_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/plugin/backend_abi.h>
#include <inlay/backend/plugin/abi_values.hpp>
#include <inlay/backend/plugin/checked_table.hpp>
#include <inlay/backend/plugin/shown_region.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/core/buffer.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/shared_handle.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/target/format.hpp>

namespace inlay {

/// An instance of a loaded back end. It is closed with its last owner.
class loaded_instance {
public:
    loaded_instance() = default;
    /// With these options set; `owner` has the table, if anybody has. The error is the library's.
    [[nodiscard]] static outcome<loaded_instance> open(const inlay_backend& table, std::span<const inlay_option_value> options,
                                                       table_handle owner = {}) {
        void* made = nullptr;
        std::string why;
        if (table.open(&table, options.data(), options.size(), &made, detail::reply_to(why)) != INLAY_YES)
            return error{why.empty() ? "it opens no instance, and does not say why" : why};
        loaded_instance opened;
        opened.held_ = shared_handle<held>(new held);
        opened.held_->table = &table;
        opened.held_->instance = made;
        opened.held_->owner = std::move(owner);
        return opened;
    }

    [[nodiscard]] const inlay_backend& table() const { return *held_->table; }
    [[nodiscard]] void* get() const { return held_->instance; }
    [[nodiscard]] explicit operator bool() const { return static_cast<bool>(held_); }

private:
    struct held : owner_count {
        const inlay_backend* table = nullptr;
        void* instance = nullptr;
        table_handle owner;

        static void release(held* h) {
            h->table->close(h->instance);
            delete h;
        }
    };
    shared_handle<held> held_;
};

/// What a loaded back end keeps of a match: its handle, which is released with the last owner, the formats that it takes, and the constants
/// that it may look at until then.
class loaded_plan {
public:
    /// Has the back end read a match. The error says why it does not take it.
    [[nodiscard]] static outcome<loaded_plan> read(const loaded_instance& by, std::uint32_t composite, const region_view& region,
                                                   std::span<const value_id> captures) {
        auto shown = shown_region::make(region);
        if (!shown) return shown.failure();
        std::string why;
        void* handle = nullptr;
        const inlay_backend& table = by.table();
        const inlay_status said =
            table.read(by.get(), composite, shown->get(), captures.data(), captures.size(), &handle, detail::reply_to(why));
        if (said != INLAY_YES) return error{why.empty() ? "it says no, and not why" : why};
        loaded_plan made;
        made.held_ = shared_handle<held>(new held{{}, by, handle, {}, region.input_count, region.results.size(), 0, {}, {}});
        made.held_->constants.reserve(region.constant_count);
        for (const region_value& v : region.constants())
            if (v.value != nullptr) made.held_->constants.push_back(v.value->storage());
        if (auto listed = made.ask_formats(region); !listed) return listed.failure();
        return made;
    }

    [[nodiscard]] const loaded_instance& instance() const { return held_->instance; }
    [[nodiscard]] void* handle() const { return held_->handle; }
    /// The ways to stand at the border that it lists.
    [[nodiscard]] std::vector<border_formats> formats() const {
        std::vector<border_formats> all;
        all.reserve(held_->ways);
        const format* from = held_->formats.data();
        for (std::size_t way = 0; way < held_->ways; ++way) {
            const format* const results = from + held_->input_count;
            const format* const next = results + held_->result_count;
            all.push_back({{from, results}, {results, next}});
            from = next;
        }
        return all;
    }

private:
    static constexpr std::size_t most_formats = 1024;

    struct held : owner_count {
        loaded_instance instance;
        void* handle;
        std::vector<buffer> constants;
        std::size_t input_count, result_count, ways = 0;
        std::vector<format> formats;  // of one way after another: of inputs, then of results
        std::string fault;

        static void release(held* h) {
            h->instance.table().release(h->instance.get(), h->handle);
            delete h;
        }
    };

    /// The formats that the library lists, as far as they are sound.
    struct listing {
        held& into;
        const region_view& region;

        void take(const inlay_borders& borders) {
            if (!into.fault.empty()) return;
            if (into.ways == most_formats) {
                into.fault = "it lists more than " + std::to_string(most_formats) + " ways to stand at the border";
                return;
            }
            if (into.ways == 0) into.formats.reserve(into.input_count + into.result_count);  // most list one way
            for (std::size_t i = 0; i < into.input_count; ++i)
                if (!add(borders.inputs, i, static_cast<value_id>(i))) return;
            for (std::size_t i = 0; i < into.result_count; ++i)
                if (!add(borders.results, i, region.results[i])) return;
            ++into.ways;
        }
        bool add(const inlay_format* from, std::size_t i, value_id tensor) {
            const auto f = from == nullptr ? std::optional<format>() : detail::format_in(from[i]);
            if (!f || f->element != region.type(tensor).element) {
                into.fault = "it lists a format that is none, or of another element type than its tensor";
                return false;
            }
            into.formats.push_back(*f);
            return true;
        }
    };

    outcome<void> ask_formats(const region_view& region) {
        held& h = *held_.get();
        const inlay_backend& table = h.instance.table();
        listing all{h, region};
        if (table.formats == nullptr) {
            const border_formats plain = plain_borders(region);
            all.take(*shown_borders(plain.inputs, plain.results).get());
        } else {
            table.formats(h.instance.get(), h.handle, &all, [](void* to, const inlay_borders* borders) {
                if (borders != nullptr) static_cast<listing*>(to)->take(*borders);
            });
        }
        if (!h.fault.empty()) return error{h.fault};
        return {};
    }

    shared_handle<held> held_;
};

}  // namespace inlay

#endif
