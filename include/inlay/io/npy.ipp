// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_NPY_IPP
#define INLAY_IO_NPY_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/io/npy.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/io/read_file.hpp>
#include <inlay/io/write_file.hpp>

namespace inlay {

namespace detail {

inline constexpr std::string_view npy_magic("\x93NUMPY", 6);

/// The letters by which NumPy writes an element type; empty where it has none (bfloat16, strings).
[[nodiscard]] constexpr std::string_view npy_letters(element_type e) {
    switch (e) {
        case element_type::float16:
            return "f2";
        case element_type::float32:
            return "f4";
        case element_type::float64:
            return "f8";
        case element_type::int8:
            return "i1";
        case element_type::int16:
            return "i2";
        case element_type::int32:
            return "i4";
        case element_type::int64:
            return "i8";
        case element_type::uint8:
            return "u1";
        case element_type::uint16:
            return "u2";
        case element_type::uint32:
            return "u4";
        case element_type::uint64:
            return "u8";
        case element_type::boolean:
            return "b1";
        default:
            return {};
    }
}

struct npy_header {
    std::string descr;
    bool fortran_order = false;
    std::vector<std::int64_t> extents;
};

/// Reads the header, a Python dictionary of three known keys: `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`.
class npy_header_reader {
public:
    explicit npy_header_reader(std::string_view text) : rest_(text) {}

    std::optional<npy_header> read() {
        npy_header h;
        bool has[3] = {false, false, false};
        if (!take('{')) return std::nullopt;
        while (!take('}')) {
            const auto key = text();
            if (!key || !take(':')) return std::nullopt;
            const std::size_t which = *key == "descr" ? 0 : *key == "fortran_order" ? 1 : *key == "shape" ? 2 : 3;
            if (which == 3 || has[which]) return std::nullopt;
            has[which] = true;
            if (which == 0) {
                const auto descr = text();
                if (!descr) return std::nullopt;
                h.descr = *descr;
            } else if (which == 1) {
                if (word("True"))
                    h.fortran_order = true;
                else if (!word("False"))
                    return std::nullopt;
            } else if (!read_extents(h.extents)) {
                return std::nullopt;
            }
            if (!take(',')) {
                if (!take('}')) return std::nullopt;
                break;
            }
        }
        skip();
        if (!rest_.empty() || !has[0] || !has[1] || !has[2]) return std::nullopt;
        return h;
    }

private:
    void skip() {
        while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n')) rest_.remove_prefix(1);
    }
    bool take(char c) {
        skip();
        if (rest_.empty() || rest_.front() != c) return false;
        rest_.remove_prefix(1);
        return true;
    }
    bool word(std::string_view w) {
        skip();
        if (rest_.substr(0, w.size()) != w) return false;
        rest_.remove_prefix(w.size());
        return true;
    }
    std::optional<std::string_view> text() {
        skip();
        if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) return std::nullopt;
        const auto end = rest_.find(rest_.front(), 1);
        if (end == std::string_view::npos) return std::nullopt;
        const auto found = rest_.substr(1, end - 1);
        rest_.remove_prefix(end + 1);
        return found;
    }
    bool read_extents(std::vector<std::int64_t>& extents) {
        if (!take('(')) return false;
        while (!take(')')) {
            skip();
            std::int64_t number = 0;
            std::size_t digits = 0;
            while (digits < rest_.size() && rest_[digits] >= '0' && rest_[digits] <= '9') {
                if (digits == 18) return false;
                number = 10 * number + (rest_[digits++] - '0');
            }
            if (digits == 0 || extents.size() == 64) return false;
            rest_.remove_prefix(digits);
            extents.push_back(number);
            if (!take(',')) return take(')');
        }
        return true;
    }

    std::string_view rest_;
};

/// Elements that stand with the first axis fastest, put in the order of tensors.
inline tensor from_fortran_order(const tensor& t) {
    tensor made(t.element(), t.extents());
    if (!made.ok()) return made;
    const std::size_t width = size_of(t.element()), rank = t.rank();
    struct axis_place {
        std::size_t step, at, extent;
    };
    std::vector<axis_place> axes;
    std::size_t step = 1;
    for (const std::int64_t e : t.extents()) {
        axes.push_back({step, 0, static_cast<std::size_t>(e)});
        step *= axes.back().extent;
    }
    std::size_t from = 0;
    for (std::size_t i = 0; i < t.count(); ++i) {
        std::memcpy(made.data() + i * width, t.data() + from * width, width);
        for (std::size_t axis = rank; axis-- > 0;) {
            axis_place& a = axes[axis];
            from += a.step;
            if (++a.at < a.extent) break;
            from -= a.step * a.at;
            a.at = 0;
        }
    }
    return made;
}

}  // namespace detail

