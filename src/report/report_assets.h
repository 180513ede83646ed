/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The style sheet and script of every report (report.css, report.js), and the
 * Content-Security-Policy that forbids any other, whatever texts a recording has. The hashes are of
 * these files; test_report checks them. The script shows the values at the pointer's position, in
 * all charts at the same time; a series alone; and a range of time, enlarged. The page is complete
 * without it.
 */
#ifndef CXLMON_REPORT_ASSETS_H
#define CXLMON_REPORT_ASSETS_H

extern const char report_style[];
extern const char report_script[];

#define REPORT_STYLE_HASH  "sha256-nnS+s9GMT67CUaA9+WwqOqQ6H7SP/JDuoEXNdKDVM78="
#define REPORT_SCRIPT_HASH "sha256-Xu17rpLDwPq4JMY3lTQVLlB1dPUTM05zKO46wdg9brE="

#define REPORT_POLICY                                                                              \
	"default-src 'none'; style-src '" REPORT_STYLE_HASH "'; script-src '" REPORT_SCRIPT_HASH   \
	"'; base-uri 'none'; form-action 'none'"

#endif
