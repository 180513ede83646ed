/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files that drop rights. */
#ifndef CXLMON_RIGHTS_PRIVATE_H
#define CXLMON_RIGHTS_PRIVATE_H

#include "linux/rights.h"

/*
 * The sanitizers' run time makes other system calls, above all at exit, where it opens files of
 * /proc and traces the process to find leaks.
 */
#if defined(__SANITIZE_ADDRESS__)
#define RIGHTS_INSTRUMENTED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RIGHTS_INSTRUMENTED true
#endif
#endif
#ifndef RIGHTS_INSTRUMENTED
#define RIGHTS_INSTRUMENTED false
#endif

#endif
