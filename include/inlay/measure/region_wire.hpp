// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_REGION_WIRE_HPP
#define INLAY_MEASURE_REGION_WIRE_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <inlay/candidate/matched_region.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/measure/random_values.hpp>
#include <inlay/measure/wire.hpp>

namespace inlay {

/// A region that owns everything its view shows: what a worker measures.
class region_copy {
public:
    [[nodiscard]] region_view view() const { return {shown_, input_count_, constant_count_, results_, input_formats_, result_formats_}; }

    /// The same in other formats.
    [[nodiscard]] region_view view(std::span<const format> inputs, std::span<const format> results) const {
        return {shown_, input_count_, constant_count_, results_, inputs, results};
    }

    region_copy(region_copy&&) noexcept = default;
    region_copy& operator=(region_copy&&) noexcept = default;
    region_copy(const region_copy&) = delete;
    region_copy& operator=(const region_copy&) = delete;

private:
    friend class region_reader;

    struct owned_value {
        std::string op;
        std::vector<value_id> operands;
        attribute_map attributes;
        node_type type;
        tensor value;
    };

    region_copy() = default;

    std::vector<owned_value> owned_;
    std::vector<region_value> shown_;
    std::vector<value_id> results_;
    std::vector<format> input_formats_, result_formats_;
    std::size_t input_count_ = 0, constant_count_ = 0;
};

/// Whether a constant goes along by value: up to 4 KiB, and integers of 16 bits and more, which are shapes, axes and indices, up to
/// 16 MiB. Of all others only the type goes along, and weights are made up where the region is read.
[[nodiscard]] inline bool travels_by_value(const tensor& t) {
    const bool index_like = (is_integer(t.element()) && size_of(t.element()) > 1) || t.element() == element_type::boolean;
    return t.bytes() <= 4096 || (index_like && t.bytes() <= (std::size_t{16} << 20));
}

namespace detail {

inline void write(wire_writer& w, const tensor& t) {
    w.put(t.element()).put_list(t.extents());
    w.put(std::string_view(reinterpret_cast<const char*>(t.data()), t.bytes()));
}
inline void write(wire_writer& w, const node_type& type) {
    w.put(type.kind).put(type.of_tensor.element).put(static_cast<std::uint8_t>(type.of_tensor.ranked));
    w.put(static_cast<std::uint64_t>(type.of_tensor.extents.size()));
    for (const extent& e : type.of_tensor.extents) w.put(e.size).put(std::string_view(e.symbol));
    w.put(static_cast<std::uint64_t>(type.fields.size()));
    for (const node_type& f : type.fields) write(w, f);
    w.put(std::string_view(type.name));
}
inline void write(wire_writer& w, const format& f) {
    w.put(f.scope.device).put(f.scope.number).put(f.order.kind).put(f.order.block).put(f.element);
}
inline void write(wire_writer& w, const attribute_map& attributes) {
    w.put(static_cast<std::uint64_t>(attributes.size()));
    for (const auto& [name, value] : attributes) {
        w.put(std::string_view(name)).put(static_cast<std::uint8_t>(value.index()));
        std::visit(
            [&](const auto& v) {
                using T = std::decay_t<decltype(v)>;
                if constexpr (std::is_same_v<T, tensor>)
                    write(w, v);
                else if constexpr (std::is_same_v<T, std::string>)
                    w.put(std::string_view(v));
                else if constexpr (std::is_arithmetic_v<T>)
                    w.put(v);
                else
                    w.put_list(v);
            },
            value);
    }
}

inline format read_format(wire_reader& r) {
    format f;
    f.scope.device = r.get_enum(device_type::ext_dev);
    f.scope.number = r.get<std::uint16_t>();
    f.order.kind = r.get_enum(layout::form::channels_blocked);
    f.order.block = r.get<std::uint8_t>();
    f.element = r.get_enum(last_element_type);
    if (f.order.block == 0) r.refuse();
    return f;
}
inline node_type read_type(wire_reader& r, int depth = 0) {
    node_type type;
    type.kind = r.get_enum(node_type::form::variable);
    type.of_tensor.element = r.get_enum(last_element_type);
    type.of_tensor.ranked = r.get_bool();
    type.of_tensor.extents.resize(r.get_count(16));
    for (extent& e : type.of_tensor.extents) {
        e.size = r.get<std::int64_t>();
        e.symbol = r.get_text();
        if (e.size < extent::unknown) r.refuse();
    }
    if (type.is_tensor() && type.of_tensor.is_static() && !element_count(static_shape(type.of_tensor))) r.refuse();
    const std::size_t fields = r.get_count(20);
    if (depth > 16 && fields != 0) r.refuse();
    for (std::size_t i = 0; i < fields && r.ok(); ++i) type.fields.push_back(read_type(r, depth + 1));
    type.name = r.get_text();
    return type;
}
/// A tensor whose bytes stand there: it claims no more memory than was sent.
inline tensor read_tensor(wire_reader& r) {
    const auto element = r.get_enum(last_element_type);
    auto extents = r.get_list<std::int64_t>();
    const std::string_view bytes = r.get_text();
    const auto count = element_count(extents);
    const std::size_t size = size_of(element);
    if (!r.ok() || !count || size == 0 || static_cast<std::uint64_t>(*count) != bytes.size() / size || bytes.size() % size != 0) {
        r.refuse();
        return {};
    }
    tensor t(element, std::move(extents));
    if (!t.ok()) r.refuse();
    if (t.ok() && !bytes.empty()) std::memcpy(t.data(), bytes.data(), bytes.size());
    return t;
}
inline attribute_map read_attributes(wire_reader& r) {
    attribute_map attributes;
    const std::size_t count = r.get_count(9);
    for (std::size_t i = 0; i < count && r.ok(); ++i) {
        const std::string_view name = r.get_text();
        switch (r.get<std::uint8_t>()) {
            case 0:
                attributes.set(name, r.get<std::int64_t>());
                break;
            case 1:
                attributes.set(name, r.get<double>());
                break;
            case 2:
                attributes.set(name, std::string(r.get_text()));
                break;
            case 3:
                attributes.set(name, r.get_list<std::int64_t>());
                break;
            case 4:
                attributes.set(name, r.get_list<double>());
                break;
            case 5:
                attributes.set(name, r.get_texts());
                break;
            case 6:
                attributes.set(name, read_tensor(r));
                break;
            default:
                r.refuse();
        }
    }
    return attributes;
}

}  // namespace detail

/// Appends a region in the form that `read_region` reads. Linear in the region and the constants that go along by value.
inline void write_region(wire_writer& w, const region_view& region) {
    w.put(static_cast<std::uint64_t>(region.values.size()));
    w.put(static_cast<std::uint64_t>(region.input_count)).put(static_cast<std::uint64_t>(region.constant_count));
    for (const region_value& v : region.values) {
        w.put(v.kind).put(v.op).put(static_cast<std::uint64_t>(v.operands.size()));
        for (const value_id o : v.operands) w.put(o);
        detail::write(w, *v.attributes);
        detail::write(w, *v.type);
        w.put(v.field);
        if (v.kind != region_value::role::constant || v.value == nullptr) continue;
        const bool by_value = travels_by_value(*v.value);
        w.put(static_cast<std::uint8_t>(by_value));
        if (by_value)
            detail::write(w, *v.value);
        else
            w.put(v.value->element()).put_list(v.value->extents());
    }
    w.put(static_cast<std::uint64_t>(region.results.size()));
    for (const value_id v : region.results) w.put(v);
    for (const auto& formats : {region.input_formats, region.result_formats}) {
        w.put(static_cast<std::uint64_t>(formats.size()));
        for (const format& f : formats) detail::write(w, f);
    }
}

/// Reads one region and checks that it is one: operands come first, roles stand in their ranges, types of borders are tensors of static
/// shape, formats go with borders, weights to be made up stay within a bound.
class region_reader {
public:
    /// Error: the bytes are no region, or it has more weights than `most_bytes`.
    [[nodiscard]] static outcome<region_copy> read(wire_reader& r, std::uint64_t most_bytes = std::uint64_t{8} << 30) {
        const error broken{"the bytes of a region are damaged; measure again with one executable on both sides"};
        using role = region_value::role;
        region_copy copy;
        const std::size_t count = r.get_count(16);
        copy.input_count_ = static_cast<std::size_t>(r.get<std::uint64_t>());
        copy.constant_count_ = static_cast<std::size_t>(r.get<std::uint64_t>());
        if (!r.ok() || copy.input_count_ > count || copy.constant_count_ > count - copy.input_count_) return broken;
        const std::size_t outside = copy.input_count_ + copy.constant_count_;
        copy.owned_.reserve(count);
        copy.shown_.reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            region_copy::owned_value& own = copy.owned_.emplace_back();
            region_value& shown = copy.shown_.emplace_back();
            shown.kind = r.get_enum(role::absent);
            own.op = r.get_text();
            own.operands = r.get_list<value_id>();
            own.attributes = detail::read_attributes(r);
            own.type = detail::read_type(r);
            shown.field = r.get<std::uint32_t>();
            if (!r.ok() || !role_fits(copy, i, outside)) return broken;
            if (shown.kind == role::constant) {
                if (auto made = read_constant(r, own, i, most_bytes); !made) return made.failure();
                shown.value = &own.value;
            }
            shown.op = own.op;
            shown.operands = own.operands;
            shown.attributes = &own.attributes;
            shown.type = &own.type;
        }
        copy.results_ = r.get_list<value_id>();
        for (const value_id v : copy.results_)
            if (v >= count || !is_border(copy.owned_[v].type)) return broken;
        copy.input_formats_.resize(r.get_count(5));
        for (format& f : copy.input_formats_) f = detail::read_format(r);
        copy.result_formats_.resize(r.get_count(5));
        for (format& f : copy.result_formats_) f = detail::read_format(r);
        const auto go_with = [](std::size_t formats, std::size_t borders) { return formats == 0 || formats == borders; };
        if (!r.ok() || !go_with(copy.input_formats_.size(), copy.input_count_) ||
            !go_with(copy.result_formats_.size(), copy.results_.size()))
            return broken;
        return copy;
    }

private:
    static bool is_border(const node_type& type) { return type.is_tensor() && type.is_static() && size_of(type.of_tensor.element) != 0; }

