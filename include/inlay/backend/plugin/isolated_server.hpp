// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_PLUGIN_ISOLATED_SERVER_HPP
#define INLAY_BACKEND_PLUGIN_ISOLATED_SERVER_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <memory>  // a leaf: only those who keep a back end apart include it
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/plugin/backend_abi.h>
#include <inlay/backend/plugin/abi_values.hpp>
#include <inlay/backend/plugin/isolated_channel.hpp>
#include <inlay/backend/plugin/isolated_wire.hpp>
#include <inlay/core/buffer.hpp>
#include <inlay/measure/fenced_memory.hpp>
#include <inlay/measure/wire.hpp>

namespace inlay {

namespace detail {

/// Answers questions about the back end of a table. Plans and kernels go by the numbers that it gives them.
class isolated_server {
public:
    explicit isolated_server(const inlay_backend& table) : table_(table) {}

    [[nodiscard]] std::string answer(std::string_view question) {
        wire_reader r(question);
        wire_writer w;
        switch (r.get_enum(isolated_question::emit_c)) {
            case isolated_question::tell:
                tell(w);
                break;
            case isolated_question::open:
                open(r, w);
                break;
            case isolated_question::close:
                table_.close(instance(r));
                break;
            case isolated_question::describe: {
                std::string text;
                table_.describe(instance(r), reply_to(text));
                w.put(std::string_view(text));
                break;
            }
            case isolated_question::usable: {
                std::string why;
                const inlay_status said = table_.usable(instance(r), reply_to(why));
                w.put(said).put(std::string_view(why));
                break;
            }
            case isolated_question::read:
                read(r, w);
                break;
            case isolated_question::release: {
                void* const self = instance(r);
                if (const auto at = plans_.find(r.get<std::uint64_t>()); at != plans_.end()) {
                    table_.release(self, at->second.handle);
                    plans_.erase(at);
                }
                break;
            }
            case isolated_question::formats:
                formats(r, w);
                break;
            case isolated_question::price: {
                const asked_plan a = plan(r);
                double seconds = 0;
                std::string why;
                const inlay_status said = a ? table_.price(a.self, a.of->handle, a.borders(), &seconds, reply_to(why)) : INLAY_FAILED;
                w.put(said).put(seconds).put(std::string_view(why));
                break;
            }
            case isolated_question::lower_bound: {
                const asked_plan a = plan(r);
                w.put(a ? table_.lower_bound(a.self, a.of->handle, a.borders()) : 0.0);
                break;
            }
            case isolated_question::emit:
                emit(r, w);
                break;
            case isolated_question::run:
                run(r, w);
                break;
            case isolated_question::release_kernel:
                if (const auto at = kernels_.find(r.get<std::uint64_t>()); at != kernels_.end()) {
                    if (at->second.release != nullptr) at->second.release(at->second.state);
                    kernels_.erase(at);
                }
                break;
            case isolated_question::emit_c:
                emit_c(r, w);
                break;
        }
        return w.take();
    }

private:
    struct kept_plan {
        void* handle = nullptr;
        std::unique_ptr<wired_region> region;  // whose constants it may look at
    };
    /// A plan that is asked about, in some formats.
    struct asked_plan {
        void* self = nullptr;
        const kept_plan* of = nullptr;
        std::vector<inlay_format> inputs, results;
        inlay_borders shown{};

        [[nodiscard]] const inlay_borders* borders() const { return &shown; }
        explicit operator bool() const { return of != nullptr; }
    };

    [[nodiscard]] static void* instance(wire_reader& r) {
        return reinterpret_cast<void*>(static_cast<std::uintptr_t>(r.get<std::uint64_t>()));
    }
    [[nodiscard]] static std::vector<inlay_format> formats_of(wire_reader& r) {
        std::vector<inlay_format> list(r.get_count(12));
        for (inlay_format& f : list) {
            f.element = r.get<std::uint32_t>();
            f.layout = r.get<std::uint32_t>();
            f.block = r.get<std::uint32_t>();
        }
        return list;
    }
    [[nodiscard]] asked_plan plan(wire_reader& r) const {
        asked_plan a;
        a.self = instance(r);
        const auto at = plans_.find(r.get<std::uint64_t>());
        a.inputs = formats_of(r);
        a.results = formats_of(r);
        if (at == plans_.end() || !r.ok()) return a;
        const inlay_region& region = *at->second.region->get();
        if (a.inputs.size() == region.input_count && a.results.size() == region.result_count) a.of = &at->second;
        a.shown = {a.inputs.data(), a.results.data()};
        return a;
    }

