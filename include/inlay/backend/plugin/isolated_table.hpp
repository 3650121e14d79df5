// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_PLUGIN_ISOLATED_TABLE_HPP
#define INLAY_BACKEND_PLUGIN_ISOLATED_TABLE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>  // a leaf: only those who keep a back end apart include it
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/plugin/backend_abi.h>
#include <inlay/backend/plugin/abi_values.hpp>
#include <inlay/backend/plugin/checked_table.hpp>
#include <inlay/backend/plugin/isolated_channel.hpp>
#include <inlay/backend/plugin/isolated_wire.hpp>
#include <inlay/core/buffer.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/measure/wire.hpp>
#include <inlay/target/format.hpp>

namespace inlay {

/// The table of a back end that another process has: each function asks that one through a channel, and what it asks with and answers
/// crosses by value, tensors too. A process that dies or hangs fails each call from then on, with the reason, and nothing else. Kernels of
/// it run on one thread.
class isolated_table {
public:
    /// Asks a channel for the table. The handle owns it and the channel.
    [[nodiscard]] static outcome<checked_table> make(std::unique_ptr<isolated_channel> channel) {
        auto* made = new owned(std::move(channel));
        table_handle owner(made);
        if (auto told = made->fill(); !told) return told.failure();
        auto checked = check_table(&made->head.table);
        if (checked) checked->owner = std::move(owner);
        return checked;
    }

private:
    struct owned;
    /// The table comes first, so that who has its address has the rest.
    struct table_head {
        inlay_backend table;
        owned* of;
    };
    struct instance {
        owned* of;
        std::uint64_t number;
    };
    struct port {
        element_type element;
        std::vector<std::int64_t> extents;
    };
    struct plan {
        std::uint64_t number;
        std::vector<port> inputs, results;
    };
    struct kernel_state {
        owned* of;
        std::uint64_t number;
        std::vector<std::size_t> inputs, results;  // bytes
    };

    struct owned : table_owner {
        table_head head{};
        std::unique_ptr<isolated_channel> channel;
        std::deque<std::string> texts;
        std::vector<inlay_option> options;
        std::vector<inlay_composite> composites;
        bool has_usable = false;

        explicit owned(std::unique_ptr<isolated_channel> c)
            : table_owner([](table_owner* o) { delete static_cast<owned*>(o); }), channel(std::move(c)) {
            head.of = this;
        }
        [[nodiscard]] inlay_text keep(std::string_view text) { return detail::text_out(texts.emplace_back(text)); }

        outcome<void> fill() {
            const auto told = channel->ask(start(isolated_question::tell).bytes());
            if (!told) return told.failure();
            wire_reader r(*told);
            inlay_backend& t = head.table;
            t.size = sizeof t;
            t.version = INLAY_BACKEND_ABI_VERSION;
            t.kind = keep(r.get_text());
            t.refines = keep(r.get_text());
            t.device = r.get<std::uint32_t>();
            t.by_name_only = r.get<std::uint32_t>();
            options.resize(std::min(r.get_count(44), std::size_t{detail::most_options} + 1));
            for (inlay_option& o : options) {
                o.name = keep(r.get_text());
                o.doc = keep(r.get_text());
                o.otherwise = keep(r.get_text());
                o.type = r.get<std::uint32_t>();
                o.least = r.get<std::int64_t>();
                o.most = r.get<std::int64_t>();
            }
            composites.resize(std::min(r.get_count(20), std::size_t{detail::most_composites} + 1));
            for (inlay_composite& c : composites) {
                c.name = keep(r.get_text());
                c.pattern = keep(r.get_text());
                c.makes_own_code = r.get<std::uint32_t>();
            }
            t.options = options.data();
            t.option_count = options.size();
            t.composites = composites.data();
            t.composite_count = composites.size();
            t.open = &isolated_table::open;
            t.close = &isolated_table::close;
            t.describe = &isolated_table::describe;
            t.read = &isolated_table::read;
            t.release = &isolated_table::release;
            // One that has no such function is asked whether its process still answers.
            has_usable = r.get_bool();
            t.usable = &isolated_table::usable;
            if (r.get_bool()) t.formats = &isolated_table::formats;
            if (r.get_bool()) t.price = &isolated_table::price;
            if (r.get_bool()) t.lower_bound = &isolated_table::lower_bound;
            if (r.get_bool()) t.emit = &isolated_table::emit;
            if (r.get_bool()) t.emit_c = &isolated_table::emit_c;
            if (!r.at_end()) return error{"its process tells nonsense of the table"};
            return {};
        }
    };

