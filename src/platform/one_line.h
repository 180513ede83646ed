/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts of users, files and devices in sentences that stand on one line of a terminal. */
#ifndef CXLMON_ONE_LINE_H
#define CXLMON_ONE_LINE_H

/* Makes every control character, line ends among them, a question mark. */
void one_line(char *text);

#endif
