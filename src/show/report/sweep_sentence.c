/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/report/report_page.h"

#include <math.h>

#include "output/html.h"

static void put_ns(double ns, FILE *out)
{
	html_number(out, ns, 0);
	fputs(" ns", out);
}

static void put_three_digits(double value, FILE *out)
{
	html_number(out, value, value >= 100 ? 0 : value >= 10 ? 1 : 2);
}

static void put_GBps(double MBps, FILE *out)
{
	put_three_digits(MBps / 1e3, out);
	fputs(" GB/s", out);
}

/* "1 920 ns (6.00 times)" */
static void put_slower(const struct curve *c, double ns, FILE *out)
{
	put_ns(ns, out);
	if (!(c->unloaded_ns > 0))
		return;
	fputs(" (", out);
	put_three_digits(ns / c->unloaded_ns, out);
	fputs(" times)", out);
}

static void put_unloaded(const struct curve *c, FILE *out)
{
	fputs("a read takes ", out);
	put_ns(c->unloaded_ns, out);
	fputs(" without load", out);
	if (isnan(c->knee.ns))
		return;
	fputs(", ", out);
	put_ns(c->knee.ns, out);
	fputs(" at ", out);
	put_GBps(c->knee.MBps, out);
	fputs(" (the knee)", out);
}

/* Without the step that asks for all, the highest bandwidth is no peak. */
static void put_peak(const struct curve *c, FILE *out)
{
	const bool follows = !isnan(c->unloaded_ns);

	if (isnan(c->most.ns)) {
		fputs(follows ? "; its latency is not known" : "latency is not known", out);
	} else {
		fputs(follows ? ", and " : "a read takes ", out);
		put_slower(c, c->most.ns, out);
	}
	fputs(c->complete ? " at the peak, " : " at the highest load that was measured, ", out);
	put_GBps(c->most.MBps, out);
	fputs(".", out);
}

static void put_slowest(const struct curve *c, FILE *out)
{
	fputs(" It takes longest, ", out);
	put_slower(c, c->slowest.ns, out);
	fputs(", at ", out);
	put_GBps(c->slowest.MBps, out);
	fputs(".", out);
}

static const char *no_knee(const struct curve *c)
{
	if (isnan(c->unloaded_ns))
		return " Latency without load was not measured, so that no knee can be told.";
	if (c->slowest.ns >= KNEE_FACTOR * c->unloaded_ns)
		return " There is no knee: latency doubles, but not for good.";
	if (isnan(c->most.ns))
		return " Without it, no knee can be told.";
	return c->complete ? " There is no knee: latency does not double."
			   : " There is no knee up to there: latency does not double.";
}

void sweep_sentence(double read_share, const struct curve *c, FILE *out)
{
	html_number(out, 100 * read_share, 0);
	fputs(" % reads: ", out);
	if (isnan(c->most.MBps)) {
		fputs("nothing is known.", out);
		return;
	}
	if (!isnan(c->unloaded_ns))
		put_unloaded(c, out);
	put_peak(c, out);
	if (round(c->slowest.ns) > round(c->most.ns))
		put_slowest(c, out);
	if (isnan(c->knee.ns))
		fputs(no_knee(c), out);
}

#define LINE_BYTES    64
#define CHASE_FETCHES 2	   /* a prefetcher may add a line to each that the chase reads */
#define OTHERS_SHARE  0.05 /* of the highest bandwidth */

/* What the counters saw in a step without load, beyond what the chase can be; NAN: not known. */
static double other_MBps(const struct sweep_point *p)
{
	const double chase_MBps = CHASE_FETCHES * LINE_BYTES * 1e3 / p->chase_ns;

	return p->asked_MBps == 0 ? p->counted.read_MBps + p->counted.write_MBps - chase_MBps : NAN;
}

void sweep_others_sentence(const struct sweep_points *all, size_t first, size_t end, FILE *out)
{
	double others = 0, most = 0;

	for (size_t i = first; i < end; i++) {
		others = fmax(others, other_MBps(&all->points[i]));
		most = fmax(most, sweep_curve_point(all, i, BY_CHASE).MBps);
	}
	if (!(others > OTHERS_SHARE * most))
		return;
	fputs("<p>Not only the sweep used this memory: while it made no load, the counters saw ",
	      out);
	put_GBps(others, out);
	fputs(" more than its own reads. Latency without load, knee and peak are those beside such "
	      "traffic.</p>",
	      out);
}
