/* Copyright the inlay authors. */
/* SPDX-License-Identifier: Apache-2.0 */
/* The accelerator as its vendor simulates it: on hardware the function hands the same to the device. */
#include "vanilla_accelerator.h"

int vanilla_accelerator_conv2dnchw(const float* ifmap, const float* weights, float* result, int oc, int iw, int ih, int ic, int kh,
                                   int kw) {
    if (oc < 1 || iw < 1 || ih < 1 || ic < 1 || kh % 2 != 1 || kw % 2 != 1) return 1;
    for (int filter = 0; filter < oc; ++filter)
        for (int row = 0; row < ih; ++row)
            for (int column = 0; column < iw; ++column) {
                float sum = 0;
                for (int channel = 0; channel < ic; ++channel)
                    for (int i = 0; i < kh; ++i)
                        for (int j = 0; j < kw; ++j) {
                            const int y = row + i - kh / 2, x = column + j - kw / 2;
                            if (y < 0 || y >= ih || x < 0 || x >= iw) continue;
                            sum += ifmap[(channel * ih + y) * iw + x] * weights[((filter * ic + channel) * kh + i) * kw + j];
                        }
                result[(filter * ih + row) * iw + column] = sum;
            }
    return 0;
}
