// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_RELAY_RELAY_FAULTS_HPP
#define INLAY_IO_RELAY_RELAY_FAULTS_HPP

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/ir/source_position.hpp>

namespace inlay {

/// One thing that is wrong in a text, and where.
struct relay_fault {
    source_position at;
    std::string message;
};

/// What is wrong in a text, as a reader comes to it.
class relay_faults {
public:
    static constexpr std::size_t most = 20;

    /// The text outlives this.
    explicit relay_faults(std::string_view text) : text_(text) {}

    void add(source_position at, std::string message) {
        if (!is_full()) all_.push_back({at, std::move(message)});
    }
    [[nodiscard]] bool empty() const { return all_.empty(); }
    /// Whether no more are kept, so that nobody needs to look for them.
    [[nodiscard]] bool is_full() const { return all_.size() >= most; }
    [[nodiscard]] const std::vector<relay_fault>& all() const { return all_; }

    /// All of them in the order of the text: line, column, sentence; the line, and a caret below the place. Linear in the text.
    [[nodiscard]] error told() const {
        std::vector<relay_fault> sorted = all_;
        std::stable_sort(sorted.begin(), sorted.end(), [](const relay_fault& a, const relay_fault& b) {
            return std::tie(a.at.line, a.at.column) < std::tie(b.at.line, b.at.column);
        });
        error e;
        std::size_t line = 1, begin = 0;
        for (const relay_fault& f : sorted) {
            for (; line < f.at.line && text_.find('\n', begin) != std::string_view::npos; ++line) begin = text_.find('\n', begin) + 1;
            if (!e.message.empty()) e.message += '\n';
            e.message += "line " + std::to_string(f.at.line) + ", column " + std::to_string(f.at.column) + ": " + f.message + "\n";
            show(e.message, text_.substr(begin, text_.find('\n', begin) - begin), f.at.column);
        }
        return e;
    }

private:
    /// Of a very long line only what stands around the place. What a line cannot show is a blank.
    static void show(std::string& out, std::string_view line, std::size_t column) {
        constexpr std::size_t around = 60;
        const std::size_t place = std::min(column == 0 ? 0 : column - 1, line.size());
        std::size_t at = place > around ? place - around : 0;
        const std::size_t end = std::min(line.size(), place + around);
        while (at < place && (static_cast<unsigned char>(line[at]) & 0xC0u) == 0x80u) ++at;
        std::string shown, caret;
        while (at < end) {
            const std::size_t size = detail::printable_bytes(line.substr(at));
            if (at < place) caret += ' ';
            shown += size == 0 ? std::string_view(" ") : line.substr(at, size);
            at += size == 0 ? 1 : size;
        }
        out += "  " + shown + "\n  " + caret + "^";
    }

    std::string_view text_;
    std::vector<relay_fault> all_;
};

}  // namespace inlay

#endif
