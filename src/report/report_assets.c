/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/report_assets.h"

/* A file as a string; the Makefile compiles this one again when it changes. */
#define EMBED(name, file)                                                                          \
	__asm__(".pushsection .rodata\n"                                                           \
		".global " #name "\n" #name ":\n"                                                  \
		".incbin \"src/report/" file "\"\n"                                                \
		".byte 0\n"                                                                        \
		".popsection")

EMBED(report_style, "report.css");
EMBED(report_script, "report.js");
