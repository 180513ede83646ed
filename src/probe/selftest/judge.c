/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/selftest/judge.h"

#include <math.h>

#define UNSEEN		0.05 /* part of the moved traffic below which a count misses it */
#define TO_CHA_NS	120.0
#define TO_CHA_SHARE	0.45
#define FROM_CORE_SHARE 0.05

const char *const judgement_names[] = {
	[JUDGED_AGREES] = "agrees",	[JUDGED_OFF] = "off",
	[JUDGED_UNSEEN] = "unseen",	[JUDGED_UNCLEAR] = "unclear",
	[JUDGED_DISPLACED] = "unclear", [JUDGED_NOT_COUNTED] = "not_counted",
};

struct judged judge_rate(const struct judge_figures *f)
{
	const double net = f->counted - f->idle, off = net - f->moved;
	const double tolerance = JUDGE_TOLERANCE * f->moved;
	struct judged judged = {.judgement = JUDGED_OFF, .off_pct = 100 * off / f->moved};

	if (isnan(off) || !(f->moved > 0))
		judged.judgement = JUDGED_NOT_COUNTED;
	else if (fabs(off) <= tolerance && f->noise <= tolerance)
		judged.judgement = JUDGED_AGREES;
	else if (fabs(off) <= tolerance + f->noise)
		judged.judgement = JUDGED_UNCLEAR;
	else if (off < 0 && -off <= f->idle + tolerance + f->noise)
		judged.judgement = JUDGED_DISPLACED;
	else if (net < UNSEEN * f->moved)
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

	if (!(chase_ns > 0) || isnan(counted_ns))
		judged.judgement = JUDGED_NOT_COUNTED;
	else if (counted_ns >= least && counted_ns <= most)
		judged.judgement = JUDGED_AGREES;
	return judged;
}

struct judged judge_step(enum judged_as as, const struct judge_figures *f)
{
	return as == JUDGED_AS_RATE
		       ? judge_rate(f)
		       : judge_latency(f->moved, f->counted, as == JUDGED_AS_LATENCY_FROM_CORE);
}

struct judged judge_all(const struct judged *steps, size_t count)
{
	struct judged all = {.judgement = JUDGED_NOT_COUNTED, .off_pct = NAN};
	size_t counted = 0, unseen = 0;

	for (size_t i = 0; i < count; i++) {
		struct judged step = steps[i];

		counted += step.judgement != JUDGED_NOT_COUNTED;
		unseen += step.judgement == JUDGED_UNSEEN;
		if (step.judgement == JUDGED_UNSEEN)
			step.judgement = JUDGED_OFF;
		if (step.judgement > all.judgement ||
		    (step.judgement == all.judgement && fabs(step.off_pct) > fabs(all.off_pct)))
			all = step;
	}
	if (counted && unseen == counted)
		all.judgement = JUDGED_UNSEEN;
	return all;
}
