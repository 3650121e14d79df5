// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_RUNTIME_SIMULATE_PLACED_VALUE_HPP
#define INLAY_RUNTIME_SIMULATE_PLACED_VALUE_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/shared_handle.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/graph/tensor_type.hpp>
#include <inlay/runtime/simulate/simulated_memory.hpp>

namespace inlay {

/// A value in simulated memories: nothing, a tensor in one of them, a record (a tuple, or a constructor of a data type with its fields), a
/// function with what it captured, a reference, or storage, in which tensors may stand that share its bytes. As large as a pointer; copies
/// share. What is nested, however deep, is freed without recursion; what reaches itself through a reference is freed when that is emptied.
class placed_value {
public:
    enum class form : std::uint8_t { nothing, tensor, record, function, cell, storage };

    placed_value() = default;

    [[nodiscard]] static placed_value of_tensor(tensor t, memory_id m) {
        placed_value v(form::tensor, 0, {});
        v.held_->memory = m;
        v.held_->content = std::move(t);
        return v;
    }
    /// So many bytes, which hold what no number is until something is written there; nothing where there is not so much memory.
    [[nodiscard]] static placed_value storage(std::int64_t bytes, memory_id m) {
        tensor block(element_type::uint8, {bytes});
        if (bytes < 0 || !block.ok()) return {};
        std::memset(block.data(), unwritten, block.bytes());
        placed_value v = of_tensor(std::move(block), m);
        v.held_->what = form::storage;
        return v;
    }
    /// A tensor in storage; nothing where it does not fit in. Precondition: `block` is storage.
    [[nodiscard]] static placed_value in_storage(const placed_value& block, std::int64_t offset, tensor_type type) {
        const auto count = element_count(static_shape(type));
        const auto whole = static_cast<std::int64_t>(block.held_->content.bytes());
        const auto width = static_cast<std::int64_t>(size_of(type.element));
        if (!count || width == 0 || offset < 0 || offset > whole || *count > (whole - offset) / width) return {};
        placed_value v = of_tensor(block.held_->content, block.held_->memory);
        v.held_->offset = static_cast<std::size_t>(offset);
        v.held_->type = std::move(type);
        return v;
    }
    /// A record with a tag: 0 for a tuple, else the constructor's number.
    [[nodiscard]] static placed_value record(std::uint32_t tag, std::vector<placed_value> fields) {
        return {form::record, tag, std::move(fields)};
    }
    /// A function by its number.
    [[nodiscard]] static placed_value function(std::uint32_t number, std::vector<placed_value> captured) {
        placed_value v(form::function, number, std::move(captured));
        v.held_->memory = in_no_memory;
        return v;
    }
    [[nodiscard]] static placed_value reference(placed_value content) {
        std::vector<placed_value> parts;
        parts.push_back(std::move(content));
        return {form::cell, 0, std::move(parts)};
    }

    [[nodiscard]] form what() const { return held_ ? held_->what : form::nothing; }
    /// Precondition: it is a tensor.
    [[nodiscard]] tensor content() const {
        if (held_->type.element == element_type::none) return held_->content;
        tensor read(held_->type.element, static_shape(held_->type));
        if (read.ok() && read.bytes() != 0) std::memcpy(read.data(), held_->content.data() + held_->offset, read.bytes());
        return read;
    }
    /// Whether it is a tensor in storage.
    [[nodiscard]] bool is_in_storage() const { return held_ && held_->type.element != element_type::none; }
    /// Writes where a tensor in storage stands, for all that share these bytes; whether it is of its type.
    [[nodiscard]] bool write_to_storage(const tensor& value) const {
        if (!is_in_storage() || !(value.type() == held_->type)) return false;
        if (value.bytes() != 0) std::memcpy(held_->content.data() + held_->offset, value.data(), value.bytes());
        return true;
    }
    /// Where it is, with all that is in it: `in_no_memory` where no tensor is, `in_several_memories` where its parts are apart. What a
    /// function captured is not looked at. O(1).
    [[nodiscard]] memory_id memory() const { return held_ ? held_->memory : in_no_memory; }
    /// The tag of a record, the number of a function.
    [[nodiscard]] std::uint32_t number() const { return held_->number; }
    /// The fields of a record, what a function captured, the content of a reference.
    [[nodiscard]] std::span<const placed_value> parts() const {
        return held_ ? std::span<const placed_value>(held_->parts) : std::span<const placed_value>();
    }
    /// What this value shares with its copies, to tell it from others.
    [[nodiscard]] const void* identity() const { return held_.get(); }
    /// Whether no other value shares what this one holds.
    [[nodiscard]] bool is_alone() const { return held_.is_alone(); }

    /// Replaces the content of a reference, for all who share it.
    void write(placed_value content) const {
        if (held_->memory == in_no_memory) held_->memory = content.memory();
        held_->parts[0] = std::move(content);
    }

    /// What kind of value this is, for errors.
    [[nodiscard]] std::string_view kind() const {
        if (what() == form::record && number() != 0) return "a value of a data type";
        static constexpr std::string_view words[] = {"nothing", "a tensor", "a tuple", "a function", "a reference", "storage"};
        return words[static_cast<std::size_t>(what())];
    }

private:
    static constexpr int unwritten = 0xFF;  // four of them are no number

    struct object : owner_count {
        form what = form::nothing;
        std::uint32_t number = 0;
        memory_id memory = in_no_memory;
        tensor content;          // of a tensor in storage: the bytes of that
        std::size_t offset = 0;  // in storage
        tensor_type type;        // of a tensor in storage; else without an element type
        std::vector<placed_value> parts;

        static void release(object* o) {
            // What is freed with it is emptied first, so that it frees nothing in turn.
            std::vector<placed_value> left = std::move(o->parts);
            delete o;
            while (!left.empty()) {
                const placed_value v = std::move(left.back());
                left.pop_back();
                if (!v.is_alone()) continue;
                for (placed_value& part : v.held_->parts) left.push_back(std::move(part));
                v.held_->parts.clear();
            }
        }
    };

    placed_value(form what, std::uint32_t number, std::vector<placed_value> parts) : held_(new object) {
        held_->what = what;
        held_->number = number;
        held_->parts = std::move(parts);
        for (const placed_value& part : held_->parts) {
            const memory_id m = part.memory();
            if (m == in_no_memory || m == held_->memory) continue;
            held_->memory = held_->memory == in_no_memory ? m : in_several_memories;
        }
    }

    shared_handle<object> held_;
};

/// The tensors of a value in reading order: its own, or those of its fields, and what references hold. No recursion.
[[nodiscard]] inline std::vector<tensor> tensors_in(const placed_value& whole) {
    std::vector<tensor> tensors;
    std::vector<placed_value> left{whole};
    while (!left.empty()) {
        const placed_value v = std::move(left.back());
        left.pop_back();
        if (v.what() == placed_value::form::tensor) tensors.push_back(v.content());
        if (v.what() != placed_value::form::record && v.what() != placed_value::form::cell) continue;
        for (std::size_t i = v.parts().size(); i-- > 0;) left.push_back(v.parts()[i]);
    }
    return tensors;
}

}  // namespace inlay

#endif