    void tell(wire_writer& w) const {
        w.put(text_in(table_.kind)).put(text_in(table_.refines)).put(table_.device).put(table_.by_name_only);
        w.put(static_cast<std::uint64_t>(table_.option_count));
        for (std::size_t i = 0; i < table_.option_count; ++i) {
            const inlay_option& o = table_.options[i];
            w.put(text_in(o.name)).put(text_in(o.doc)).put(text_in(o.otherwise)).put(o.type).put(o.least).put(o.most);
        }
        w.put(static_cast<std::uint64_t>(table_.composite_count));
        for (std::size_t i = 0; i < table_.composite_count; ++i) {
            const inlay_composite& c = table_.composites[i];
            w.put(text_in(c.name)).put(text_in(c.pattern)).put(c.makes_own_code);
        }
        for (const bool has : {table_.usable != nullptr, table_.formats != nullptr, table_.price != nullptr, table_.lower_bound != nullptr,
                               table_.emit != nullptr, table_.emit_c != nullptr})
            w.put(static_cast<std::uint8_t>(has));
    }
    void open(wire_reader& r, wire_writer& w) const {
        const std::vector<std::string> words = r.get_texts();
        std::vector<inlay_option_value> values;
        for (std::size_t i = 0; i + 1 < words.size(); i += 2) values.push_back({text_out(words[i]), text_out(words[i + 1])});
        void* made = nullptr;
        std::string why;
        const inlay_status said = table_.open(&table_, values.data(), values.size(), &made, reply_to(why));
        w.put(said).put(static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(made))).put(std::string_view(why));
    }
    void read(wire_reader& r, wire_writer& w) {
        void* const self = instance(r);
        const auto composite = r.get<std::uint32_t>();
        const std::vector<std::uint32_t> captures = r.get_list<std::uint32_t>();
        kept_plan made{nullptr, std::make_unique<wired_region>(r)};
        std::string why = "its region is damaged";
        inlay_status said = INLAY_FAILED;
        if (r.at_end() && composite < table_.composite_count) {
            why.clear();
            said = table_.read(self, composite, made.region->get(), captures.data(), captures.size(), &made.handle, reply_to(why));
        }
        const std::uint64_t number = ++last_;
        if (said == INLAY_YES) plans_.emplace(number, std::move(made));
        w.put(said).put(number).put(std::string_view(why));
    }
    void formats(wire_reader& r, wire_writer& w) const {
        void* const self = instance(r);
        const auto at = plans_.find(r.get<std::uint64_t>());
        struct listing {
            const inlay_region* region;
            wire_writer into;
            std::uint64_t count = 0;
        } all{at == plans_.end() ? nullptr : at->second.region->get(), {}, 0};
        constexpr std::uint64_t most = 4096;
        if (at != plans_.end())
            table_.formats(self, at->second.handle, &all, [](void* to, const inlay_borders* b) {
                auto& list = *static_cast<listing*>(to);
                if (list.count++ >= most) return;
                const auto put = [&](const inlay_format* side, std::size_t count) {
                    for (std::size_t i = 0; i < count; ++i) list.into.put(side[i].element).put(side[i].layout).put(side[i].block);
                };
                put(b->inputs, list.region->input_count);
                put(b->results, list.region->result_count);
            });
        w.put(std::min(all.count, most)).put(std::string_view(all.into.bytes()));
    }
    void emit(wire_reader& r, wire_writer& w) {
        const asked_plan a = plan(r);
        inlay_kernel made{};
        made.size = sizeof made;
        std::string why;
        inlay_status said = a ? table_.emit(a.self, a.of->handle, a.borders(), &made, reply_to(why)) : INLAY_FAILED;
        if (said == INLAY_YES && made.run == nullptr) {
            if (made.release != nullptr) made.release(made.state);
            why = "it gives a kernel without a function 'run'";
            said = INLAY_FAILED;
        }
        const std::uint64_t number = ++last_;
        if (said == INLAY_YES) kernels_.emplace(number, made);
        w.put(said).put(number).put(std::string_view(why));
    }
    /// Runs a kernel on the tensors of a question. One that writes outside of its results has failed.
    void run(wire_reader& r, wire_writer& w) {
        const auto at = kernels_.find(r.get<std::uint64_t>());
        // Inputs with the slack behind them, then results as they are.
        std::vector<std::string_view> sent;
        for (std::size_t i = r.get_count(8); i != 0 && r.ok(); --i) sent.push_back(r.get_text());
        const std::size_t inputs = sent.size();
        for (std::size_t i = r.get_count(8); i != 0 && r.ok(); --i) sent.push_back(r.get_text());
        const auto fail = [&] { w.put(std::int32_t{1}); };
        if (at == kernels_.end() || !r.at_end()) return fail();
        std::vector<std::size_t> sizes;
        for (std::size_t i = 0; i < sent.size(); ++i)
            sizes.push_back(i < inputs && sent[i].size() >= buffer::slack ? sent[i].size() - buffer::slack : sent[i].size());
        sizes.push_back(at->second.workspace_bytes);
        fenced_memory memory;
        if (!memory.make(sizes, true)) return fail();
        std::vector<const void*> from;
        std::vector<void*> to;
        for (std::size_t i = 0; i < sent.size(); ++i) {
            std::byte* const data = memory.pieces()[i].data;
            if (!sent[i].empty()) std::memcpy(data, sent[i].data(), sent[i].size());
            if (i < inputs)
                from.push_back(data);
            else
                to.push_back(data);
        }
        // A workspace of any content.
        const fenced_memory::piece& workspace = memory.pieces().back();
        std::memset(workspace.data, ++runs_ % 2 == 0 ? 0x7B : 0xFF, workspace.bytes);
        const inlay_executor one{sizeof(inlay_executor), 1, nullptr,
                                 [](void*, std::size_t count, void (*task)(void*, std::size_t), void* context) {
                                     for (std::size_t i = 0; i < count; ++i) task(context, i);
                                 }};
        const inlay_run how{sizeof(inlay_run), from.data(), to.data(), workspace.data, &one};
        const int status = at->second.run(at->second.state, &how);
        for (std::size_t i = 0; i < inputs; ++i)
            if (!sent[i].empty() && std::memcmp(from[i], sent[i].data(), sent[i].size()) != 0) return fail();
        for (std::size_t i = inputs; i < memory.pieces().size(); ++i)
            if (memory.touched(i)) return fail();
        w.put(static_cast<std::int32_t>(status));
        for (std::size_t i = inputs; i < sent.size(); ++i) write_bytes(w, memory.pieces()[i].data, sizes[i]);
    }
    void emit_c(wire_reader& r, wire_writer& w) const {
        const asked_plan a = plan(r);
        const std::string name(r.get_text());
        struct pieces {
            wire_writer said;
            std::uint64_t count = 0;
            wire_writer& add(char what) {
                ++count;
                return said.put(what);
            }
        } all;
        const inlay_c_code to{
            sizeof(inlay_c_code),
            &all,
            [](void* p, inlay_text text) { static_cast<pieces*>(p)->add('f').put(text_in(text)); },
            [](void* p, inlay_text text) { static_cast<pieces*>(p)->add('n').put(text_in(text)); },
            [](void* p, inlay_text file, inlay_text text) { static_cast<pieces*>(p)->add('h').put(text_in(file)).put(text_in(text)); },
            [](void* p, inlay_text file, inlay_text text) { static_cast<pieces*>(p)->add('s').put(text_in(file)).put(text_in(text)); },
            [](void* p, const inlay_constant* c) {
                wire_writer& into = static_cast<pieces*>(p)->add('c');
                write_type(into, c->type);
                write_bytes(into, c->data, c->bytes);
            },
            [](void* p, std::size_t bytes) { static_cast<pieces*>(p)->add('w').put(static_cast<std::uint64_t>(bytes)); }};
        std::string why;
        const inlay_status said = a ? table_.emit_c(a.self, a.of->handle, a.borders(), text_out(name), &to, reply_to(why)) : INLAY_FAILED;
        w.put(said).put(std::string_view(why)).put(all.count).put(std::string_view(all.said.bytes()));
    }

    const inlay_backend& table_;
    std::map<std::uint64_t, kept_plan> plans_;
    std::map<std::uint64_t, inlay_kernel> kernels_;
    std::uint64_t last_ = 0, runs_ = 0;
};

}  // namespace detail

/// Answers what comes through a socket about the back end of a table, until the other side has gone.
inline void serve_isolated(int socket, const inlay_backend& table) {
    detail::isolated_server server(table);
    const double never = std::numeric_limits<double>::infinity();
    for (std::string question; detail::receive_message(socket, question, never) == 0;)
        if (detail::send_message(socket, server.answer(question), never) != 0) return;
}

}  // namespace inlay

#endif