    static bool role_fits(const region_copy& copy, std::size_t i, std::size_t outside) {
        using role = region_value::role;
        const role kind = copy.shown_[i].kind;
        const auto& own = copy.owned_[i];
        for (const value_id o : own.operands)
            if (o >= i) return false;
        if (i < copy.input_count_) return kind == role::input && is_border(own.type) && own.operands.empty();
        if (i < outside) return (kind == role::constant ? is_border(own.type) : kind == role::absent) && own.operands.empty();
        if (kind == role::projection) {
            if (own.operands.size() != 1) return false;
            const node_type& from = copy.owned_[own.operands[0]].type;
            return from.is_tuple() && copy.shown_[i].field < from.fields.size();
        }
        return kind == role::call;
    }

    static outcome<void> read_constant(wire_reader& r, region_copy::owned_value& own, std::size_t i, std::uint64_t& most_bytes) {
        const error broken{"the bytes of a region's constant are damaged; measure again with one executable on both sides"};
        if (r.get_bool()) {
            own.value = detail::read_tensor(r);
        } else {
            const auto element = r.get_enum(last_element_type);
            auto extents = r.get_list<std::int64_t>();
            const auto elements = element_count(extents);
            if (!r.ok() || !elements || size_of(element) == 0) return broken;
            if (static_cast<std::uint64_t>(*elements) > most_bytes / size_of(element))
                return error{"a region's weights take more memory than measuring may use; raise the bound or leave the region out"};
            most_bytes -= static_cast<std::uint64_t>(*elements) * size_of(element);
            own.value = random_weights(element, std::move(extents), 0x5EED + i);
            if (!own.value.ok()) return error{"there is no memory for a region's weights; measure fewer regions at once"};
        }
        if (!r.ok() || own.type.of_tensor != own.value.type()) return broken;
        return {};
    }
};

