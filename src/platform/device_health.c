/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/device_health.h"

#include <errno.h>
#include <math.h>

#include "base/coder.h"
#include "base/error.h"
#include "base/text.h"

/* Offsets in the answer; numbers are little-endian. */
#define HEALTH_STATUS	     0
#define MEDIA_STATUS	     1
#define ADDITIONAL_STATUS    2
#define LIFE_USED	     3
#define TEMPERATURE	     4
#define CORRECTED_VOLATILE   10
#define CORRECTED_PERSISTENT 14
#define ANSWER_SIZE	     18

#define HEALTH_STATUS_BITS 0xF
#define MEDIA_STATUS_BITS  0xFF

/* Fields of two bits in Additional Status: 0 normal, 1 warning, 2 critical. */
#define LIFE_SHIFT	  0
#define TEMPERATURE_SHIFT 2
#define WARNING		  1
#define CRITICAL	  2
#define ERRORS_BITS	  0x30 /* volatile, persistent */

#define LIFE_MOST 100 /* percent; FFh: the device does not report it */

static unsigned health_level(unsigned additional, unsigned shift, unsigned warning,
			     unsigned critical)
{
	const unsigned value = additional >> shift & 3;

	return value == WARNING ? warning : value == CRITICAL ? critical : 0;
}

unsigned device_state_decode(unsigned health_status, unsigned media_status,
			     unsigned additional_status)
{
	unsigned state = health_status & HEALTH_STATUS_BITS;

	state |= health_level(additional_status, LIFE_SHIFT, STATE_LIFE_WARNING,
			      STATE_LIFE_CRITICAL);
	state |= health_level(additional_status, TEMPERATURE_SHIFT, STATE_TEMPERATURE_WARNING,
			      STATE_TEMPERATURE_CRITICAL);
	if (additional_status & ERRORS_BITS)
		state |= STATE_ERRORS_WARNING;
	return state + DEVICE_MEDIA * (media_status & MEDIA_STATUS_BITS);
}

/* NAN: 7FFFh is "not implemented", and cxl list also takes FFFFh as such. */
double device_temperature(unsigned bits)
{
	return bits == 0x7FFF || bits == 0xFFFF ? NAN : (int16_t)bits;
}

static uint32_t word_at(const uint8_t *at)
{
	return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

int device_health_parse(const uint8_t *answer, size_t size, struct device_health *out)
{
	if (size < ANSWER_SIZE)
		return -EBADMSG;
	*out = (struct device_health){
		.state = device_state_decode(answer[HEALTH_STATUS], answer[MEDIA_STATUS],
					     answer[ADDITIONAL_STATUS]),
		.temperature_C = device_temperature(answer[TEMPERATURE] |
						    (unsigned)answer[TEMPERATURE + 1] << 8),
		.life_used_pct = NAN,
	};
	if (answer[LIFE_USED] <= LIFE_MOST)
		out->life_used_pct = answer[LIFE_USED];
	out->corrected_errors = (double)word_at(answer + CORRECTED_VOLATILE) +
				(double)word_at(answer + CORRECTED_PERSISTENT);
	return 0;
}

/* Codes a number within limits; NAN: unknown. */
static double code_within(struct coder *c, double number, double least, double most)
{
	const double coded = code_number(c, number);

	c->bad |= !c->out && !isnan(coded) && !(coded >= least && coded <= most);
	return coded;
}

void health_answer_code(struct coder *c, struct health_answer *answer)
{
	struct device_health *health = &answer->health;

	answer->device = code_count(c, answer->device, SIZE_MAX);
	answer->code = -(int)code_count(c, (size_t)-answer->code, ERRNO_MOST);
	answer->at_ns = code_varint(c, answer->at_ns);
	health->state = (unsigned)code_count(c, health->state, DEVICE_STATE_MOST);
	health->temperature_C = code_within(c, health->temperature_C, INT16_MIN, INT16_MAX);
	health->life_used_pct = code_within(c, health->life_used_pct, 0, LIFE_MOST);
	health->corrected_errors =
		code_within(c, health->corrected_errors, 0, 2 * (double)UINT32_MAX);
}

/* Names by media status. */
static const char *const media_names[] = {
	"normal",
	"not ready",
	"persistence lost",
	"data lost",
	"powerloss persistence loss",
	"shutdown persistence loss",
	"persistence loss imminent",
	"powerloss data loss",
	"shutdown data loss",
	"data loss imminent",
};

#define MEDIA_NAMES (sizeof(media_names) / sizeof(media_names[0]))

static void list_media(unsigned media, char text[DEVICE_HEALTH_TEXT_SIZE])
{
	if (media >= MEDIA_NAMES)
		text_list(text, DEVICE_HEALTH_TEXT_SIZE, "media status %u", media);
	else if (media)
		text_list(text, DEVICE_HEALTH_TEXT_SIZE, "media %s", media_names[media]);
}

const char *device_health_text(unsigned state, char text[DEVICE_HEALTH_TEXT_SIZE])
{
	static const struct {
		enum device_state bit;
		const char *words;
	} states[] = {
		{STATE_REPLACEMENT_NEEDED, "to be replaced"},
		{STATE_MAINTENANCE_NEEDED, "maintenance needed"},
		{STATE_PERFORMANCE_DEGRADED, "performance degraded"},
		{STATE_CAPACITY_DEGRADED, "capacity degraded"},
		{STATE_TEMPERATURE_CRITICAL, "temperature critical"},
		{STATE_TEMPERATURE_WARNING, "temperature high"},
		{STATE_LIFE_CRITICAL, "life nearly used up"},
		{STATE_LIFE_WARNING, "much of its life used"},
		{STATE_ERRORS_WARNING, "many corrected errors"},
	};

	*text = '\0';
	list_media(state / DEVICE_MEDIA, text);
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if (state & states[i].bit)
			text_list(text, DEVICE_HEALTH_TEXT_SIZE, "%s", states[i].words);
	if (!*text)
		text_list(text, DEVICE_HEALTH_TEXT_SIZE, "fine");
	return text;
}

unsigned device_state_of(double number)
{
	return number >= 0 && number <= DEVICE_STATE_MOST ? (unsigned)number : 0;
}
