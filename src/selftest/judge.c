/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/judge.h"

#include <math.h>

#define UNSEEN		0.05 /* less than this part of what was moved does not show it */
#define TO_CHA_NS	120.0
#define TO_CHA_SHARE	0.45
#define FROM_CORE_SHARE 0.05

struct judged judge_rate(const struct judge_rates *r)
{
	const double net = r->counted - r->idle, off = net - r->moved;
	const double tolerance = JUDGE_TOLERANCE * r->moved;
	struct judged judged = {.judgement = JUDGED_OFF, .off_pct = 100 * off / r->moved};

	if (isnan(off) || !(r->moved > 0))
		judged.judgement = JUDGED_NOT_COUNTED;
	else if (fabs(off) <= tolerance && r->noise <= tolerance)
		judged.judgement = JUDGED_AGREES;
	else if (fabs(off) <= tolerance + r->noise)
		judged.judgement = JUDGED_UNCLEAR;
	else if (off < 0 && -off <= r->idle + tolerance + r->noise)
		judged.judgement = JUDGED_DISPLACED;
	else if (net < UNSEEN * r->moved)
		judged.judgement = JUDGED_UNSEEN;
	return judged;
}

struct judged judge_latency(double chase_ns, double counted_ns, bool from_core)
{
	const double to_cha = fmin(TO_CHA_NS, TO_CHA_SHARE * chase_ns);
	const double least = chase_ns - (from_core ? FROM_CORE_SHARE * chase_ns : to_cha);
	const double most = (1 + (from_core ? FROM_CORE_SHARE : JUDGE_TOLERANCE)) * chase_ns;
	struct judged judged = {.judgement = JUDGED_OFF,
				.off_pct = 100 * (counted_ns - chase_ns) / chase_ns};

	if (isnan(judged.off_pct))
		judged.judgement = JUDGED_NOT_COUNTED;
	else if (counted_ns >= least && counted_ns <= most)
		judged.judgement = JUDGED_AGREES;
	return judged;
}

static size_t count_of(const struct judged *steps, size_t count, enum judgement judgement)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++)
		found += steps[i].judgement == judgement;
	return found;
}

/* The largest difference among the steps that this judgement holds for. */
static struct judged worst(const struct judged *steps, size_t count, enum judgement judgement)
{
	struct judged out = {.judgement = judgement, .off_pct = NAN};

	for (size_t i = 0; i < count; i++)
		if (steps[i].judgement == judgement &&
		    !(fabs(steps[i].off_pct) <= fabs(out.off_pct)))
			out.off_pct = steps[i].off_pct;
	return out;
}

struct judged judge_all(const struct judged *steps, size_t count)
{
	const size_t unseen = count_of(steps, count, JUDGED_UNSEEN);
	const size_t known = count - count_of(steps, count, JUDGED_NOT_COUNTED);

	if (!known)
		return (struct judged){.judgement = JUDGED_NOT_COUNTED, .off_pct = NAN};
	if (unseen == known)
		return worst(steps, count, JUDGED_UNSEEN);
	if (count_of(steps, count, JUDGED_OFF) + unseen) {
		const struct judged off = worst(steps, count, JUDGED_OFF);
		struct judged not_seen = worst(steps, count, JUDGED_UNSEEN);

		not_seen.judgement = JUDGED_OFF;
		return fabs(not_seen.off_pct) > fabs(off.off_pct) || isnan(off.off_pct) ? not_seen
											: off;
	}
	if (count_of(steps, count, JUDGED_DISPLACED))
		return worst(steps, count, JUDGED_DISPLACED);
	if (count_of(steps, count, JUDGED_UNCLEAR))
		return worst(steps, count, JUDGED_UNCLEAR);
	return worst(steps, count, JUDGED_AGREES);
}
