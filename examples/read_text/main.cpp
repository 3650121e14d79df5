// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
//
// What stands before and after the network when PP-OCR's recogniser reads a line of text:
//
//   read_text prepare IMAGE.pgm OUT.npy      a grey image as the network's input: 1 x 3 x 48 x width, values -1 to 1
//   read_text decode MODEL.onnx RESULT.npy   the characters that the network's result means
//   read_text characters MODEL.onnx          all characters that it knows, one on a line: for read_line.c
//
// The network gives, for each of some 40 places along the line, a probability for each character and one for "nothing here". The best
// at each place, repetitions taken once, nothings left out, is the text (greedy CTC decoding, Graves et al. 2006).
#include <algorithm>
#include <charconv>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <onnx/onnx_pb.h>

#include <inlay/io/npy.hpp>
#include <inlay/io/onnx/onnx.hpp>
#include <inlay/io/read_file.hpp>

namespace {

using namespace inlay;

constexpr std::int64_t height = 48;

struct grey_image {
    std::int64_t width = 0, height = 0;
    std::vector<unsigned char> pixels;
};

outcome<grey_image> read_pgm(const std::string& path) {
    auto bytes = read_file(path);
    if (!bytes) return bytes.failure();
    std::istringstream in(*bytes);
    std::string magic;
    grey_image image;
    std::int64_t brightest = 0;
    in >> magic >> image.width >> image.height >> brightest;
    if (!in || magic != "P5" || image.width < 1 || image.height < 1 || image.width > 10'000 || image.height > 10'000 || brightest != 255)
        return error{"'" + path + "' is no grey image of 8 bits in PGM's binary form (P5); convert it to one"};
    in.get();
    image.pixels.resize(static_cast<std::size_t>(image.width * image.height));
    in.read(reinterpret_cast<char*>(image.pixels.data()), static_cast<std::streamsize>(image.pixels.size()));
    if (!in) return error{"'" + path + "' ends before its last pixel; it is not complete"};
    return image;
}

/// The image scaled to 48 rows, its sides in proportion, as three equal channels.
tensor input_of(const grey_image& image) {
    const std::int64_t width = std::max<std::int64_t>(1, (image.width * height + image.height / 2) / image.height);
    tensor t(element_type::float32, {1, 3, height, width});
    const auto out = t.as<float>();
    const double scale_y = static_cast<double>(image.height) / static_cast<double>(height),
                 scale_x = static_cast<double>(image.width) / static_cast<double>(width);
    const auto pixel = [&](std::int64_t y, std::int64_t x) {
        y = std::clamp<std::int64_t>(y, 0, image.height - 1);
        x = std::clamp<std::int64_t>(x, 0, image.width - 1);
        return static_cast<double>(image.pixels[static_cast<std::size_t>(y * image.width + x)]);
    };
    for (std::int64_t y = 0; y < height; ++y)
        for (std::int64_t x = 0; x < width; ++x) {
            const double at_y = (static_cast<double>(y) + 0.5) * scale_y - 0.5, at_x = (static_cast<double>(x) + 0.5) * scale_x - 0.5;
            const auto top = static_cast<std::int64_t>(at_y < 0 ? -1 : at_y), left = static_cast<std::int64_t>(at_x < 0 ? -1 : at_x);
            const double down = at_y - static_cast<double>(top), right = at_x - static_cast<double>(left);
            const double grey = (pixel(top, left) * (1 - right) + pixel(top, left + 1) * right) * (1 - down) +
                                (pixel(top + 1, left) * (1 - right) + pixel(top + 1, left + 1) * right) * down;
            for (std::int64_t c = 0; c < 3; ++c)
                out[static_cast<std::size_t>((c * height + y) * width + x)] = static_cast<float>(grey / 127.5 - 1);
        }
    return t;
}

/// The characters that the model's classes 1, 2, ... stand for, from its metadata; class 0 is nothing, and the last one a blank.
outcome<std::vector<std::string>> characters_of(const std::string& path) {
    auto bytes = read_file(path);
    if (!bytes) return bytes.failure();
    onnx::ModelProto model;
    if (!model.ParseFromString(*bytes)) return error{"'" + path + "' is no ONNX model"};
    for (const auto& entry : model.metadata_props()) {
        if (entry.key() != "character") continue;
        std::vector<std::string> characters;
        std::istringstream lines(entry.value());
        for (std::string line; std::getline(lines, line);) characters.push_back(line);
        characters.emplace_back(" ");
        return characters;
    }
    return error{"'" + path + "' has no list of characters in its metadata; it is no PP-OCR recogniser of RapidOCR"};
}

outcome<std::string> text_of(const tensor& result, const std::vector<std::string>& characters) {
    if (result.element() != element_type::float32 || result.rank() != 3 || result.extents()[0] != 1)
        return error{"the result is " + to_string(result.type()) + ", where the probabilities of one line's characters are expected"};
    const auto places = static_cast<std::size_t>(result.extents()[1]), classes = static_cast<std::size_t>(result.extents()[2]);
    const auto p = result.as<float>();
    std::string text;
    std::size_t before = 0;
    for (std::size_t place = 0; place < places; ++place) {
        const auto row = p.subspan(place * classes, classes);
        const auto best = static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
        if (best != 0 && best != before && best - 1 < characters.size()) text += characters[best - 1];
        before = best;
    }
    return text;
}

int fail(const error& e) {
    std::cerr << "read_text: " << e.message << "\n";
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() == 3 && words[0] == "prepare") {
        auto image = read_pgm(words[1]);
        if (!image) return fail(image.failure());
        const tensor t = input_of(*image);
        if (auto saved = save_npy(words[2], t); !saved) return fail(saved.failure());
        std::cout << "1,3,48," << t.extents()[3] << "\n";
        return 0;
    }
    if (words.size() == 3 && words[0] == "decode") {
        auto characters = characters_of(words[1]);
        if (!characters) return fail(characters.failure());
        auto result = load_npy(words[2]);
        if (!result) return fail(result.failure());
        auto text = text_of(*result, *characters);
        if (!text) return fail(text.failure());
        std::cout << *text << "\n";
        return 0;
    }
    if (words.size() == 2 && words[0] == "characters") {
        auto characters = characters_of(words[1]);
        if (!characters) return fail(characters.failure());
        for (const std::string& one : *characters) std::cout << one << "\n";
        return 0;
    }
    return fail(
        {"call it as `read_text prepare IMAGE.pgm OUT.npy`, `read_text decode MODEL.onnx RESULT.npy` or `read_text characters "
         "MODEL.onnx`"});
}
