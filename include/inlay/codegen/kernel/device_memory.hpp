// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_KERNEL_DEVICE_MEMORY_HPP
#define INLAY_CODEGEN_KERNEL_DEVICE_MEMORY_HPP

#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/shared_handle.hpp>
#include <inlay/target/device.hpp>

namespace inlay {

/// A block of a device's memory: where it begins, in addresses that mean something to the device and need not to the CPU. It goes back to
/// the device with its last owner, of which there is one. Move-only.
class device_block {
public:
    device_block() = default;
    /// `give_back(address, bytes)` is called when it goes.
    device_block(void* address, std::size_t bytes, void (*give_back)(void*, std::size_t))
        : address_(static_cast<std::byte*>(address)), bytes_(bytes), give_back_(give_back) {}
    device_block(device_block&& other) noexcept
        : address_(std::exchange(other.address_, nullptr)), bytes_(std::exchange(other.bytes_, 0)), give_back_(other.give_back_) {}
    device_block& operator=(device_block other) noexcept {
        std::swap(address_, other.address_);
        std::swap(bytes_, other.bytes_);
        std::swap(give_back_, other.give_back_);
        return *this;
    }
    ~device_block() {
        if (address_ != nullptr) give_back_(address_, bytes_);
    }

    [[nodiscard]] std::byte* address() const { return address_; }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

private:
    std::byte* address_ = nullptr;
    std::size_t bytes_ = 0;
    void (*give_back_)(void*, std::size_t) = nullptr;
};

/// A memory that a back end's device has for itself, and what placements call it; main memories need no name.
struct owned_memory {
    memory_scope scope;
    std::string_view name;
};

/// A back end whose device has memory of its own: its kernels read and write tensors there, and copies lead in and out.
///
/// Requires, of the instance `b`: `memories()`, all of them; `allocate(scope, bytes)`, a block of one of them; `copy_seconds(from, to,
/// bytes)`, what a copy takes from one scope to another, nothing where it does not copy between these; `emit_copy(from, to, bytes)`, a
/// kernel of one input and one result that does it. Models: `simulated_device`.
template <class B>
concept owns_memory = requires(const B& b, memory_scope scope, std::size_t bytes) {
    { b.memories() } -> std::convertible_to<std::vector<owned_memory>>;
    { b.allocate(scope, bytes) } -> std::same_as<outcome<device_block>>;
    { b.copy_seconds(scope, scope, bytes) } -> std::convertible_to<std::optional<double>>;
    { b.emit_copy(scope, scope, bytes) } -> std::same_as<outcome<kernel>>;
};

/// Whether a back end, by a static `is_simulated`, only plays a device: what its kernels take to run says nothing of the device, and the
/// prices that it states stand for it instead.
template <class B>
[[nodiscard]] consteval bool is_simulated() {
    if constexpr (requires { B::is_simulated; })
        return B::is_simulated;
    else
        return false;
}

/// The same of an instance, which an option may tell to state a model's prices: its member `is_modelled()` says so.
template <class B>
[[nodiscard]] bool is_simulated(const B& b) {
    if constexpr (requires { b.is_modelled(); })
        return b.is_modelled();
    else
        return is_simulated<B>();
}

/// Where blocks of one memory come from, whatever back end has it. Keeps a copy of the back end's instance; copies share it.
class memory_source {
public:
    memory_source() = default;

    template <owns_memory B>
    memory_source(const B& b, memory_scope scope) : held_(new held_instance<B>(b)), scope_(scope) {}

    /// Precondition: it was made of a back end. Error: what that says.
    [[nodiscard]] outcome<device_block> allocate(std::size_t bytes) const { return held_->allocate(*held_.get(), scope_, bytes); }
    [[nodiscard]] memory_scope scope() const { return scope_; }

private:
    struct held : owner_count {
        outcome<device_block> (*allocate)(const held&, memory_scope, std::size_t);
        void (*destroy)(held*);

        static void release(held* h) { h->destroy(h); }
    };
    template <class B>
    struct held_instance : held {
        B instance;

        explicit held_instance(const B& b) : instance(b) {
            this->allocate = [](const held& h, memory_scope scope, std::size_t bytes) {
                return static_cast<const held_instance&>(h).instance.allocate(scope, bytes);
            };
            this->destroy = [](held* h) { delete static_cast<held_instance*>(h); };
        }
    };

    shared_handle<held> held_;
    memory_scope scope_;
};

/// The source of a memory among the back ends of a list that take part; nothing where none of them has it.
template <class List>
[[nodiscard]] std::optional<memory_source> source_of(const List& backends, memory_scope scope) {
    std::optional<memory_source> found;
    for (const std::size_t number : backends.chosen())
        backends.visit(number, [&]<class B>(const B& b) {
            if constexpr (owns_memory<B>)
                for (const owned_memory& m : b.memories())
                    if (!found && m.scope == scope) found = memory_source(b, scope);
        });
    return found;
}

}  // namespace inlay

#endif
