/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The checks of cxlmon doctor, one for each thing that monitoring needs. Each makes a finding, with
 * advice. They read only.
 */
#ifndef CXLMON_SHOW_DOCTOR_DOCTOR_H
#define CXLMON_SHOW_DOCTOR_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "linux/run/run_dir.h"
#include "plan/plan.h"
#include "show/info/probe.h"
#include "table/table.h"
#include "uncore/units/unit.h"

/* Verdicts of checks. */
enum check_verdict {
	VERDICT_NOT_RUN, /* not run: an earlier check has found nothing to monitor */
	VERDICT_PASS,	 /* nothing is wrong */
	VERDICT_WARN,	 /* monitoring works, with limits that the user should know */
	VERDICT_FAIL,	 /* monitoring by registers does not work */
	VERDICT_SKIP,	 /* not applicable here */
	VERDICT_BLOCKED, /* not run: a check that it needs failed or was blocked */
};

/* The finding of one check. */
struct check_result {
	enum check_verdict verdict;
	/* .text: the finding; .command: the remedy ("": none); .kind and .code: for VERDICT_FAIL */
	struct error error;
};

/* Sets *out. command: the remedy ("": none). If the text is too long for .text, cuts it. */
__attribute__((format(printf, 4, 5))) void doctor_set(struct check_result *out,
						      enum check_verdict verdict,
						      const char *command, const char *format, ...);
#define doctor_pass(out, ...)	       doctor_set(out, VERDICT_PASS, "", __VA_ARGS__)
#define doctor_warn(out, command, ...) doctor_set(out, VERDICT_WARN, command, __VA_ARGS__)
#define doctor_skip(out, ...)	       doctor_set(out, VERDICT_SKIP, "", __VA_ARGS__)
#define doctor_block(out, ...)	       doctor_set(out, VERDICT_BLOCKED, "", __VA_ARGS__)
/* Sets *out to VERDICT_FAIL with a copy of an error. */
void doctor_fail(struct check_result *out, const struct error *why);

/*
 * Adapts the text and command of a finding to a run as root. Advice to run cxlmon by sudo becomes
 * advice to inspect root's capabilities. by_sudo: the run was started by sudo. If so, the user's
 * shell is not root's, so commands keep their sudo. If not, commands lose it.
 */
void doctor_advise_root(struct check_result *finding, bool by_sudo);

/* The machine that is checked, and facts that checks find for later ones. */
struct doctor {
	const char *root;      /* "/", or the directory that has dev, sys and proc */
	const char *sim;       /* specification of a simulated machine; NULL: a real one */
	bool as_root, by_sudo; /* the run is root's; it was started by sudo */
	struct probe probe;    /* opened and closed by the caller */
	bool msr_readable;     /* set by doctor_msr_device: MSRs can be read */

	/* Set by doctor_runs. */
	struct journal_entry *runs; /* other runs; freed by run_dir_free() */
	size_t run_count;
	bool stale_run; /* a killed run has left registers programmed */
};

#define DOCTOR_SCHEMA 1 /* version of the JSON object */
#define DOCTOR_NEEDS  2

/* A check: a constant in doctor_*.c. */
struct check {
	const char *name;    /* name in the output: "other-runs" */
	const char *purpose; /* why monitoring needs it */
	void (*run)(struct doctor *d, struct check_result *out); /* makes the finding */
	bool of_registers; /* skipped if only the kernel can count on the processor */
	bool host_only;	   /* skipped on a simulated machine, which lacks its files */
	/* earlier checks; if one fails or is blocked, this check is blocked. NULL: no more */
	const struct check *needs[DOCTOR_NEEDS];
	bool decides; /* if this check finds nothing to monitor, later checks are not run */
};

