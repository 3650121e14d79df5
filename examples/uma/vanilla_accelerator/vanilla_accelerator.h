/* Copyright the inlay authors. */
/* SPDX-License-Identifier: Apache-2.0 */
/* What the vendor of the accelerator ships: one function. */
#ifndef VANILLA_ACCELERATOR_H
#define VANILLA_ACCELERATOR_H

#ifdef __cplusplus
extern "C" {
#endif

/* Convolves an image, ic x ih x iw, with oc filters, each ic x kh x kw with odd kh and kw, by strides of one, into oc x ih x iw. Beside
   the image there are zeros, which the accelerator adds itself. Gives 0, or 1 where an extent is none. */
int vanilla_accelerator_conv2dnchw(const float* ifmap, const float* weights, float* result, int oc, int iw, int ih, int ic, int kh,
                                   int kw);

#ifdef __cplusplus
}
#endif

#endif
