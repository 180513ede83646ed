/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file cxlmon.h
 * @brief Live bandwidth, latency and events of CXL memory ports on Intel Xeon and AMD EPYC servers.
 *
 * A context is created, configured and started, and then provides a sample at each deadline:
 *
 *     cxlmon_new ──> cxlmon_set_..., cxlmon_add_event ──> cxlmon_start
 *         ──> (cxlmon_wait ──> cxlmon_sample ──> rows and values) repeated
 *         ──> cxlmon_stop ──> cxlmon_unref
 *
 * In an event loop, cxlmon_fd() and cxlmon_dispatch() take the place of cxlmon_wait(). With
 * cxlmon_set_recording(), samples are read from a file.
 *
 * A sample has rows (ports, sockets, the system; or one row per event and unit) and columns
 * (metrics). Rows and columns are numbered from 0; their order is fixed by cxlmon_start().
 *
 * **Errors.** Functions that return int return 0 or a negative errno, unless they say otherwise.
 * After an error, cxlmon_error() returns a message for the user, cxlmon_status() the kind of error,
 * and cxlmon_error_command() a command that fixes the problem or shows more about it. If a required
 * context or string is NULL, a function returns -EINVAL (#CXLMON_STATUS_USAGE) or an unknown value.
 *
 * **Unknown values** are NaN for numbers, "" for strings and -1 for indices, never 0. The same is
 * returned for rows and columns that do not exist. Exceptions are named where they occur.
 *
 * **Threads.** A context, and all pointers obtained from it, may be used by one thread at a time.
 * Different contexts may be used by different threads; the library has no global state. If several
 * contexts measure the same machine, even in one process, all except the first need
 * #CXLMON_OWNERSHIP_SHARE.
 *
 * **Locale.** Numbers in strings have decimal points in every locale. During a call that reads or
 * writes such numbers, the calling thread has the C locale. Log functions are called in the
 * program's locale.
 *
 * **Privileges.** Access to real hardware requires root, as for the program cxlmon; a simulated
 * machine, a recording, and the lists of metrics and events require nothing. The library installs
 * no signal handlers, drops no privileges, starts no processes, and writes nothing to standard
 * output or standard error.
 *
 * **Registers.** cxlmon_start() programs performance counters. cxlmon_stop() or the last
 * cxlmon_unref() restores all registers it has changed. If a process ends without calling them, its
 * journal remains in /run/cxlmon, from which the next run, or `cxlmon restore`, restores the
 * registers. A context must not be used in the child of a fork().
 *
 * **Compatibility.** Existing functions and values do not change; new functions, and new values at
 * the end of an enum, may be added. The symbol version of a function is LIBCXLMON_0, or the one
 * that its description names.
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

/** @brief A context: settings, the running measurement, and its last sample. */
struct cxlmon_ctx;

/** @brief Kinds of errors; the values are the exit statuses of the program cxlmon. */
enum cxlmon_status {
	CXLMON_STATUS_FINE = 0,	   /**< No error, or the end of a recording. */
	CXLMON_STATUS_FAILED = 1,  /**< Failed while running. */
	CXLMON_STATUS_USAGE = 2,   /**< Wrong usage. */
	CXLMON_STATUS_NO_UNIT = 3, /**< This machine has no unit that can be monitored. */
	CXLMON_STATUS_PERMISSION =
		4, /**< Missing rights, or forbidden by the kernel's configuration. */
	CXLMON_STATUS_IN_USE = 5, /**< Another program uses the counters. */
};

/** @brief Policies for counters that another program uses. */
enum cxlmon_ownership {
	CXLMON_OWNERSHIP_REFUSE = 0, /**< Fail, and write nothing. This is the default. */
	CXLMON_OWNERSHIP_SHARE = 1,  /**< Count only on free counters. */
	CXLMON_OWNERSHIP_FORCE = 2,  /**< Take the counters over, and restore them on stop. */
};

/** @brief Ways to reach counters. */
enum cxlmon_backend {
	CXLMON_BACKEND_RAW = 0,	 /**< Registers are programmed, read and restored. */
	CXLMON_BACKEND_PERF = 1, /**< The kernel counts, by perf_event_open(2). */
	/** Registers, or the kernel if registers are forbidden or in use. This is the default. */
	CXLMON_BACKEND_AUTO = 2,
};

/** @brief Kinds of rows, the finest first. */
enum cxlmon_scope {
	CXLMON_SCOPE_CPU = 0, /**< A logical CPU. */
	/** A CXL port, or a device, a node or another part: see cxlmon_row_scope_name(). */
	CXLMON_SCOPE_PORT = 1,
	CXLMON_SCOPE_SOCKET = 2, /**< A socket: its ports, CHAs and memory controllers. */
	CXLMON_SCOPE_SYSTEM = 3, /**< All sockets together. */
};

/** @brief Levels of log messages. */
enum cxlmon_log_level {
	CXLMON_LOG_WARNING = 0, /**< Something is missing, or was changed. */
	CXLMON_LOG_NOTE = 1,	/**< The way in which values were measured. */
	CXLMON_LOG_DETAIL = 2,	/**< Units and devices that were found. */
};

/**
 * @brief Receives a log message.
 * @param data as passed to cxlmon_set_log()
 * @param level the message's level
 * @param text one line without a newline, valid during the call; the function must not use the
 * context
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
 * @brief Creates a context. Defaults: metric groups "cxl,latency,dram" of this machine's ports,
 * once per second.
 * @param out the context, to be released with cxlmon_unref(); NULL after an error
 * @return 0, -ENOMEM, or -EINVAL: out is NULL
 */
int cxlmon_new(struct cxlmon_ctx **out);

/**
 * @brief Adds a reference.
 * @param ctx the context; NULL does nothing
 * @return ctx
 */
struct cxlmon_ctx *cxlmon_ref(struct cxlmon_ctx *ctx);

/**
 * @brief Releases a reference; the last one stops the context, if it is running, and frees it.
 * @param ctx the context; NULL does nothing
 * @return NULL
 */
struct cxlmon_ctx *cxlmon_unref(struct cxlmon_ctx *ctx);

/**
 * @brief Sets the function that receives log messages. May be called at any time.
 * @param ctx the context
 * @param log the function; NULL (default): messages are dropped
 * @param data its first argument
 */
void cxlmon_set_log(struct cxlmon_ctx *ctx, cxlmon_log_fn *log, void *data);

/** @} */

/**
 * @name What to measure
 * Each setting is called before cxlmon_start(), or after cxlmon_stop(). It returns 0; -EINVAL
 * (#CXLMON_STATUS_USAGE) if the value is invalid; -ENOMEM; or -EBUSY if the context is started.
 * Strings are copied. An error changes no setting.
 * @{
 */

/**
 * @brief Measures a simulated machine instead of this one, without privileges.
 * @param ctx the context
 * @param spec as for `--sim=`: "spr,sockets=2,read=20,clock=virtual", or a file that `cxlmon
 * snapshot` has written; NULL (default): real hardware. It is checked by cxlmon_start().
 * @return see above
 */
int cxlmon_set_sim(struct cxlmon_ctx *ctx, const char *spec);

/**
 * @brief Sets the directory that contains dev, sys, proc and run.
 * @param ctx the context
 * @param directory the directory; NULL (default): "/"
 * @return see above
 */
int cxlmon_set_root(struct cxlmon_ctx *ctx, const char *directory);

/**
 * @brief Reads a recording of `cxlmon record` instead of measuring, without privileges:
 * cxlmon_wait() returns at once, and cxlmon_sample() takes the next sample of the recording. Rows
 * and columns are the recorded ones, so all other settings have no effect.
 *
 * cxlmon_start() returns -EBADMSG if the file is not a recording. If the file is damaged,
 * incomplete or still being written, cxlmon_sample() takes all samples before that place, and then
 * returns -EBADMSG: no rows are left, and the context counts as stopped.
 * @param ctx the context
 * @param file name of the file; "-": standard input; NULL (default): no recording
 * @return see above
 * @since LIBCXLMON_1
 */
int cxlmon_set_recording(struct cxlmon_ctx *ctx, const char *file);

/**
 * @brief Sets the metric groups, which determine the columns.
 * @param ctx the context
 * @param groups comma separated: cxl, latency, dram, queue, link, upi, upilink, core, stall, path,
 * device, tiering, port, health, region, resctrl; or all
 * @return see above
 */
int cxlmon_set_metrics(struct cxlmon_ctx *ctx, const char *groups);

/**
 * @brief Chooses sockets: only these and their ports have rows and are programmed.
 * @param ctx the context
 * @param list as for `--socket=`: numbers such as "0" or "0,2-3"; NULL (default): all.
 * cxlmon_start() checks that the chosen sockets, ports and devices exist.
 * @return see above
 * @since LIBCXLMON_1
 */
int cxlmon_set_sockets(struct cxlmon_ctx *ctx, const char *list);

/**
 * @brief Chooses ports, by their numbers on each socket. The values of sockets and of the system
 * are sums over the chosen ports.
 * @param ctx the context
 * @param list as for `--port=`: numbers such as "1" or "0,2-3"; NULL (default): all
 * @return see above
 * @since LIBCXLMON_1
 */
int cxlmon_set_ports(struct cxlmon_ctx *ctx, const char *list);

/**
 * @brief Chooses the ports with these memory devices.
 * @param ctx the context
 * @param names as for `--device=` and cxlmon_row_device(): "mem0" or "mem0,mem2"; NULL (default):
 * all
 * @return see above
 * @since LIBCXLMON_1
 */
int cxlmon_set_devices(struct cxlmon_ctx *ctx, const char *names);

/**
 * @brief Adds an event, to be counted on each unit that has it. Events cannot be removed.
 *
 * A context with events has one row per event and unit, and no columns of metric groups. If the
 * finest scope is #CXLMON_SCOPE_SOCKET, it has one row per event and socket, with the sum over the
 * socket's units. If the finest scope is #CXLMON_SCOPE_SYSTEM, it has one row per event.
 * @param ctx the context
 * @param spec as for `-e`: a name, "cxlcm/event=0x41,umask=0x10/", or "{a,b}" to count both at the
 * same time. It is checked by cxlmon_start(), because events depend on the processor.
 * @return see above
 */
int cxlmon_add_event(struct cxlmon_ctx *ctx, const char *spec);

/**
 * @brief Adds a user-defined metric, a formula of events and metrics. Its column follows the
 * columns of cxlmon_set_metrics(); if that was not called, only user-defined metrics are columns.
 * @param ctx the context
 * @param definition as for `--metric=`: "a_MBps = UNC_CXLDP_TxC_AGF_INSERTS.M2S_REQ * 64 bytes". It
 * is checked by cxlmon_start(), because events depend on the processor.
 * @return see above
 * @since LIBCXLMON_1
 */
int cxlmon_add_metric(struct cxlmon_ctx *ctx, const char *definition);

/**
 * @brief Sets the interval between deadlines; the default is 1 s.
 * @param ctx the context
 * @param ns nanoseconds, from 100000 (100 us) to a year of 365 days
 * @return see above
 */
int cxlmon_set_interval_ns(struct cxlmon_ctx *ctx, uint64_t ns);

/**
 * @brief Sets the finest rows; rows of all coarser scopes follow.
 * @param ctx the context
 * @param finest the default is #CXLMON_SCOPE_PORT
 * @return see above
 */
int cxlmon_set_scope(struct cxlmon_ctx *ctx, enum cxlmon_scope finest);

/**
 * @brief Sets the policy for counters that another program uses.
 * @param ctx the context
 * @param ownership the default is #CXLMON_OWNERSHIP_REFUSE
 * @return see above
 */
int cxlmon_set_ownership(struct cxlmon_ctx *ctx, enum cxlmon_ownership ownership);

/**
 * @brief Sets the way to reach counters. If #CXLMON_BACKEND_AUTO has to do without registers, a log
 * message says why.
 * @param ctx the context
 * @param backend the default is #CXLMON_BACKEND_AUTO
 * @return see above
 * @since LIBCXLMON_1
 */
int cxlmon_set_backend(struct cxlmon_ctx *ctx, enum cxlmon_backend backend);

/**
 * @brief The backend in use.
 * @param ctx a context that is running
 * @return #CXLMON_BACKEND_RAW or #CXLMON_BACKEND_PERF; -EINVAL, without an error message, if the
 * context is not started or reads a recording
 * @since LIBCXLMON_1
 */
int cxlmon_backend(const struct cxlmon_ctx *ctx);

/** @} */

/**
 * @name Metrics and events
 * Metrics are numbered from 0 to cxlmon_metric_count() - 1, events from 0 to cxlmon_event_count() -
 * 1. Metrics that a processor does not have are unknown in each sample.
 * @{
 */

/**
 * @brief The number of metrics that the library knows. Each is a column, if its group is chosen.
 * @return the number, which is constant
 * @since LIBCXLMON_1
 */
size_t cxlmon_metric_count(void);

/**
 * @brief A metric's name, which is also its column's.
 * @param metric number of the metric
 * @return a constant; "" if there is no such metric
 * @since LIBCXLMON_1
 */
const char *cxlmon_metric_name(size_t metric);

/**
 * @brief A metric's group, as cxlmon_set_metrics() takes it.
 * @param metric number of the metric
 * @return a constant such as "cxl"; "" if there is no such metric
 * @since LIBCXLMON_1
 */
const char *cxlmon_metric_group(size_t metric);

/**
 * @brief A metric's unit; 1 MB is 10^6 bytes.
 * @param metric number of the metric
 * @return a constant such as "MB/s" or "ns"; "": none
 * @since LIBCXLMON_1
 */
const char *cxlmon_metric_unit(size_t metric);

/**
 * @brief A short description of a metric.
 * @param metric number of the metric
 * @return a constant; "" if there is no such metric
 * @since LIBCXLMON_1
 */
const char *cxlmon_metric_help(size_t metric);

/**
 * @brief Lists the named events of the processor: of this machine, or of the one set by
 * cxlmon_set_sim() or cxlmon_set_root(). It needs no privileges, programs nothing, and may be
 * called at any time.
 * @param ctx the context
 * @return 0, or a negative errno: then the list stays as it was
 * @since LIBCXLMON_1
 */
int cxlmon_list_events(struct cxlmon_ctx *ctx);

/**
 * @brief The number of events in the list.
 * @param ctx the context
 * @return 0 before cxlmon_list_events()
 * @since LIBCXLMON_1
 */
size_t cxlmon_event_count(const struct cxlmon_ctx *ctx);

/**
 * @brief An event's name, for cxlmon_add_event().
 * @param ctx the context
 * @param event number of the event
 * @return such as "UNC_CXLCM_CLOCKTICKS"; "" if no event has this number. The strings of an event
 * are valid until the next cxlmon_list_events() or the last cxlmon_unref().
 * @since LIBCXLMON_1
 */
const char *cxlmon_event_name(const struct cxlmon_ctx *ctx, size_t event);

/**
 * @brief The type of the units that count the event.
 * @param ctx the context
 * @param event number of the event
 * @return such as "cxlcm", "cha" or "core"; "" if there is no such event
 * @since LIBCXLMON_1
 */
const char *cxlmon_event_unit(const struct cxlmon_ctx *ctx, size_t event);

/**
 * @brief A short description of an event.
 * @param ctx the context
 * @param event number of the event
 * @return "" if the event has none
 * @since LIBCXLMON_1
 */
const char *cxlmon_event_help(const struct cxlmon_ctx *ctx, size_t event);

/** @} */

/**
 * @name Measuring
 * @{
 */

/**
 * @brief Opens the machine, programs its counters and starts them. The first deadline is one
 * interval later. If earlier runs were killed, the registers that they changed are restored first.
 *
 * Waits while another run programs its counters, for 2 s at most. After an error all registers are
 * restored, and the function may be called again.
 * @param ctx the context
 * @return 0 or a negative errno; -EBUSY: the context is already started (#CXLMON_STATUS_USAGE), or
 * counters are in use (#CXLMON_STATUS_IN_USE)
 */
int cxlmon_start(struct cxlmon_ctx *ctx);

/**
 * @brief Sleeps until the next deadline; returns at once if it has passed. Deadlines are whole
 * intervals after cxlmon_start(): a late sample does not delay later ones. Multiplexed events
 * rotate meanwhile.
 * @param ctx the context, started
 * @return 0; -EINTR: a signal handler has run, and the caller may wait again; -EINVAL: not started;
 * or another negative errno
 */
int cxlmon_wait(struct cxlmon_ctx *ctx);

/**
 * @brief Reads the counters and computes the values of the interval since the previous sample or,
 * for the first sample, since cxlmon_start(). It may be called before the deadline.
 *
 * If a unit cannot be read, its values are unknown, and a warning is logged once.
 * @param ctx the context, started
 * @return 0 or a negative errno; -EINVAL: not started; -ENODATA (#CXLMON_STATUS_FINE): the
 * recording has ended, and its last sample stays available
 */
int cxlmon_sample(struct cxlmon_ctx *ctx);

/**
 * @brief A file descriptor for poll(), select(), epoll or an event loop, instead of cxlmon_wait().
 * It becomes readable when cxlmon_dispatch() must be called: when the next sample is due, or
 * earlier to rotate multiplexed events. It is never readable while nothing is measured.
 *
 *     poll(&(struct pollfd){.fd = cxlmon_fd(ctx), .events = POLLIN}, 1, -1);
 *     if (cxlmon_dispatch(ctx) == 1)
 *         cxlmon_sample(ctx);
 *
 * @param ctx the context
 * @return the descriptor, always the same one, or a negative errno such as -EMFILE. The context
 * owns it until the last cxlmon_unref(): it must be neither read nor closed.
 * @since LIBCXLMON_1
 */
int cxlmon_fd(struct cxlmon_ctx *ctx);

/**
 * @brief Rotates multiplexed events if that is due. Never sleeps.
 * @param ctx the context, started
 * @return 1: the next sample is due, and cxlmon_sample() should be called; 0: not yet; or a
 * negative errno, -EINVAL: not started
 * @since LIBCXLMON_1
 */
int cxlmon_dispatch(struct cxlmon_ctx *ctx);

/**
 * @brief Stops measuring, and restores all registers that were changed. Does nothing if not
 * started. The last sample stays available until the next cxlmon_start().
 * @param ctx the context
 * @return 0, or a negative errno: then some registers are not restored yet, the journal is kept,
 * and another call of this function, or the last cxlmon_unref(), tries again
 */
int cxlmon_stop(struct cxlmon_ctx *ctx);

/** @} */

/**
 * @name Errors
 * The error of the last function of this context that returned a negative errno; later functions
 * that succeed leave it as it is. Strings are valid until the next call of a function that can
 * return a negative errno.
 * @{
 */

/**
 * @brief The error message: what failed, on which device, register or file, and the kernel's error.
 * @param ctx the context
 * @return one line without a newline; "": no error
 */
const char *cxlmon_error(const struct cxlmon_ctx *ctx);

/**
 * @brief A command that fixes the problem or shows more about it.
 * @param ctx the context
 * @return a shell command; "" if there is none
 */
const char *cxlmon_error_command(const struct cxlmon_ctx *ctx);

/**
 * @brief The kind of the error.
 * @param ctx the context
 * @return #CXLMON_STATUS_FINE: no error, or the end of a recording
 */
enum cxlmon_status cxlmon_status(const struct cxlmon_ctx *ctx);

/** @} */

/**
 * @name The sample
 * Properties of the whole sample. Strings are valid until the next cxlmon_start() or the last
 * cxlmon_unref().
 * @{
 */

/**
 * @brief The processor's short name, such as "spr" (Sapphire Rapids), "gnr", "turin" or "vera".
 * @param ctx the context
 * @return "" before the first start
 */
const char *cxlmon_model(const struct cxlmon_ctx *ctx);

/**
 * @brief The time of the sample: the end of its interval.
 * @param ctx the context
 * @return nanoseconds since 1970, UTC; 0 before the first sample
 */
uint64_t cxlmon_time_ns(const struct cxlmon_ctx *ctx);

/**
 * @brief The number of deadlines missed since the previous sample.
 * @param ctx the context
 * @return a number of deadlines; 0 before the first sample
 */
uint64_t cxlmon_missed(const struct cxlmon_ctx *ctx);

/**
 * @brief The number of units that could not be read in this sample.
 * @param ctx the context
 * @return a number of units; 0 before the first sample
 */
size_t cxlmon_lost_units(const struct cxlmon_ctx *ctx);

/** @} */

/**
 * @name Marks
 * Events of devices and links during the interval, numbered from 0 in the order in which they were
 * found, at most 32 per sample. Strings are valid until the next sample.
 * @{
 */

/**
 * @brief The number of marks of the sample.
 * @param ctx the context
 * @return 0 if nothing happened
 * @since LIBCXLMON_1
 */
size_t cxlmon_mark_count(const struct cxlmon_ctx *ctx);

/**
 * @brief The time of a mark.
 * @param ctx the context
 * @param mark number of the mark
 * @return nanoseconds since 1970, UTC; 0 if the mark does not exist
 * @since LIBCXLMON_1
 */
uint64_t cxlmon_mark_time_ns(const struct cxlmon_ctx *ctx, size_t mark);

/**
 * @brief The kind of a mark: "link" (a link's width or speed has changed, or it is down), "device"
 * (a device is gone, or has returned), "event" (a CXL device's event, as the kernel reports it) or
 * "health" (a device's health has changed).
 * @param ctx the context
 * @param mark number of the mark
 * @return one of these, or "other" if a later version recorded it; "" if there is no such mark
 * @since LIBCXLMON_1
 */
const char *cxlmon_mark_kind(const struct cxlmon_ctx *ctx, size_t mark);

/**
 * @brief The memory device of a mark.
 * @param ctx the context
 * @param mark number of the mark
 * @return such as "mem0"; "" if the mark has no device, or there is no such mark
 * @since LIBCXLMON_1
 */
const char *cxlmon_mark_device(const struct cxlmon_ctx *ctx, size_t mark);

/**
 * @brief The description of a mark, without the device.
 * @param ctx the context
 * @param mark number of the mark
 * @return printable UTF-8; "" if there is no such mark
 * @since LIBCXLMON_1
 */
const char *cxlmon_mark_text(const struct cxlmon_ctx *ctx, size_t mark);

/** @} */

/**
 * @name Columns
 * If events are counted, only user-defined metrics are columns. In a recording with events, other
 * metrics may be columns, too. Rows of events have no values, and other rows have no events.
 * Strings are valid until the next cxlmon_start() or the last cxlmon_unref().
 * @{
 */

/**
 * @brief The number of columns.
 * @param ctx the context
 * @return 0 before the first start
 */
size_t cxlmon_column_count(const struct cxlmon_ctx *ctx);

/**
 * @brief Finds a column by name.
 * @param ctx the context
 * @param name such as "cxl_mem_read_MBps"
 * @return the column's number; cxlmon_column_count() if there is none
 */
size_t cxlmon_find_column(const struct cxlmon_ctx *ctx, const char *name);

/**
 * @brief A column's name, as in the program's CSV.
 * @param ctx the context
 * @param column number of the column
 * @return "" if there is no such column
 */
const char *cxlmon_column_name(const struct cxlmon_ctx *ctx, size_t column);

/**
 * @brief A column's unit; 1 MB is 10^6 bytes.
 * @param ctx the context
 * @param column number of the column
 * @return such as "MB/s" or "ns"; "": none
 */
const char *cxlmon_column_unit(const struct cxlmon_ctx *ctx, size_t column);

/**
 * @brief A short description of a column.
 * @param ctx the context
 * @param column number of the column
 * @return "" if there is no such column
 */
const char *cxlmon_column_help(const struct cxlmon_ctx *ctx, size_t column);

/**
 * @brief Tells if a column has strings instead of numbers.
 * @param ctx the context
 * @param column number of the column
 * @return 1: cxlmon_text() has them; 0: numbers, or the column does not exist
 * @since LIBCXLMON_1
 */
int cxlmon_column_is_text(const struct cxlmon_ctx *ctx, size_t column);

/** @} */

/**
 * @name Rows
 * Rows are ordered by scope, the finest first and the system last. Strings are valid until the next
 * cxlmon_start() or the last cxlmon_unref(), unless a function says otherwise.
 * @{
 */

/**
 * @brief The number of rows.
 * @param ctx the context
 * @return 0 before the first start
 */
size_t cxlmon_row_count(const struct cxlmon_ctx *ctx);

/**
 * @brief A row's scope.
 * @param ctx the context
 * @param row number of the row
 * @return #CXLMON_SCOPE_SYSTEM if the row does not exist
 */
enum cxlmon_scope cxlmon_row_scope(const struct cxlmon_ctx *ctx, size_t row);

/**
 * @brief A row's scope, as in CSV: "cpu", "port", "socket" or "system". Rows of other parts also
 * have #CXLMON_SCOPE_PORT:
 *
 * - "ccm" on AMD's Venice, numbered by cxlmon_row_port()
 * - "domain": an L3 domain, numbered by cxlmon_row_port()
 * - "device": a CXL device whose port is unknown
 * - "node": a NUMA node
 * - "group": a resctrl group
 * @param ctx the context
 * @param row number of the row
 * @return a constant; "system" if the row does not exist
 * @since LIBCXLMON_1
 */
const char *cxlmon_row_scope_name(const struct cxlmon_ctx *ctx, size_t row);

/**
 * @brief A row's socket.
 * @param ctx the context
 * @param row number of the row
 * @return -1 if not applicable
 */
int cxlmon_row_socket(const struct cxlmon_ctx *ctx, size_t row);

/**
 * @brief A row's port, numbered from 0 on each socket.
 * @param ctx the context
 * @param row number of the row
 * @return -1 if not applicable
 */
int cxlmon_row_port(const struct cxlmon_ctx *ctx, size_t row);

/**
 * @brief A row's CPU.
 * @param ctx the context
 * @param row number of the row
 * @return the number in /dev/cpu/N; -1 if not applicable
 */
int cxlmon_row_cpu(const struct cxlmon_ctx *ctx, size_t row);

/**
 * @brief The PCI address of the memory device attached to the row's port.
 * @param ctx the context
 * @param row number of the row
 * @return such as "0000:35:00.0"; "" if unknown
 */
const char *cxlmon_row_pci(const struct cxlmon_ctx *ctx, size_t row);

/**
 * @brief The name of the memory device attached to the row's port, as in `cxl list`.
 * @param ctx the context
 * @param row number of the row
 * @return such as "mem0"; "" if unknown
 */
const char *cxlmon_row_device(const struct cxlmon_ctx *ctx, size_t row);

/**
 * @brief The NUMA node of the memory of the row's device; in a row of scope "node", the node
 * itself.
 * @param ctx the context
 * @param row number of the row
 * @return -1 if unknown
 */
int cxlmon_row_node(const struct cxlmon_ctx *ctx, size_t row);

/**
 * @brief The time during which the row's events were counted; if its units differ, the shortest.
 * @param ctx the context
 * @param row number of the row
 * @return seconds; NaN if nothing was counted
 */
double cxlmon_row_interval_s(const struct cxlmon_ctx *ctx, size_t row);

/**
 * @brief The percentage of the interval in which the row's events were counted. Multiplexed events
 * have less than 100. If the row's values differ, the smallest percentage.
 * @param ctx the context
 * @param row number of the row
 * @return percent; NaN if nothing was counted
 */
double cxlmon_row_counted_pct(const struct cxlmon_ctx *ctx, size_t row);

/**
 * @brief A value.
 * @param ctx the context
 * @param row number of its row
 * @param column number of its column
 * @return in the column's unit; NaN if unknown or not applicable, and in text columns
 */
double cxlmon_value(const struct cxlmon_ctx *ctx, size_t row, size_t column);

/**
 * @brief Copies the values of all rows and columns, row by row; for languages in which a call is
 * expensive.
 * @param ctx the context
 * @param values receives the values, as cxlmon_value() returns them; NULL: nothing is copied
 * @param count size of the array in values; further values are not copied
 * @return the number of values that exist, cxlmon_row_count() times cxlmon_column_count()
 * @since LIBCXLMON_1
 */
size_t cxlmon_values(const struct cxlmon_ctx *ctx, double *values, size_t count);

/**
 * @brief The string in a text column; in a column of numbers, the name of the value's source, such
 * as "rxc", "m2s_req" or "tor".
 * @param ctx the context
 * @param row number of its row
 * @param column number of its column
 * @return a string valid until the next sample; "" if unknown
 */
const char *cxlmon_text(const struct cxlmon_ctx *ctx, size_t row, size_t column);

/** @} */

/**
 * @name Rows of events
 * @{
 */

/**
 * @brief A row's event.
 * @param ctx the context
 * @param row number of the row
 * @return "" if the row has no event
 */
const char *cxlmon_row_event(const struct cxlmon_ctx *ctx, size_t row);

/**
 * @brief The type of the unit that counts the event.
 * @param ctx the context
 * @param row number of the row
 * @return such as "cxlcm" or "cha"; "" if the row has no event
 */
const char *cxlmon_row_unit(const struct cxlmon_ctx *ctx, size_t row);

/**
 * @brief The number of the row's unit: its id in the processor's discovery table.
 * @param ctx the context
 * @param row number of the row
 * @return -1 if the row has no event, or is a sum over several units
 */
int cxlmon_row_box(const struct cxlmon_ctx *ctx, size_t row);

/**
 * @brief The number of events in the interval.
 * @param ctx the context
 * @param row number of the row
 * @return number of events; NaN if unknown
 */
double cxlmon_row_events(const struct cxlmon_ctx *ctx, size_t row);

/**
 * @brief The number of events per second.
 * @param ctx the context
 * @param row number of the row
 * @return events per second; NaN if unknown
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
