/* SPDX-License-Identifier: BSD-3-Clause */
/* How a library is installed on this system: commands and packages have other names on each. */
#ifndef CXLMON_PACKAGES_H
#define CXLMON_PACKAGES_H

#include "platform/error.h"

/*
 * Writes the command that installs what Debian calls this, on the system that root/etc/os-release
 * names: "sudo dnf install ncurses-libs". "" where that is not known. Returns command.
 */
const char *package_command(const char *root, const char *debian, char command[ERROR_COMMAND_SIZE]);

#endif
