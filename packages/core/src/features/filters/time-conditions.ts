import { dayOf } from '../../kernel/time-zone.ts'
import type { NamedCondition } from '../../ports/index.ts'
import { compareField, NOTHING } from './compare-field.ts'
import type { BuildCondition } from './filter-context.ts'
import type { FilterField } from './filter-fields.ts'
import { FilterValueError, requireDays, requireRange } from './filter-values.ts'
import {
  addDays,
  afterDay,
  afterTime,
  type Bounds,
  beforeDay,
  beforeTime,
  boundsOfDays,
  type Moment,
  parseDay,
  parseTime,
} from './time-bounds.ts'

/** The conditions of times and days, by type and operator. */
export const TIME_CONDITIONS: Readonly<Record<string, BuildCondition>> = {
  'time is': (field, value, context) => within(field, requireTime(value, context)),
  'time before': (field, value, context) => within(field, beforeTime(requireTime(value, context))),
  'time after': (field, value, context) => within(field, afterTime(requireTime(value, context))),
  'time between': async (field, value, context) => {
    const [first, last] = await requireRange(value, (each) => requireTime(each, context))
    return within(field, { from: first.from, to: last.to })
  },
  'time in_last': (field, value, { now, timeZone }) => {
    const first = addDays(dayOf(now, timeZone), -requireDays(value))
    return within(field, { from: boundsOfDays(first, first, timeZone).from, to: now })
  },
  'time in_next': (field, value, { now, timeZone }) => {
    const last = addDays(dayOf(now, timeZone), requireDays(value))
    return within(field, { from: now, to: boundsOfDays(last, last, timeZone).to })
  },
  'day is': (field, value, context) => {
    const day = requireDay(value, context)
    return within(field, { from: day, to: day })
  },
  'day before': (field, value, context) => within(field, beforeDay(requireDay(value, context))),
  'day after': (field, value, context) => within(field, afterDay(requireDay(value, context))),
  'day between': async (field, value, context) => {
    const [from, to] = await requireRange(value, (each) => requireDay(each, context))
    return within(field, { from, to })
  },
  'day in_last': (field, value, { now, timeZone }) => {
    const to = dayOf(now, timeZone)
    return within(field, { from: addDays(to, -requireDays(value)), to })
  },
  'day in_next': (field, value, { now, timeZone }) => {
    const from = dayOf(now, timeZone)
    return within(field, { from, to: addDays(from, requireDays(value)) })
  },
}

function within(field: FilterField, bounds: Bounds | undefined): NamedCondition {
  if (!bounds) return NOTHING
  const { from, to } = bounds
  return {
    allOf: [
      ...(from === undefined ? [] : [compareField(field, { from })]),
      ...(to === undefined ? [] : [compareField(field, { to })]),
    ],
  }
}

const TIME_RULE =
  'Must be a day such as 2026-03-01, a date-time such as 2026-03-01T12:00:00Z, or one of: today, yesterday, tomorrow.'

function requireTime(value: unknown, moment: Moment): Required<Bounds> {
  const bounds = parseTime(value, moment)
  if (!bounds) throw new FilterValueError(TIME_RULE)
  return bounds
}

function requireDay(value: unknown, moment: Moment): string {
  const day = parseDay(value, moment)
  if (day === undefined)
    throw new FilterValueError('Must be a day such as 2026-03-01, or one of: today, yesterday, tomorrow.')
  return day
}
