/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/explain_what_if.h"

#include <errno.h>

#include "cli/calibration.h"
#include "show/explain/explain.h"

int explain_what_if(struct options *options, int (*use)(struct options *options, struct error *err),
		    struct error *err)
{
	char processor[RECORDED_PROCESSOR_SIZE];
	struct what_if what_if;
	int rc;

	if (!options->calibration)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "explain: without a calibration of this machine nothing can be "
				 "predicted: expected --calibration=FILE, of: sudo cxlmon sweep "
				 "--calibrate FILE");
	rc = calibration_read(options, &what_if, processor, err);
	if (rc)
		return rc;
	options->format =
		options->format == &format_explain_json ? &format_what_if_json : &format_what_if;
	options->target = &what_if;
	rc = use(options, err);
	options->target = NULL;
	if (!rc && what_if.why.code) {
		*err = what_if.why;
		rc = err->code;
	}
	return rc;
}
