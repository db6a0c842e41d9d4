import { isUuid } from '../../kernel/field-schemas.ts'
import { foldText } from '../../kernel/fold-text.ts'
import { dayOf } from '../../kernel/time-zone.ts'
import type { Comparison, NamedCondition } from '../../ports/index.ts'
import { customValueFacet, listFacet, optionFacet, tagFacet } from '../../schema/facets.ts'
import type { FilterField } from './filter-fields.ts'
import {
  FilterValueError,
  requireDays,
  requireEach,
  requireFlag,
  requireNumber,
  requireRange,
  requireText,
} from './filter-values.ts'
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

/** Whom and what the values of a filter name. */
export interface FilterContext extends Moment {
  /** Whom `me` stands for. */
  readonly userId: string
  /** The members of the teams of `me`, whom `my_team` stands for. */
  findTeammates(): Promise<readonly string[]>
  /** The owners that the API shows as nobody. */
  findRemovedMembers(): Promise<readonly string[]>
  /** The id of a live tag by its id or key, or of a list. */
  findOption(kind: string, name: string): Promise<string | undefined>
}

type Build = (
  field: FilterField,
  value: unknown,
  context: FilterContext,
) => NamedCondition | Promise<NamedCondition>

const NOTHING: NamedCondition = { anyOf: [] }

const BUILDERS: Readonly<Record<string, Build>> = {
  'text is': (field, value) => equalsText(field, requireText(value)),
  'text any_of': async (field, value) => ({
    anyOf: (await requireEach(value, requireText)).map((each) => equalsText(field, each)),
  }),
  'text contains': (field, value) => compare(field, { contains: requireFolded(value) }),
  'text begins_with': (field, value) => compare(field, { beginsWith: requireFolded(value) }),
  'number is': (field, value) => {
    const number = requireNumber(value, !field.custom)
    return field.custom
      ? facet(customValueFacet(field.custom.id, number))
      : { field: field.column, is: number }
  },
  'number greater': (field, value) => {
    const from = requireNumber(value, !field.custom)
    return { allOf: [compare(field, { from }), { not: compare(field, { to: from }) }] }
  },
  'number less': (field, value) => {
    const to = requireNumber(value, !field.custom)
    return { allOf: [compare(field, { to }), { not: compare(field, { from: to }) }] }
  },
  'number between': async (field, value) => {
    const [from, to] = await requireRange(value, (each) => requireNumber(each, !field.custom))
    return { allOf: [compare(field, { from }), compare(field, { to })] }
  },
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
  'flag is': (field, value) => ({ field: field.column, is: requireFlag(value) }),
  'choice is': (field, value) => chosen(field, [requireChoice(field, value)]),
  'choice any_of': async (field, value) =>
    chosen(field, await requireEach(value, (each) => requireChoice(field, each))),
  'record is': (field, value) => ({ field: field.column, oneOf: [requireId(value)] }),
  'record any_of': async (field, value) => ({
    field: field.column,
    oneOf: await requireEach(value, requireId),
  }),
  'owner is': (field, value, context) => owned(field, value, context),
  'owner any_of': async (field, value, context) => ({
    anyOf: await requireEach(value, (each) => owned(field, each, context)),
  }),
  'owner is_empty': (field, _, context) => owned(field, 'nobody', context),
  'options any_of': async (field, value, context) => hasAny(await readOptions(field, value, context)),
  'options all_of': async (field, value, context) => {
    const facets = await readOptions(field, value, context)
    return facets.includes(undefined) ? NOTHING : { allOf: facets.map((each) => facet(each!)) }
  },
  'options none_of': async (field, value, context) => ({
    not: hasAny(await readOptions(field, value, context)),
  }),
  'options is_empty': ({ column, custom }) =>
    custom ? member(custom.id, { is: null }) : { field: column, isEmpty: true },
}

/** Operators that are the opposite of another one. */
const OPPOSITES: Readonly<Record<string, string>> = { is_not: 'is', is_not_empty: 'is_empty' }

/**
 * Builds the condition of an operator that the field has.
 * @throws FilterValueError
 */
