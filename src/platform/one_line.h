/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps messages with text from users, files and devices on one line of the terminal. */
#ifndef CXLMON_ONE_LINE_H
#define CXLMON_ONE_LINE_H

/* Replaces control characters, such as newlines, by question marks. */
void one_line(char *text);

#endif
