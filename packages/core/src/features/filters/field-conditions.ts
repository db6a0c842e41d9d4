import { isUuid } from '../../kernel/field-schemas.ts'
import { foldText } from '../../kernel/fold-text.ts'
import type { NamedCondition } from '../../ports/index.ts'
import { customValueFacet, emailFacet, listFacet, phoneFacet, tagFacet } from '../../schema/facets.ts'
import { whereLinkedTo } from '../../schema/link-lists.ts'
import {
  compareField,
  equalsText,
  findOptionFacet,
  hasAnyFacet,
  hasChoice,
  hasEntry,
  hasFacet,
  isFieldEmpty,
  NOTHING,
} from './compare-field.ts'
import type { BuildCondition, FilterContext } from './filter-context.ts'
import type { FilterField } from './filter-fields.ts'
import {
  FilterValueError,
  requireEach,
  requireFlag,
  requireId,
  requireInteger,
  requireNumber,
  requirePhone,
  requireRange,
  requireText,
} from './filter-values.ts'
import { TIME_CONDITIONS } from './time-conditions.ts'

/** The conditions of each operator of each type of field. */
const CONDITIONS: Readonly<Record<string, BuildCondition>> = {
  ...TIME_CONDITIONS,
  'text is': (field, value) => equalsText(field, requireText(value)),
  'text any_of': async (field, value) => ({
    anyOf: (await requireEach(value, requireText)).map((each) => equalsText(field, each)),
  }),
  'text contains': (field, value) => compareField(field, { contains: requireFolded(value) }),
  'text begins_with': (field, value) => compareField(field, { beginsWith: requireFolded(value) }),
  'number is': ({ column, custom }, value) =>
    custom
      ? hasFacet(customValueFacet(custom.id, requireNumber(value)))
      : { field: column, is: requireInteger(value) },
  'number greater': (field, value) => {
    if (!field.custom) return compareField(field, { from: requireInteger(value) + 1 })
    const from = requireNumber(value)
    return { allOf: [compareField(field, { from }), { not: compareField(field, { to: from }) }] }
  },
  'number less': (field, value) => {
    if (!field.custom) return compareField(field, { to: requireInteger(value) - 1 })
    const to = requireNumber(value)
    return { allOf: [compareField(field, { to }), { not: compareField(field, { from: to }) }] }
  },
  'number between': async (field, value) => {
    const [from, to] = await requireRange(value, field.custom ? requireNumber : requireInteger)
    return { allOf: [compareField(field, { from }), compareField(field, { to })] }
  },
  'flag is': (field, value) => ({ field: field.column, is: requireFlag(value) }),
  'choice is': (field, value) => hasChoice(field, [requireChoice(field, value)]),
  'choice any_of': async (field, value) =>
    hasChoice(field, await requireEach(value, (each) => requireChoice(field, each))),
  'record is': ({ column, ofKind = '' }, value) => whereLinkedTo(ofKind, column, [requireId(value)]),
  'record any_of': async ({ column, ofKind = '' }, value) =>
    whereLinkedTo(ofKind, column, await requireEach(value, requireId)),
  'owner is': (field, value, context) => owned(field, value, context),
  'owner any_of': async (field, value, context) => ({
    anyOf: await requireEach(value, (each) => owned(field, each, context)),
  }),
  'owner is_empty': (field, _, context) => owned(field, 'nobody', context),
  'options any_of': async (field, value, context) => hasAnyFacet(await readOptions(field, value, context)),
  'options all_of': async (field, value, context) => {
    const facets = await readOptions(field, value, context)
    return facets.includes(undefined) ? NOTHING : { allOf: facets.map((each) => hasFacet(each!)) }
  },
  'options none_of': async (field, value, context) => ({
    not: hasAnyFacet(await readOptions(field, value, context)),
  }),
  'emails is': (_, value) => hasFacet(emailFacet(requireText(value))),
  'emails any_of': async (_, value) =>
    hasAnyFacet(await requireEach(value, (each) => emailFacet(requireText(each)))),
  'emails contains': ({ column }, value) => hasEntry(column, 'email', { contains: requireFolded(value) }),
  'emails begins_with': ({ column }, value) =>
    hasEntry(column, 'email', { beginsWith: requireFolded(value) }),
  'emails is_empty': isArrayEmpty,
  'phones is': (_, value, context) => hasFacet(readPhone(value, context)),
  'phones any_of': async (_, value, context) =>
    hasAnyFacet(await requireEach(value, (each) => readPhone(each, context))),
  'phones is_empty': isArrayEmpty,
  'options is_empty': (field) => (field.custom ? isFieldEmpty(field) : isArrayEmpty(field)),
}

/** Operators that are the opposite of another one. */
const OPPOSITES: Readonly<Record<string, string>> = {
  is_not: 'is',
  is_not_empty: 'is_empty',
  not_in_last: 'in_last',
}

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
  const build = CONDITIONS[`${field.type} ${op}`] ?? (op === 'is_empty' ? isFieldEmpty : undefined)
  if (!build) throw new TypeError(`No condition for ${op} of ${field.type}.`)
  return build(field, value, context)
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
    if (custom) return findOptionFacet(custom.id, name)
    const id = await context.findOption(kind!, name)
    if (id === undefined) return undefined
    return kind === 'tags' ? tagFacet(id) : listFacet(id)
  })
}

function isArrayEmpty({ column }: FilterField): NamedCondition {
  return { field: column, isEmpty: true }
}

/** The facet of a phone number in any form. */
function readPhone(value: unknown, { toPhoneDigits }: FilterContext): string {
  return phoneFacet(toPhoneDigits(requirePhone(value)))
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
