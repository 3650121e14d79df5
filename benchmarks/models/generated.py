# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Architectures without a file to start from, as exporters write them, each under the name that it is prepared by."""
import bert
import blocks
import dcgan
import efficientnet
import gpt2
import mobilenet
import nasnet
import resnet3d
import unet
import vgg16
import vit
import yolo

MAKERS = {
    "mobilenet_v2": mobilenet.mobilenet_v2,
    "bert_base": lambda: bert.bert("bert_base", 12, 768, 12, 30522, 128),
    "bert_tiny": lambda: bert.bert("bert_tiny", 2, 64, 4, 1000, 16),
    "vit_tiny": lambda: vit.vit("vit_tiny", 12, 192, 3, 224, 16, 1000),
    "efficientnet_b0": efficientnet.efficientnet_b0,
    "unet": lambda: unet.unet(32, 4, 256),
    "yolo_s": lambda: yolo.yolo("yolo_s", 320, 80),
    "dcgan": lambda: dcgan.dcgan(100, 64),
    "gpt2_decode": lambda: gpt2.gpt2("gpt2_decode", 12, 768, 12, 50257, 1024, 128),
    "resnet3d_18": lambda: resnet3d.resnet3d_18(8, 112, 400),
    "nasnet_a_mobile": nasnet.nasnet_a_mobile,
    "vgg16": lambda: vgg16.vgg16(224, 1000),
    "mobilenet_block": lambda: blocks.mobilenet_block(24, 6, 56),
    "attention_layer": lambda: blocks.attention_layer(768, 12, 128),
}


def make(name):
    return MAKERS[name]()
