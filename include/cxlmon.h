/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file cxlmon.h
 * @brief Live bandwidth, latency and events of CXL memory ports on Intel Xeon servers.
 *
 * A context is made, told what to measure, started, and gives a sample at each of its deadlines:
 *
 *     cxlmon_new ──> cxlmon_set_..., cxlmon_add_event ──> cxlmon_start
 *         ──> (cxlmon_wait ──> cxlmon_sample ──> rows and values) as often as wanted
 *         ──> cxlmon_stop ──> cxlmon_unref
 *
 * A sample has rows (ports, sockets, the system; or a row an event and unit) and columns (metrics).
 * Rows and columns are numbered from 0, in an order that stays the same from cxlmon_start() on.
 *
 * **Errors.** Functions that return int return 0 or a negative errno. cxlmon_error() then has one
 * sentence for the user, cxlmon_status() what kind of failure it was, and cxlmon_error_command() a
 * command that mends it, where one is known.
 *
 * **Unknown values** are NaN as numbers, "" as texts and -1 as indices, never 0. They are what is
 * given for rows and columns that don't exist, too.
 *
 * **Threads.** A context, and all that was got from it, belongs to one thread at a time. Different
 * contexts may be used by different threads; the library has no state besides.
 *
 * **Rights.** Real hardware needs root, as the program cxlmon does. The library installs no signal
 * handler, gives no right up, starts no process, and writes nothing to standard output or standard
 * error.
 *
 * **Registers.** cxlmon_start() programs performance counters. Whatever it has changed is put back
 * by cxlmon_stop() or the last cxlmon_unref(). A process that ends without either leaves a journal
 * below /run/cxlmon, from which the next run, or `cxlmon restore`, puts the registers back. A
 * context must not be used in the child of a fork().
 *
 * **Compatibility.** The symbols carry the version LIBCXLMON_0. What a program has been linked with
 * stays; new functions are added, and new values at the end of an enum.
 */
#ifndef CXLMON_H
#define CXLMON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/** @brief What is measured, and the last sample of it. */
struct cxlmon_ctx;

/** @brief What kind of failure it was; the numbers are the exit statuses of the program cxlmon. */
enum cxlmon_status {
	CXLMON_STATUS_FINE = 0,	      /**< Nothing has failed. */
	CXLMON_STATUS_FAILED = 1,     /**< It failed while running. */
	CXLMON_STATUS_USAGE = 2,      /**< What was asked for makes no sense. */
	CXLMON_STATUS_NO_UNIT = 3,    /**< This machine has nothing to measure. */
	CXLMON_STATUS_PERMISSION = 4, /**< Rights or the kernel's set-up prevent it. */
	CXLMON_STATUS_IN_USE = 5,     /**< The counters are in use by someone else. */
};

/** @brief What to do where somebody else uses a unit's counters. */
enum cxlmon_ownership {
	CXLMON_OWNERSHIP_REFUSE = 0, /**< Fail, and write nothing. This is the default. */
	CXLMON_OWNERSHIP_SHARE = 1,  /**< Measure with what is free. */
	CXLMON_OWNERSHIP_FORCE = 2,  /**< Take them, and put them back at the end. */
};

/** @brief What a row stands for, the finest first. */
enum cxlmon_scope {
	CXLMON_SCOPE_CPU = 0,	 /**< A logical CPU. */
	CXLMON_SCOPE_PORT = 1,	 /**< A CXL port. */
	CXLMON_SCOPE_SOCKET = 2, /**< A socket: its ports, CHAs and memory controllers. */
	CXLMON_SCOPE_SYSTEM = 3, /**< All sockets together. */
};

/** @brief How much a remark matters. */
enum cxlmon_log_level {
	CXLMON_LOG_WARNING = 0, /**< Something is missing, or was changed. */
	CXLMON_LOG_NOTE = 1,	/**< How the numbers are made. */
	CXLMON_LOG_DETAIL = 2,	/**< What was found. */
};

/**
 * @brief Takes a remark.
 * @param data what was given to cxlmon_set_log()
 * @param level how much it matters
 * @param text one line without a newline, valid during the call; the context must not be used in it
 */
typedef void cxlmon_log_fn(void *data, enum cxlmon_log_level level, const char *text);

/**
 * @brief The version of the library, such as "0.1.0".
 * @return a constant
 */