outcome<tensor> read_npy(std::string_view bytes) {
    const auto damaged = [](const std::string& what) { return error{"the file is no NumPy array: " + what}; };
    if (bytes.substr(0, 6) != detail::npy_magic || bytes.size() < 10) return damaged("it does not begin as one");
    const auto major = static_cast<unsigned char>(bytes[6]);
    if (major < 1 || major > 3) return damaged("its version " + std::to_string(major) + " is not known");
    const std::size_t prefix = major == 1 ? 10 : 12;
    if (bytes.size() < prefix) return damaged("it ends in its header");
    std::size_t length = 0;
    for (std::size_t i = prefix; i-- > 8;) length = 256 * length + static_cast<unsigned char>(bytes[i]);
    if (length > bytes.size() - prefix) return damaged("its header claims more bytes than there are");
    const auto header = detail::npy_header_reader(bytes.substr(prefix, length)).read();
    if (!header) return damaged("its header cannot be read");

    element_type element = element_type::none;
    const std::string_view descr = header->descr;
    for (int e = 1; e <= static_cast<int>(element_type::boolean); ++e) {
        const auto letters = detail::npy_letters(static_cast<element_type>(e));
        if (descr.size() == 3 && !letters.empty() && descr.substr(1) == letters &&
            std::string_view("<>|=").find(descr[0]) != std::string_view::npos)
            element = static_cast<element_type>(e);
    }
    if (element == element_type::none)
        return error{"the array's element type " + quoted_text(descr, 40) + " is not supported; save it as numbers or bool"};
    const auto count = element_count(header->extents);
    const std::string_view data = bytes.substr(prefix + length);
    const std::size_t width = size_of(element);
    if (!count || static_cast<std::uint64_t>(*count) > static_cast<std::uint64_t>(INT64_MAX) / width ||
        static_cast<std::size_t>(*count) * width != data.size())
        return damaged("it has " + std::to_string(data.size()) + " bytes of elements, which its shape and element type do not ask for");
    tensor made(element, header->extents);
    if (!made.ok()) return error{"the array does not fit into memory"};
    if (!data.empty()) std::memcpy(made.data(), data.data(), data.size());
    if (descr[0] == '>')
        for (std::size_t i = 0; i < made.count(); ++i) std::reverse(made.data() + i * width, made.data() + (i + 1) * width);
    if (element == element_type::boolean)
        for (std::size_t i = 0; i < made.count(); ++i) made.data()[i] = made.data()[i] == std::byte{0} ? std::byte{0} : std::byte{1};
    return header->fortran_order && made.rank() > 1 ? detail::from_fortran_order(made) : made;
}

outcome<std::string> write_npy(const tensor& t) {
    const bool widen = t.element() == element_type::bfloat16;
    const auto letters = detail::npy_letters(widen ? element_type::float32 : t.element());
    if (!t.ok() || letters.empty())
        return error{"a tensor of " + std::string(name_of(t.element())) + " cannot be written as a NumPy array"};
    std::string header =
        "{'descr': '" + std::string(size_of(t.element()) == 1 ? "|" : "<") + std::string(letters) + "', 'fortran_order': False, 'shape': (";
    for (std::size_t i = 0; i < t.rank(); ++i) header += (i == 0 ? "" : ", ") + std::to_string(t.extents()[i]);
    header += t.rank() == 1 ? ",), }" : "), }";
    header.append(63 - (10 + header.size()) % 64, ' ');
    header += '\n';
    std::string bytes(detail::npy_magic);
    bytes += '\x01';
    bytes += '\x00';
    bytes += static_cast<char>(header.size() % 256);
    bytes += static_cast<char>(header.size() / 256);
    bytes += header;
    if (widen) {
        for (const std::uint16_t bits : t.as<std::uint16_t>()) {
            const char wide[4] = {0, 0, static_cast<char>(bits & 255u), static_cast<char>(bits >> 8)};
            bytes.append(wide, 4);
        }
    } else if (t.bytes() != 0) {
        bytes.append(reinterpret_cast<const char*>(t.data()), t.bytes());
    }
    return bytes;
}

outcome<tensor> load_npy(const std::string& path) {
    const auto bytes = read_file(path);
    if (!bytes) return bytes.failure();
    auto made = read_npy(*bytes);
    if (!made) return error{quoted_text(path, 400) + ": " + made.failure().message};
    return made;
}

outcome<void> save_npy(const std::string& path, const tensor& t) {
    const auto bytes = write_npy(t);
    if (!bytes) return error{quoted_text(path, 400) + ": " + bytes.failure().message};
    return write_file(path, *bytes);
}

}  // namespace inlay

#endif