export async function buildFieldCondition(
  field: FilterField,
  op: string,
  value: unknown,
  context: FilterContext,
): Promise<NamedCondition> {
  const opposite = OPPOSITES[op]
  if (opposite !== undefined) return { not: await buildFieldCondition(field, opposite, value, context) }
  if (op === 'is_empty' && value !== undefined) throw new FilterValueError('Must be left out.')
  const build = BUILDERS[`${field.type} ${op}`] ?? (op === 'is_empty' ? isEmpty : undefined)
  if (!build) throw new TypeError(`No condition for ${op} of ${field.type}.`)
  return build(field, value, context)
}

function isEmpty({ column, custom, isRequired }: FilterField): NamedCondition {
  if (custom) return member(custom.id, { is: null })
  return isRequired ? NOTHING : { field: column, is: null }
}

function compare({ column, custom }: FilterField, comparison: Comparison): NamedCondition {
  return custom ? member(custom.id, comparison) : { field: column, ...comparison }
}

function within(field: FilterField, bounds: Bounds | undefined): NamedCondition {
  if (!bounds) return NOTHING
  const { from, to } = bounds
  return {
    allOf: [
      ...(from === undefined ? [] : [compare(field, { from })]),
      ...(to === undefined ? [] : [compare(field, { to })]),
    ],
  }
}

function equalsText(field: FilterField, text: string): NamedCondition {
  if (field.custom) return facet(customValueFacet(field.custom.id, text))
  return { field: field.column, equalsText: text }
}

function chosen({ column, custom }: FilterField, choices: readonly string[]): NamedCondition {
  if (!custom) return { field: column, oneOf: choices }
  return hasAny(choices.map((choice) => optionFacet(custom.id, choice)))
}

async function owned(field: FilterField, value: unknown, context: FilterContext): Promise<NamedCondition> {
  const { column } = field
  if (value === 'me') return { field: column, oneOf: [context.userId] }
  if (value === 'my_team') return { field: column, oneOf: [...(await context.findTeammates())] }
  if (value === 'nobody')
    return {
      anyOf: [
        { field: column, is: null },
        { field: column, oneOf: [...(await context.findRemovedMembers())] },
      ],
    }
  if (typeof value !== 'string' || !isUuid(value))
    throw new FilterValueError('Must be the id of a member, or one of: me, my_team, nobody.')
  return { field: column, oneOf: [value.toLowerCase()] }
}

/** The facets of options; undefined for one that does not exist. */
function readOptions(
  { kind, custom }: FilterField,
  value: unknown,
  context: FilterContext,
): Promise<readonly (string | undefined)[]> {
  return requireEach(value, async (each) => {
    const name = requireText(each)
    if (custom) return optionFacet(custom.id, name)
    const id = await context.findOption(kind!, name)
    if (id === undefined) return undefined
    return kind === 'tags' ? tagFacet(id) : listFacet(id)
  })
}

function hasAny(facets: readonly (string | undefined)[]): NamedCondition {
  const existing = facets.filter((each) => each !== undefined)
  const [only, ...others] = existing
  return only !== undefined && others.length === 0
    ? facet(only)
    : { field: 'search_terms', hasAnyTerm: existing }
}

function facet(hasTerm: string): NamedCondition {
  return { field: 'search_terms', hasTerm }
}

function member(name: string, comparison: Comparison | { readonly is: null }): NamedCondition {
  return { field: 'custom_values', whereMember: { name, ...comparison } }
}

/** A text of invisible characters would be in every text. */
function requireFolded(value: unknown): string {
  const text = requireText(value)
  if (foldText(text) === '') throw new FilterValueError('Must hold a letter, a digit or a sign.')
  return text
}

function requireChoice({ choices }: FilterField, value: unknown): string {
  const text = requireText(value)
  if (choices && !choices.includes(text)) throw new FilterValueError(`Must be one of: ${choices.join(', ')}.`)
  return text
}

function requireId(value: unknown): string {
  if (typeof value !== 'string' || !isUuid(value)) throw new FilterValueError('Must be a UUID.')
  return value.toLowerCase()
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