const char *cxlmon_version(void);

/**
 * @name Contexts
 * @{
 */

/**
 * @brief Makes a context that will measure the metric groups "cxl,latency,dram" of this machine's
 * ports, once a second.
 * @param out the context, to be given back with cxlmon_unref(); NULL after a failure
 * @return 0 or -ENOMEM
 */
int cxlmon_new(struct cxlmon_ctx **out);

/**
 * @brief Takes one more reference.
 * @param ctx the context
 * @return ctx
 */
struct cxlmon_ctx *cxlmon_ref(struct cxlmon_ctx *ctx);

/**
 * @brief Gives a reference back; the last one stops the context where it runs, and frees it.
 * @param ctx the context; NULL does nothing
 * @return NULL
 */
struct cxlmon_ctx *cxlmon_unref(struct cxlmon_ctx *ctx);

/**
 * @brief Has remarks given to a function; without one they are dropped. May be called at any time.
 * @param ctx the context
 * @param log the function; NULL takes it away
 * @param data for its first parameter
 */
void cxlmon_set_log(struct cxlmon_ctx *ctx, cxlmon_log_fn *log, void *data);

/** @} */

/**
 * @name What to measure
 * Each of these returns 0, -EINVAL (#CXLMON_STATUS_USAGE), -ENOMEM, or -EBUSY between
 * cxlmon_start() and cxlmon_stop(). Texts are copied. A failure changes nothing.
 * @{
 */

/**
 * @brief Measures a simulated machine instead of this one, without any rights.
 * @param ctx the context
 * @param spec as behind `--sim=`: "spr,sockets=2,read=20,clock=virtual", or a file that `cxlmon
 * snapshot` has written; NULL measures real hardware. What is wrong in it is found by
 * cxlmon_start().
 * @return see above
 */
int cxlmon_set_sim(struct cxlmon_ctx *ctx, const char *spec);

/**
 * @brief Finds dev, sys, proc and run below a directory.
 * @param ctx the context
 * @param directory the directory; NULL stands for "/"
 * @return see above
 */
int cxlmon_set_root(struct cxlmon_ctx *ctx, const char *directory);

/**
 * @brief Chooses the columns.
 * @param ctx the context
 * @param groups comma separated: cxl, latency, dram, queue, link, core; or all
 * @return see above
 */
int cxlmon_set_metrics(struct cxlmon_ctx *ctx, const char *groups);

/**
 * @brief Counts an event on each unit that has it; from the first one on, rows are events and there
 * are no columns.
 * @param ctx the context
 * @param spec as behind `-e`: a name, "cxlcm/event=0x41,umask=0x10/", or "{a,b}" to count both at
 * the same time. What is wrong in it is found by cxlmon_start(), since it takes the processor to
 * know its events.
 * @return see above
 */
int cxlmon_add_event(struct cxlmon_ctx *ctx, const char *spec);

/**
 * @brief Sets the time from one deadline to the next.
 * @param ctx the context
 * @param ns nanoseconds, from 100000 (100 us) to a year of 365 days
 * @return see above
 */
int cxlmon_set_interval_ns(struct cxlmon_ctx *ctx, uint64_t ns);

/**
 * @brief Chooses the finest rows; coarser ones follow them.
 * @param ctx the context
 * @param finest #CXLMON_SCOPE_PORT without this call
 * @return see above
 */
int cxlmon_set_scope(struct cxlmon_ctx *ctx, enum cxlmon_scope finest);

/**
 * @brief Says what to do where somebody else uses the counters.
 * @param ctx the context
 * @param ownership #CXLMON_OWNERSHIP_REFUSE without this call
 * @return see above
 */
int cxlmon_set_ownership(struct cxlmon_ctx *ctx, enum cxlmon_ownership ownership);

/** @} */

/**
 * @name Measuring
 * @{
 */

/**
 * @brief Finds the machine, programs its counters and starts them. The first deadline is one
 * interval later. What killed runs have left programmed is put back before.
 *
 * Waits while another run is being set up. After a failure everything is as it was before, and it
 * may be tried again.
 * @param ctx the context
 * @return 0 or a negative errno; -EBUSY where it runs already, or with #CXLMON_STATUS_IN_USE
 */
int cxlmon_start(struct cxlmon_ctx *ctx);

