import type { PartLoader } from '../../engine/build-views.ts'
import { hasChanges } from '../../engine/patch.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { CustomField } from '../../schema/custom-field.ts'
import type { CustomValues, CustomValueView, StoredValue } from '../../schema/custom-value.ts'
import { parseValue, toResponseValue } from './custom-value.ts'

/** A kind of record with custom fields. */
export type CustomFieldKind = 'people' | 'companies' | 'deals'

const SHOW_FIELDS = { people: 'show_people', companies: 'show_companies', deals: 'show_deals' } as const

export function isCustomFieldKind(kind: string): kind is CustomFieldKind {
  return Object.hasOwn(SHOW_FIELDS, kind)
}

/**
 * Merges the input into the values of a record and drops those of deleted fields. `before` is undefined for a
 * new record, which must have every required value. Sets errors under `custom_fields.<key>`.
 */
export async function resolveCustomValues(
  kind: CustomFieldKind,
  input: readonly { readonly key: string; readonly value: unknown }[],
  before: CustomValues | undefined,
  transaction: WorkspaceTransaction,
  errors: Map<string, string>,
): Promise<CustomValues> {
  const keys = input.map(({ key }) => key.toLowerCase())
  const [fields, requiredFields, currentValues] = await Promise.all([
    lockFieldsByKey(keys, kind, transaction),
    before ? [] : findRequiredFields(kind, transaction),
    keepLiveFields(before ?? {}, transaction),
  ])
  const byKey = new Map(fields.map((field) => [field.key, field]))
  const values: Record<string, StoredValue> = { ...currentValues }
  for (const [index, { value }] of input.entries()) {
    const key = keys[index]!
    const field = byKey.get(key)
    if (keys.indexOf(key) < index) errors.set(pathOf(key), 'Must be sent only once.')
    else if (!field) errors.set(pathOf(key), 'Custom field not found.')
    else setValue(values, field, value, errors)
  }
  for (const { id, key } of requiredFields) {
    if (values[id] === undefined && !errors.has(pathOf(key))) errors.set(pathOf(key), 'Required.')
  }
  checkTotalSize(values, errors)
  return values
}

/** Maximum size of a record's values as JSON: a page has the values of up to a hundred records. */
const MAX_CHARACTERS = 50_000
const MAX_OPTIONS = 1000

function checkTotalSize(values: CustomValues, errors: Map<string, string>): void {
  const options = Object.values(values).filter(Array.isArray).flat().length
  if (options > MAX_OPTIONS) errors.set('custom_fields', `Must hold at most ${MAX_OPTIONS} options together.`)
  if (JSON.stringify(values).length > MAX_CHARACTERS)
    errors.set('custom_fields', `Must have at most ${MAX_CHARACTERS} characters together.`)
}

/**
 * Loads the value views of a page of records: of fields that are shown for the kind, in the order of the
 * fields' creation.
 */
export function customValuesLoader(kind: CustomFieldKind): PartLoader<HasCustomValues> {
  return async (page, { stores }) => {
    const ids = new Set(page.flatMap(({ custom_values }) => Object.keys(custom_values)))
    const fields = ids.size === 0 ? [] : await stores.custom_fields.getMany([...ids])
    const visibleFields = fields.filter((field) => field[SHOW_FIELDS[kind]]).toSorted(byCreation)
    return ({ custom_values }) =>
      visibleFields.flatMap(({ id, key, label, type }): readonly CustomValueView[] => {
        const value = custom_values[id]
        return value === undefined ? [] : [{ id, key, label, type, value: toResponseValue({ type }, value) }]
      })
  }
}

interface HasCustomValues {
  readonly custom_values: CustomValues
}

function setValue(
  values: Record<string, StoredValue>,
  field: CustomField,
  value: unknown,
  errors: Map<string, string>,
): void {
  const before = values[field.id]
  // Also if it was stored under an older rule.
  if (before !== undefined && !hasChanges({ value: toResponseValue(field, before) }, { value })) return
  const result = parseValue(field, value)
  if ('errors' in result) {
    for (const [path, message] of Object.entries(result.errors))
      errors.set(`${pathOf(field.key)}${path}`, message)
    return
  }
  if (result.value !== null) values[field.id] = result.value
  else if (field.required) errors.set(pathOf(field.key), 'Required.')
  else delete values[field.id]
}

/** The live field with a key, if it is shown for the kind. */
export async function findFieldByKey(
  key: string,
  kind: CustomFieldKind,
  { stores }: WorkspaceTransaction,
): Promise<CustomField | undefined> {
  const [field] = await stores.custom_fields.find([
    { field: 'key', is: key },
    { field: SHOW_FIELDS[kind], is: true },
  ])
  return field
}

/** The live fields that are shown for the kind, in the order of their creation. */
export function findShownFields(
  kind: CustomFieldKind,
  { stores }: WorkspaceTransaction,
): Promise<readonly CustomField[]> {
  return stores.custom_fields.find([{ field: SHOW_FIELDS[kind], is: true }])
}

async function lockFieldsByKey(
  keys: readonly string[],
  kind: CustomFieldKind,
  { stores }: WorkspaceTransaction,
): Promise<readonly CustomField[]> {
  if (keys.length === 0) return []
  const fields = await stores.custom_fields.find([
    { field: 'key', oneOf: keys },
    { field: SHOW_FIELDS[kind], is: true },
  ])
  // Locked, so that no option is removed while a record selects it.
  const lockedFields = await Promise.all(
    fields.map((field) => (field.value === null ? field : stores.custom_fields.getForShare(field.id))),
  )
  return lockedFields.filter((field) => field !== undefined)
}

/** Drops the values of deleted fields, which no caller could clear. */
async function keepLiveFields(values: CustomValues, { stores }: WorkspaceTransaction): Promise<CustomValues> {
  const liveIds = new Set((await stores.custom_fields.getMany(Object.keys(values))).map(({ id }) => id))
  return Object.fromEntries(Object.entries(values).filter(([id]) => liveIds.has(id)))
}

function findRequiredFields(
  kind: CustomFieldKind,
  { stores }: WorkspaceTransaction,
): Promise<readonly CustomField[]> {
  return stores.custom_fields.find([
    { field: 'required', is: true },
    { field: SHOW_FIELDS[kind], is: true },
  ])
}

function pathOf(key: string): string {
  return `custom_fields.${key}`
}

function byCreation(a: CustomField, b: CustomField): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1
  return a.id < b.id ? -1 : 1
}
