import * as v from 'valibot'
import { prefixFields } from '../../engine/error-fields.ts'
import type { Input } from '../../engine/patch.ts'
import { validate } from '../../engine/validate.ts'
import { validatePatch } from '../../engine/validate-patch.ts'
import type { FieldErrors } from '../../kernel/errors.ts'
import { object } from '../../kernel/object-schemas.ts'
import { filterInput } from '../../schema/filter-parameter.ts'
import { KINDS } from '../../schema/index.ts'
import type { FilteredKind } from '../../schema/saved-view.ts'
import { membershipInput } from '../associations/change-memberships.ts'
import { resourceOf } from './bulk-kinds.ts'

/** What a bulk change does to each record. */
export interface RecordChange {
  /** As an update has them. */
  readonly fields: Input
  readonly memberships: v.InferOutput<typeof membershipInput>
  readonly isDeletion: boolean
}

const isTrue = v.optional(v.literal(true, 'Must be true or left out.'))

/** An image is fetched, and the deals of one record are not those of another. */
const LEFT_OUT = ['image', 'deals']

/** Which records are changed, by the filters of their list, and what is changed. */
export function bulkInput(kind: FilteredKind) {
  const entries = listFilters(kind).map(([name, { schema }]) => [
    name,
    v.optional(name === 'filter' ? filterInput : schema),
  ])
  return object({
    ...(Object.fromEntries(entries) as Readonly<Record<string, v.GenericSchema>>),
    all: isTrue,
    change: changeInput(kind),
  })
}

function listFilters(kind: FilteredKind) {
  return Object.entries(resourceOf(kind).filters).filter(([name]) => name !== 'include')
}

function changeInput(kind: FilteredKind) {
  const entries = Object.entries((KINDS[kind].update as unknown as { entries: v.ObjectEntries }).entries)
  const hasMemberships = entries.some(([name]) => name === 'tags')
  return object({
    ...Object.fromEntries(entries.filter(([name]) => !LEFT_OUT.includes(name))),
    ...(hasMemberships && membershipInput.entries),
    delete: isTrue,
  } as v.ObjectEntries)
}

/**
 * Returns the filters, and the change as it was sent.
 * @throws CrmError `validation_error`
 */
export async function validateBulkInput(kind: FilteredKind, input: unknown) {
  const { all, change, ...filters } = validate(bulkInput(kind), input, 'field', findRuleErrors(kind, input))
  const sent = (input as { readonly change: Readonly<Record<string, unknown>> }).change
  const { fields } = splitChange(sent)
  if (Object.keys(fields).length > 0)
    await prefixFields('change', () => validatePatch(KINDS[kind].update as v.GenericSchema, fields))
  return { filters, change: sent }
}

/** What no schema of a field can tell. */
function findRuleErrors(kind: FilteredKind, input: unknown): FieldErrors {
  const { all, change, ...others } = Object(input) as Input
  const isFiltered = listFilters(kind).some(([name]) => others[name] !== undefined)
  const names = Object.keys(Object(change))
  const { add_tags, remove_tags, add_lists, remove_lists, tags, lists } = Object(change) as Input
  const doubled = 'Must not be sent together with the tags or lists to add or remove.'
  return {
    ...(!isFiltered && all === undefined && { filter: 'Required, or another filter, or all.' }),
    ...(isFiltered && all !== undefined && { all: 'Must not be sent together with a filter.' }),
    ...(names.length === 0 && isObject(change) && { change: 'Must change something.' }),
    ...(names.includes('delete') && names.length > 1 && { 'change.delete': 'Must be sent alone.' }),
    ...(tags !== undefined && (add_tags ?? remove_tags) !== undefined && { 'change.tags': doubled }),
    ...(lists !== undefined && (add_lists ?? remove_lists) !== undefined && { 'change.lists': doubled }),
  }
}

/** @param change valid, as `bulkInput` has it */
export function splitChange(change: object): RecordChange {
  const isMembership = (name: string) => Object.hasOwn(membershipInput.entries, name)
  const { delete: isDeletion, ...others } = change as Input
  const entries = Object.entries(others).filter(([, value]) => value !== undefined)
  return {
    fields: Object.fromEntries(entries.filter(([name]) => !isMembership(name))),
    memberships: Object.fromEntries(entries.filter(([name]) => isMembership(name))),
    isDeletion: isDeletion === true,
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