/**
 * @brief Sleeps until the next deadline. Deadlines don't move: one that has passed returns at once.
 * @param ctx the context, started
 * @return 0; -EINTR where a signal handler has run, so that the caller can look what it was and
 * wait again; -EINVAL where it isn't started
 */
int cxlmon_wait(struct cxlmon_ctx *ctx);

/**
 * @brief Reads the counters now: what they counted since the sample before becomes the values.
 *
 * A unit that can't be read leaves values unknown, and is remarked on once.
 * @param ctx the context, started
 * @return 0 or a negative errno; -EINVAL where it isn't started
 */
int cxlmon_sample(struct cxlmon_ctx *ctx);

/**
 * @brief Puts back every register that was changed. Does nothing where it isn't started. The last
 * sample stays until the next cxlmon_start().
 * @param ctx the context
 * @return 0 or a negative errno; then the journal stays, for `cxlmon restore`
 */
int cxlmon_stop(struct cxlmon_ctx *ctx);

/** @} */

/**
 * @name Failures
 * Of the last function of this context that returned a negative errno. Texts are valid until the
 * next call.
 * @{
 */

/**
 * @brief What failed, on which device, register or file, and what the kernel said.
 * @param ctx the context
 * @return one sentence without a newline; "" where nothing has failed
 */
const char *cxlmon_error(const struct cxlmon_ctx *ctx);

/**
 * @brief The command that mends it, or shows more of it.
 * @param ctx the context
 * @return for the user to paste into a shell; "" where none is known
 */
const char *cxlmon_error_command(const struct cxlmon_ctx *ctx);

/**
 * @brief What kind of failure it was.
 * @param ctx the context
 * @return #CXLMON_STATUS_FINE where nothing has failed
 */
enum cxlmon_status cxlmon_status(const struct cxlmon_ctx *ctx);

/** @} */

/**
 * @name The sample
 * What is the same for all of its rows. Texts are valid until the next cxlmon_start() or the last
 * cxlmon_unref().
 * @{
 */

/**
 * @brief The processor's short name: "spr", "emr", "gnr", "gnr-d", "srf", "cwf", "intel".
 * @param ctx the context
 * @return "" before it was started
 */
const char *cxlmon_model(const struct cxlmon_ctx *ctx);

/**
 * @brief The end of the interval.
 * @param ctx the context
 * @return nanoseconds since 1970 in UTC; 0 before the first sample
 */
uint64_t cxlmon_time_ns(const struct cxlmon_ctx *ctx);

/**
 * @brief Deadlines that were missed since the sample before.
 * @param ctx the context
 * @return a number of deadlines
 */
uint64_t cxlmon_missed(const struct cxlmon_ctx *ctx);

/**
 * @brief Units that could not be read this time.
 * @param ctx the context
 * @return a number of units
 */
size_t cxlmon_lost_units(const struct cxlmon_ctx *ctx);

/** @} */

/**
 * @name Columns
 * There are none where events are counted. Texts are valid as the sample's.
 * @{
 */

/**
 * @brief How many columns there are.
 * @param ctx the context
 * @return 0 before it was started
 */
size_t cxlmon_column_count(const struct cxlmon_ctx *ctx);

/**
 * @brief The column of that name.
 * @param ctx the context
 * @param name such as "cxl_mem_read_MBps"
 * @return its number; cxlmon_column_count() where there is none
 */
size_t cxlmon_find_column(const struct cxlmon_ctx *ctx, const char *name);

/**
 * @brief Its name, as in the program's CSV.
 * @param ctx the context
 * @param column its number
 * @return "" where there is none
 */
const char *cxlmon_column_name(const struct cxlmon_ctx *ctx, size_t column);

/**
 * @brief Its unit; a MB is 10^6 bytes.
 * @param ctx the context
 * @param column its number
 * @return such as "MB/s" or "ns"; "" where it has none
 */
const char *cxlmon_column_unit(const struct cxlmon_ctx *ctx, size_t column);

/**
 * @brief What it is, in a few words.
 * @param ctx the context
 * @param column its number
 * @return "" where there is none
 */
const char *cxlmon_column_help(const struct cxlmon_ctx *ctx, size_t column);

/** @} */

/**
 * @name Rows
 * The finest first, the system last. Texts are valid as the sample's.
 * @{
 */

/**
 * @brief How many rows there are.
 * @param ctx the context
 * @return 0 before it was started
 */
