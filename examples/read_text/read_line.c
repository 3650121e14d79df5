/* Copyright the inlay authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reads a line of text by PP-OCR's recogniser as it left as C (`inlay emit`), and nothing else but C's library:
 *
 *   read_line IMAGE.pgm CHARACTERS.txt
 *
 * The characters stand one on a line, as `read_text characters MODEL.onnx` prints them. WIDTH, PLACES and CLASSES are of the shapes that the
 * program was emitted for, RESULT the name of its output; what main.cpp says of the network holds here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ppocr_rec.h"

/* Both follow from the network's result, float32[1, PLACES, CLASSES]. */
enum { height = 48, places = PLACES, classes = CLASSES };

static int fail(const char* what, const char* which) {
    fprintf(stderr, "read_line: '%s' %s\n", which, what);
    return 2;
}

/* A grey image as the network's input: scaled to 48 rows, as three equal channels of values from -1 to 1. */
static int read_image(const char* path, float* out) {
    FILE* const f = fopen(path, "rb");
    long w = 0, h = 0, brightest = 0;
    unsigned char* pixels;
    if (f == NULL) return fail("cannot be read", path);
    if (fscanf(f, "P5 %ld %ld %ld", &w, &h, &brightest) != 3 || fgetc(f) == EOF || brightest != 255 || w < 1 || h < 1 || w > 10000 || h > 10000)
        return fclose(f), fail("is no grey image of 8 bits in PGM's binary form (P5)", path);
    if ((w * height + h / 2) / h != WIDTH) return fclose(f), fail("has other proportions than those the program was emitted for", path);
    pixels = malloc((size_t)(w * h));
    if (pixels == NULL || fread(pixels, 1, (size_t)(w * h), f) != (size_t)(w * h))
        return free(pixels), fclose(f), fail("ends before its last pixel", path);
    fclose(f);
    for (long y = 0; y < height; ++y)
        for (long x = 0; x < WIDTH; ++x) {
            const double at_y = ((double)y + 0.5) * (double)h / height - 0.5, at_x = ((double)x + 0.5) * (double)w / WIDTH - 0.5;
            const long top = at_y < 0 ? -1 : (long)at_y, left = at_x < 0 ? -1 : (long)at_x;
            const double down = at_y - (double)top, right = at_x - (double)left;
            double grey = 0;
            for (long i = 0; i < 4; ++i) {
                long py = top + i / 2, px = left + i % 2;
                py = py < 0 ? 0 : py >= h ? h - 1 : py;
                px = px < 0 ? 0 : px >= w ? w - 1 : px;
                grey += pixels[py * w + px] * (i / 2 != 0 ? down : 1 - down) * (i % 2 != 0 ? right : 1 - right);
            }
            for (long c = 0; c < 3; ++c) out[(c * height + y) * WIDTH + x] = (float)(grey / 127.5 - 1);
        }
    free(pixels);
    return 0;
}

int main(int argc, char** argv) {
    static float image[3 * height * WIDTH], found[places * classes];
    static char characters[classes][16];
    static unsigned char memory[PPOCR_REC_ARENA_BYTES + 64];
    struct ppocr_rec_inputs inputs;
    struct ppocr_rec_outputs outputs;
    FILE* f;
    int before = 0, status;
    if (argc != 3) return fail("is called as `read_line IMAGE.pgm CHARACTERS.txt`", argv[0]);
    status = read_image(argv[1], image);
    if (status != 0) return status;
    f = fopen(argv[2], "r");
    if (f == NULL) return fail("cannot be read", argv[2]);
    /* Class 0 is nothing. */
    for (int c = 1; c < classes && fgets(characters[c], sizeof characters[c], f) != NULL; ++c) characters[c][strcspn(characters[c], "\n")] = '\0';
    fclose(f);
    inputs.x = image;
    outputs.RESULT = found;
    if (ppocr_rec_run(&inputs, &outputs, memory + (64 - (uintptr_t)memory % 64)) != 0) return fail("failed", "ppocr_rec_run");
    for (int place = 0; place < places; ++place) {
        const float* const row = found + place * classes;
        int best = 0;
        for (int c = 1; c < classes; ++c)
            if (row[c] > row[best]) best = c;
        if (best != 0 && best != before) fputs(characters[best], stdout);
        before = best;
    }
    putchar('\n');
    return 0;
}