    [[nodiscard]] static wire_writer start(isolated_question q) { return std::move(wire_writer().put(q)); }
    [[nodiscard]] static const instance& as_instance(void* p) { return *static_cast<const instance*>(p); }
    [[nodiscard]] static const plan& as_plan(void* p) { return *static_cast<const plan*>(p); }

    /// A question about an instance; what crosses of it is its number.
    [[nodiscard]] static wire_writer about(isolated_question q, void* self) { return std::move(start(q).put(as_instance(self).number)); }
    static void put_formats(wire_writer& w, const inlay_format* side, std::size_t count) {
        w.put(static_cast<std::uint64_t>(count));
        for (std::size_t i = 0; i < count; ++i) w.put(side[i].element).put(side[i].layout).put(side[i].block);
    }
    /// A question about a plan in some formats.
    [[nodiscard]] static wire_writer about(isolated_question q, void* self, void* of, const inlay_borders* borders) {
        wire_writer w = about(q, self);
        const plan& p = as_plan(of);
        w.put(p.number);
        put_formats(w, borders->inputs, p.inputs.size());
        put_formats(w, borders->results, p.results.size());
        return w;
    }
    [[nodiscard]] static inlay_status status_of(wire_reader& r) {
        const auto number = r.get<std::uint32_t>();
        return number == INLAY_YES ? INLAY_YES : number == INLAY_NO ? INLAY_NO : INLAY_FAILED;
    }
    static inlay_status fail(const inlay_reply& why, std::string_view text) {
        detail::say(why, text);
        return INLAY_FAILED;
    }
    static inlay_status nonsense(const inlay_reply& why) { return fail(why, "its process answers nonsense"); }

