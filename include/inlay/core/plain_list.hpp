// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CORE_PLAIN_LIST_HPP
#define INLAY_CORE_PLAIN_LIST_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace inlay {

/// A growing list with what automata need of std::vector, spelled as there: compilers run through it in few steps at compile time, and what
/// is included everywhere instantiates a handful of small functions for each type. Items are default constructible and assignable.
template <class T>
class plain_list {
public:
    constexpr plain_list() = default;
    constexpr explicit plain_list(std::span<const T> items) { append(items); }
    constexpr explicit plain_list(std::size_t size) { resize(size); }
    constexpr plain_list(const plain_list& other) { append(other.all()); }
    constexpr plain_list(plain_list&& other) noexcept { swap(other); }
    constexpr plain_list& operator=(plain_list other) noexcept {
        swap(other);
        return *this;
    }
    constexpr ~plain_list() { delete[] items_; }

    [[nodiscard]] constexpr std::size_t size() const { return size_; }
    [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
    [[nodiscard]] constexpr T& operator[](std::size_t i) { return items_[i]; }
    [[nodiscard]] constexpr const T& operator[](std::size_t i) const { return items_[i]; }
    [[nodiscard]] constexpr T& back() { return items_[size_ - 1]; }
    [[nodiscard]] constexpr T* data() { return items_; }
    [[nodiscard]] constexpr const T* data() const { return items_; }
    [[nodiscard]] constexpr T* begin() { return items_; }
    [[nodiscard]] constexpr T* end() { return items_ + size_; }
    [[nodiscard]] constexpr const T* begin() const { return items_; }
    [[nodiscard]] constexpr const T* end() const { return items_ + size_; }
    [[nodiscard]] constexpr std::span<const T> all() const { return {items_, size_}; }

    /// Adds an item at the end; it may be one of the list's own.
    constexpr void push_back(T item) {
        if (size_ == room_) reserve(size_ + 1);
        items_[size_++] = std::move(item);
    }
    /// Adds items that do not stand in this list.
    constexpr void append(std::span<const T> items) {
        reserve(size_ + items.size());
        for (std::size_t i = 0; i < items.size(); ++i) items_[size_ + i] = items[i];
        size_ += items.size();
    }
    constexpr void pop_back() { --size_; }
    /// Leaves the first so many; there are as many.
    constexpr void cut(std::size_t size) { size_ = size; }
    constexpr void resize(std::size_t size, const T& item = T{}) {
        reserve(size);
        for (std::size_t i = size_; i < size; ++i) items_[i] = item;
        size_ = size;
    }
    constexpr void assign(std::size_t size, const T& item) {
        size_ = 0;
        resize(size, item);
    }
    constexpr void assign(std::span<const T> items) {
        size_ = 0;
        append(items);
    }
    /// Items that are left out keep what they own until others take their place.
    constexpr void clear() { size_ = 0; }
    constexpr void swap(plain_list& other) noexcept {
        T* const items = items_;
        const std::size_t size = size_, room = room_;
        items_ = other.items_;
        size_ = other.size_;
        room_ = other.room_;
        other.items_ = items;
        other.size_ = size;
        other.room_ = room;
    }

private:
    constexpr void reserve(std::size_t size) {
        if (size <= room_) return;
        room_ = size < 2 * room_ ? 2 * room_ : size < 8 ? 8 : size;
        T* const wider = new T[room_]{};
        for (std::size_t i = 0; i < size_; ++i) wider[i] = std::move(items_[i]);
        delete[] items_;
        items_ = wider;
    }

    T* items_ = nullptr;
    std::size_t size_ = 0, room_ = 0;
};

/// Sorts what stands in a list from a place on: in place and without a second list, for lists that are short as a rule. Equals are not told
/// apart.
template <class T>
constexpr void sort_from(plain_list<T>& list, std::size_t first) {
    const std::size_t count = list.size() - first;
    for (std::size_t step = count < 32 ? (count > 1 ? 1 : 0) : count / 2; step > 0; step /= 2)
        for (std::size_t i = first + step; i < list.size(); ++i)
            for (std::size_t j = i; j >= first + step && list[j] < list[j - step]; j -= step) std::swap(list[j], list[j - step]);
}
/// Sorts a list and leaves one of each.
template <class T>
constexpr void sort_unique(plain_list<T>& list) {
    sort_from(list, 0);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (i != 0 && list[kept - 1] == list[i]) continue;
        if (kept != i) list[kept] = list[i];
        ++kept;
    }
    while (list.size() > kept) list.pop_back();
}

}  // namespace inlay

#endif