/// The next region of a sequence of bytes: see `region_reader`.
[[nodiscard]] inline outcome<region_copy> read_region(wire_reader& r, std::uint64_t most_bytes = std::uint64_t{8} << 30) {
    return region_reader::read(r, most_bytes);
}

/// Appends what a composite learned of a region in the form that `read_match` reads: the region, the captures, the pieces. The plan does
/// not go along: it is read again. `region` is that of the match, with the formats that are to be measured.
inline void write_match(wire_writer& w, const matched_region& match, const region_view& region) {
    write_region(w, region);
    w.put_list(match.captures);
    w.put(static_cast<std::uint64_t>(match.pieces.size()));
    for (const matched_piece& piece : match.pieces) {
        w.put(piece.composite);
        write_match(w, *piece.match.get(), piece.match->body.view());
    }
}

/// A match that came over a wire, without its plan: `read_again` makes that. The formats are those that were written.
struct travelled_match {
    matched_handle match;
    std::vector<format> inputs, results;
};

/// The next match of a sequence of bytes. Pieces of pieces are damage: a rule joins what composites took.
[[nodiscard]] inline outcome<travelled_match> read_match(wire_reader& r, bool may_have_pieces = true) {
    const error broken{"the bytes of a match are damaged; measure again with one executable on both sides"};
    auto copy = read_region(r);
    if (!copy) return copy.failure();
    travelled_match made;
    const region_view as_written = copy->view();
    made.inputs.assign(as_written.input_formats.begin(), as_written.input_formats.end());
    made.results.assign(as_written.result_formats.begin(), as_written.result_formats.end());
    const std::size_t values = as_written.values.size();
    made.match = matched_handle(new matched_region(shared_region::of(*std::move(copy))));
    made.match->captures = r.get_list<value_id>();
    for (const value_id v : made.match->captures)
        if (v != no_node && v >= values) return broken;
    const std::size_t pieces = r.get_count(16);
    if (!r.ok() || (pieces != 0 && !may_have_pieces)) return broken;
    for (std::size_t i = 0; i < pieces; ++i) {
        matched_piece piece;
        piece.composite = r.get<std::uint32_t>();
        auto inner = read_match(r, false);
        if (!inner) return inner.failure();
        piece.match = std::move(inner->match);
        made.match->pieces.push_back(std::move(piece));
    }
    return made;
}

}  // namespace inlay

#endif