    static inlay_status open(const inlay_backend* table, const inlay_option_value* values, std::size_t count, void** made,
                             inlay_reply why) {
        owned* const of = reinterpret_cast<const table_head*>(table)->of;
        std::vector<std::string> words;
        for (std::size_t i = 0; i < count; ++i) {
            words.emplace_back(detail::text_in(values[i].name));
            words.emplace_back(detail::text_in(values[i].value));
        }
        const auto told = of->channel->ask(start(isolated_question::open).put_list(words).bytes());
        if (!told) return fail(why, told.failure().message);
        wire_reader r(*told);
        const inlay_status said = status_of(r);
        const auto number = r.get<std::uint64_t>();
        detail::say(why, r.get_text());
        if (!r.at_end()) return nonsense(why);
        if (said == INLAY_YES) *made = new instance{of, number};
        return said;
    }
    static void close(void* self) {
        (void)as_instance(self).of->channel->ask(about(isolated_question::close, self).bytes()).has_value();
        delete static_cast<instance*>(self);
    }
    static void describe(void* self, inlay_reply version) {
        const auto told = as_instance(self).of->channel->ask(about(isolated_question::describe, self).bytes());
        if (!told) return;
        wire_reader r(*told);
        detail::say(version, r.get_text());
    }
    static inlay_status usable(void* self, inlay_reply why) {
        if (owned& of = *as_instance(self).of; !of.has_usable) {
            const std::string fault = of.channel->fault();
            return fault.empty() ? INLAY_YES : fail(why, fault);
        }
        const auto told = as_instance(self).of->channel->ask(about(isolated_question::usable, self).bytes());
        if (!told) return fail(why, told.failure().message);
        wire_reader r(*told);
        const inlay_status said = status_of(r);
        detail::say(why, r.get_text());
        return r.at_end() ? said : nonsense(why);
    }
    static inlay_status read(void* self, std::uint32_t composite, const inlay_region* region, const std::uint32_t* captures,
                             std::size_t count, void** made, inlay_reply why) {
        wire_writer w = about(isolated_question::read, self);
        w.put(composite).put_list(std::vector<std::uint32_t>(captures, captures + count));
        detail::write_region_of_c(w, *region);
        const auto told = as_instance(self).of->channel->ask(w.bytes());
        if (!told) return fail(why, told.failure().message);
        wire_reader r(*told);
        const inlay_status said = status_of(r);
        plan own{r.get<std::uint64_t>(), {}, {}};
        detail::say(why, r.get_text());
        if (!r.at_end()) return nonsense(why);
        if (said != INLAY_YES) return said;
        const auto port_of = [](const inlay_value& v) {
            return port{static_cast<element_type>(v.types[0].element), {v.types[0].extents, v.types[0].extents + v.types[0].rank}};
        };
        for (std::size_t i = 0; i < region->input_count; ++i) own.inputs.push_back(port_of(region->values[i]));
        for (std::size_t i = 0; i < region->result_count; ++i) own.results.push_back(port_of(region->values[region->results[i]]));
        *made = new plan(std::move(own));
        return INLAY_YES;
    }
    static void release(void* self, void* of) {
        wire_writer w = about(isolated_question::release, self);
        w.put(as_plan(of).number);
        (void)as_instance(self).of->channel->ask(w.bytes()).has_value();
        delete static_cast<plan*>(of);
    }
    static void formats(void* self, void* of, void* to, void (*take)(void*, const inlay_borders*)) {
        const plan& p = as_plan(of);
        wire_writer w = about(isolated_question::formats, self);
        w.put(p.number);
        const auto told = as_instance(self).of->channel->ask(w.bytes());
        if (!told) return;
        wire_reader whole(*told);
        const auto count = whole.get<std::uint64_t>();
        wire_reader r(whole.get_text());
        std::vector<inlay_format> sides(p.inputs.size() + p.results.size());
        for (std::uint64_t i = 0; i < count && r.ok(); ++i) {
            for (inlay_format& f : sides) {
                f.element = r.get<std::uint32_t>();
                f.layout = r.get<std::uint32_t>();
                f.block = r.get<std::uint32_t>();
            }
            const inlay_borders borders{sides.data(), sides.data() + p.inputs.size()};
            if (r.ok()) take(to, &borders);
        }
    }
    static inlay_status price(void* self, void* of, const inlay_borders* borders, double* seconds, inlay_reply why) {
        const auto told = as_instance(self).of->channel->ask(about(isolated_question::price, self, of, borders).bytes());
        if (!told) return fail(why, told.failure().message);
        wire_reader r(*told);
        const inlay_status said = status_of(r);
        *seconds = r.get<double>();
        detail::say(why, r.get_text());
        return r.at_end() ? said : nonsense(why);
    }
    static double lower_bound(void* self, void* of, const inlay_borders* borders) {
        const auto told = as_instance(self).of->channel->ask(about(isolated_question::lower_bound, self, of, borders).bytes());
        if (!told) return 0;
        wire_reader r(*told);
        return r.get<double>();
    }
    static inlay_status emit(void* self, void* of, const inlay_borders* borders, inlay_kernel* made, inlay_reply why) {
        const auto told = as_instance(self).of->channel->ask(about(isolated_question::emit, self, of, borders).bytes());
        if (!told) return fail(why, told.failure().message);
        wire_reader r(*told);
        const inlay_status said = status_of(r);
        auto state = std::make_unique<kernel_state>(kernel_state{as_instance(self).of, r.get<std::uint64_t>(), {}, {}});
        detail::say(why, r.get_text());
        if (!r.at_end()) return nonsense(why);
        if (said != INLAY_YES) return said;
        const plan& p = as_plan(of);
        const auto bytes = [](const std::vector<port>& ports, const inlay_format* chosen, std::vector<std::size_t>& into) {
            for (std::size_t i = 0; i < ports.size(); ++i)
                into.push_back(stored_bytes(ports[i].extents, detail::format_in(chosen[i]).value_or(plain_format(ports[i].element))));
        };
        bytes(p.inputs, borders->inputs, state->inputs);
        bytes(p.results, borders->results, state->results);
        made->state = state.release();
        made->run = &isolated_table::run;
        made->release = &isolated_table::release_kernel;
        made->workspace_bytes = 0;  // that stands where the kernel does
        return INLAY_YES;
    }
    static int run(void* of, const inlay_run* how) {
        const auto& k = *static_cast<const kernel_state*>(of);
        wire_writer w = start(isolated_question::run);
        w.put(k.number).put(static_cast<std::uint64_t>(k.inputs.size()));
        // With all that a kernel may read in this process, and with what is where the results go: it computes there what it would here.
        for (std::size_t i = 0; i < k.inputs.size(); ++i)
            detail::write_bytes(w, how->inputs[i], k.inputs[i] == 0 ? 0 : k.inputs[i] + buffer::slack);
        w.put(static_cast<std::uint64_t>(k.results.size()));
        for (std::size_t i = 0; i < k.results.size(); ++i) detail::write_bytes(w, how->results[i], k.results[i]);
        const auto told = k.of->channel->ask(w.bytes());
        if (!told) return 1;
        wire_reader r(*told);
        const auto said = r.get<std::int32_t>();
        for (std::size_t i = 0; i < k.results.size() && said == 0; ++i) {
            const std::string_view bytes = r.get_text();
            if (bytes.size() < k.results[i]) return 1;
            if (k.results[i] != 0) std::memcpy(how->results[i], bytes.data(), k.results[i]);
        }
        return r.at_end() ? said : 1;
    }
    static void release_kernel(void* of) {
        const auto* k = static_cast<const kernel_state*>(of);
        wire_writer w = start(isolated_question::release_kernel);
        w.put(k->number);
        (void)k->of->channel->ask(w.bytes()).has_value();
        delete k;
    }
    static inlay_status emit_c(void* self, void* of, const inlay_borders* borders, inlay_text name, const inlay_c_code* code,
                               inlay_reply why) {
        wire_writer w = about(isolated_question::emit_c, self, of, borders);
        w.put(detail::text_in(name));
        const auto told = as_instance(self).of->channel->ask(w.bytes());
        if (!told) return fail(why, told.failure().message);
        wire_reader whole(*told);
        const inlay_status said = status_of(whole);
        detail::say(why, whole.get_text());
        const auto count = whole.get<std::uint64_t>();
        wire_reader r(whole.get_text());
        if (!whole.at_end()) return nonsense(why);
        for (std::uint64_t i = 0; i < count && said == INLAY_YES && r.ok(); ++i) {
            const char what = static_cast<char>(r.get<std::int8_t>());
            if (what == 'c') {
                inlay_constant c{};
                c.type.element = r.get<std::uint32_t>();
                const std::vector<std::int64_t> extents = r.get_list<std::int64_t>();
                const std::string_view bytes = r.get_text();
                c.type.rank = static_cast<std::uint32_t>(extents.size());
                c.type.extents = extents.data();
                c.data = bytes.data();
                c.bytes = bytes.size();
                if (r.ok()) code->constant(code->to, &c);
            } else if (what == 'w') {
                const auto bytes = r.get<std::uint64_t>();
                if (r.ok()) code->workspace(code->to, static_cast<std::size_t>(bytes));
            } else {
                const inlay_text first = detail::text_out(r.get_text());
                const inlay_text text = what == 'h' || what == 's' ? detail::text_out(r.get_text()) : inlay_text{};
                if (!r.ok()) break;
                if (what == 'f') code->function(code->to, first);
                if (what == 'n') code->needs(code->to, first);
                if (what == 'h') code->header(code->to, first, text);
                if (what == 's') code->source(code->to, first, text);
            }
        }
        return r.ok() ? said : nonsense(why);
    }
};

}  // namespace inlay

#endif