size_t cxlmon_row_count(const struct cxlmon_ctx *ctx);

/**
 * @brief What it stands for.
 * @param ctx the context
 * @param row its number
 * @return #CXLMON_SCOPE_SYSTEM where there is none
 */
enum cxlmon_scope cxlmon_row_scope(const struct cxlmon_ctx *ctx, size_t row);

/**
 * @brief Its socket.
 * @param ctx the context
 * @param row its number
 * @return -1 where it does not apply
 */
int cxlmon_row_socket(const struct cxlmon_ctx *ctx, size_t row);

/**
 * @brief Its port, counted from 0 on each socket.
 * @param ctx the context
 * @param row its number
 * @return -1 where it does not apply
 */
int cxlmon_row_port(const struct cxlmon_ctx *ctx, size_t row);

/**
 * @brief Its CPU.
 * @param ctx the context
 * @param row its number
 * @return the number in /dev/cpu/N; -1 where it does not apply
 */
int cxlmon_row_cpu(const struct cxlmon_ctx *ctx, size_t row);

/**
 * @brief The PCI address of the memory device behind its port.
 * @param ctx the context
 * @param row its number
 * @return such as "0000:35:00.0"; "" where it is not known
 */
const char *cxlmon_row_pci(const struct cxlmon_ctx *ctx, size_t row);

/**
 * @brief The name of the memory device behind its port, as `cxl list` has it.
 * @param ctx the context
 * @param row its number
 * @return such as "mem0"; "" where it is not known
 */
const char *cxlmon_row_device(const struct cxlmon_ctx *ctx, size_t row);

/**
 * @brief The NUMA node that this device's memory is in.
 * @param ctx the context
 * @param row its number
 * @return -1 where it is not known
 */
int cxlmon_row_node(const struct cxlmon_ctx *ctx, size_t row);

/**
 * @brief The time that was really counted, the shortest of the row's units.
 * @param ctx the context
 * @param row its number
 * @return seconds; NaN where nothing was counted
 */
double cxlmon_row_interval_s(const struct cxlmon_ctx *ctx, size_t row);

/**
 * @brief The smallest share of it that any value of the row was counted: less than 100 where events
 * took turns.
 * @param ctx the context
 * @param row its number
 * @return percent; NaN where nothing was counted
 */
double cxlmon_row_counted_pct(const struct cxlmon_ctx *ctx, size_t row);

/**
 * @brief A value.
 * @param ctx the context
 * @param row number of its row
 * @param column number of its column
 * @return in the column's unit; NaN where it is not known or does not apply, and in columns of
 * texts
 */
double cxlmon_value(const struct cxlmon_ctx *ctx, size_t row, size_t column);

/**
 * @brief What a value rests on ("rxc", "m2s_req", "tor"), or the text of a column of texts.
 * @param ctx the context
 * @param row number of its row
 * @param column number of its column
 * @return valid until the next sample; "" where it is not known
 */
const char *cxlmon_text(const struct cxlmon_ctx *ctx, size_t row, size_t column);

/** @} */

/**
 * @name Rows of events
 * @{
 */

/**
 * @brief The name of the event.
 * @param ctx the context
 * @param row its number
 * @return "" where the row is none of an event
 */
const char *cxlmon_row_event(const struct cxlmon_ctx *ctx, size_t row);

/**
 * @brief The kind of unit that counts it.
 * @param ctx the context
 * @param row its number
 * @return such as "cxlcm" or "cha"; "" where the row is none of an event
 */
const char *cxlmon_row_unit(const struct cxlmon_ctx *ctx, size_t row);

/**
 * @brief Which unit of that kind it is: the box id of the processor's discovery table.
 * @param ctx the context
 * @param row its number
 * @return -1 where the row is none of an event
 */
int cxlmon_row_box(const struct cxlmon_ctx *ctx, size_t row);

/**
 * @brief How often it happened in the interval.
 * @param ctx the context
 * @param row its number
 * @return a number of events; NaN where it is not known
 */
double cxlmon_row_events(const struct cxlmon_ctx *ctx, size_t row);

/**
 * @brief How often it happened a second.
 * @param ctx the context
 * @param row its number
 * @return events a second; NaN where it is not known
 */
double cxlmon_row_events_per_s(const struct cxlmon_ctx *ctx, size_t row);

/** @} */

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
