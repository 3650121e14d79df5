// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_RELAY_READ_RELAY_IPP
#define INLAY_IO_RELAY_READ_RELAY_IPP

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include <inlay/io/relay/read_relay.hpp>

#include <inlay/core/quoted_text.hpp>
#include <inlay/io/read_file.hpp>
#include <inlay/io/relay/relay_metadata.hpp>
#include <inlay/io/relay/relay_parser.hpp>
#include <inlay/io/relay/relay_survey.hpp>
#include <inlay/io/relay/relay_types.hpp>

namespace inlay {

INLAY_FUNCTION outcome<ir_module> read_relay(std::string_view text, const relay_read_options& options) {
    if (text.size() > std::numeric_limits<std::uint32_t>::max() / 4)
        return error{"the text has more than a gigabyte, which is not read here"};
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // some editors' mark of UTF-8
    relay_faults faults(text);
    relay_types types;
    const relay_survey survey = survey_relay(text, types, faults);
    outcome<relay_metadata> metadata = relay_metadata();
    if (survey.metadata_at.is_known()) {
        metadata = read_relay_metadata(survey.metadata, options.targets);
        if (!metadata) faults.add(survey.metadata_at, metadata.failure().message);
    }
    ir_module made = relay_parser(survey, types, metadata ? &*metadata : nullptr, faults).read();
    if (!faults.empty()) return faults.told();
    return made;
}

INLAY_FUNCTION outcome<ir_module> load_relay(const std::string& path, const relay_read_options& options) {
    const auto text = read_file(path == "-" ? "/dev/stdin" : path);
    if (!text) return text.failure();
    auto read = read_relay(*text, options);
    if (!read) return error{(path == "-" ? std::string("the standard input") : quoted_text(path, 400)) + ":\n" + read.failure().message};
    return read;
}

}  // namespace inlay

#endif