/* Calls DO(NAME) for each check doctor_NAME, in the order in which they run: .needs come first. */
#define FOR_EACH_CHECK(DO)                                                                         \
	DO(processor)                                                                              \
	DO(virtual_machine)                                                                        \
	DO(container)                                                                              \
	DO(rights)                                                                                 \
	DO(sandbox)                                                                                \
	DO(cpus)                                                                                   \
	DO(pci_config)                                                                             \
	DO(discovery)                                                                              \
	DO(ports)                                                                                  \
	DO(cxl_devices)                                                                            \
	DO(cxl_links)                                                                              \
	DO(cxl_health)                                                                             \
	DO(memory_tiers)                                                                           \
	DO(regions)                                                                                \
	DO(msr_module)                                                                             \
	DO(msr_device)                                                                             \
	DO(cxl_units)                                                                              \
	DO(lockdown)                                                                               \
	DO(allow_writes)                                                                           \
	DO(msr_writes)                                                                             \
	DO(cpuid_device)                                                                           \
	DO(runs)                                                                                   \
	DO(units_free)                                                                             \
	DO(cpmus)                                                                                  \
	DO(freeze)                                                                                 \
	DO(core_counters)                                                                          \
	DO(watchdog)                                                                               \
	DO(perf_units)                                                                             \
	DO(perf_events)                                                                            \
	DO(core_events)                                                                            \
	DO(metrics)

#define DECLARE_CHECK(name) extern const struct check doctor_##name;
FOR_EACH_CHECK(DECLARE_CHECK)

extern const struct check *const doctor_checks[]; /* all checks, in their order; ends with NULL */

/* Result of checks on writing MSRs. */
enum doctor_writes {
	DOCTOR_WRITES_UNTESTED,
	DOCTOR_WRITES_REFUSED,
	DOCTOR_WRITES_PERMITTED,
};

/* The conclusion from all findings. */
struct doctor_verdict {
	/* error of a run by registers or, if .kernel_alone, by the kernel; ERROR_NONE: it works */
	enum error_kind kind;
	bool supports_processor; /* false: .kind is ERROR_NO_UNIT */
	bool kernel_alone;	 /* only the kernel can count on the processor */
	bool perf_works;	 /* the kernel can count (--backend=perf) */
	bool perf_is_complete;	 /* the kernel can count all that registers could */
	bool uses_perf;	 /* .kind is an error that makes --backend=auto count by the kernel */
	bool core_works; /* -m core works, by registers or by the kernel */
	enum doctor_writes writes; /* whether MSRs can be written */
};

/* Runs the checks. Sets findings[], one for each of doctor_checks. Returns the conclusion. */
struct doctor_verdict doctor_run(struct doctor *d, struct check_result *findings);

#define DOCTOR_WORKS_SIZE 256

/*
 * Writes commands that work even if bandwidth cannot be measured: "cxlmon -m tiering,core, cxlmon
 * who"; "": none is known. Call after doctor_run().
 */
void doctor_find_works(struct doctor *d, const struct doctor_verdict *verdict,
		       char works[DOCTOR_WORKS_SIZE]);

#define DOCTOR_NO_UNCORE "no uncore unit of this processor is known"

#define DOCTOR_RUN_NAME_SIZE 64

/* Writes "cxlmon (pid 12)", or without the pid if it is unknown. Returns name. */
const char *doctor_run_name(const struct journal_entry *run, char name[DOCTOR_RUN_NAME_SIZE]);

/*
 * Sets the finding about a running cxlmon serve. now_ns: the present time, since 1970.
 * - If its last sample is over 60 s old: a warning, with the advice to restart it.
 * - Otherwise, if *out is VERDICT_PASS: a description. If not, *out stays as it is.
 */
void doctor_report_service(const struct journal_entry *run, uint64_t now_ns,
			   struct check_result *out);

/* Returns true if only the kernel can count on the processor. */
bool doctor_kernel_alone(const struct doctor *d);

/* Returns true if cxlmon supports no units of the processor, but CXL devices have CPMUs. */
bool doctor_only_cpmus(const struct doctor *d);

#define DOCTOR_NAMES_SIZE 512

/* A list of units for a message: "socket 0 cha 0-3,7, imc 2, socket 1 cha 0". Initially zero. */
struct doctor_names {
	size_t count;		 /* number of added units */
	size_t omitted;		 /* number of units for which .text has no room */
	size_t used;		 /* bytes used in .text */
	bool range;		 /* .last is the end of a range that .text does not end yet */
	const struct unit *last; /* latest unit */
	char text[DOCTOR_NAMES_SIZE];
};

/*
 * Adds a unit, which must stay valid until doctor_names_end(). Add units in the order of socket,
 * die, type and id. Consecutive ids become a range.
 */
void doctor_names_add(struct doctor_names *names, const struct unit *unit);

#define DOCTOR_NO_RESPONSE "no response (reads as all ones): powered down or not present"

/*
 * Ends the list. If not all units have room, appends "and 12 more". Returns .text; "": no units.
 */
const char *doctor_names_end(struct doctor_names *names);

#endif
