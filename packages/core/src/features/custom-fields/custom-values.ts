import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { CustomField, CustomFieldType } from '../../schema/custom-field.ts'
import type { CustomValues, StoredValue } from '../../schema/custom-value.ts'
import { parseValue, toResponseValue } from './custom-value.ts'

/** The kinds of record that have custom fields. */
export type CustomFieldKind = 'people' | 'companies' | 'deals'

/** A value as a record is answered with it. */
export interface CustomValueView {
  readonly id: string
  readonly key: string
  readonly label: string
  readonly type: CustomFieldType
  readonly value: StoredValue
}

const SHOW_FIELDS = { people: 'show_people', companies: 'show_companies', deals: 'show_deals' } as const

/**
 * The values a record will hold: those it has of fields there are, with what is sent in their place. `before` is undefined for a new record, which must
 * have every required one. Faults are noted under `custom_fields.<key>`.
 */
export async function resolveCustomValues(
  kind: CustomFieldKind,
  input: readonly { readonly key: string; readonly value: unknown }[],
  before: CustomValues | undefined,
  unit: WorkspaceTransaction,
  errors: Map<string, string>,
): Promise<CustomValues> {
  const keys = input.map(({ key }) => key.toLowerCase())
  const [fields, required, current] = await Promise.all([
    lockFieldsByKey(keys, kind, unit),
    before ? [] : findRequiredFields(kind, unit),
    keepLiveFields(before ?? {}, unit),
  ])
  const byKey = new Map(fields.map((field) => [field.key, field]))
  const values: Record<string, StoredValue> = { ...current }
  for (const [index, { value }] of input.entries()) {
    const key = keys[index]!
    const field = byKey.get(key)
    if (keys.indexOf(key) < index) errors.set(pathOf(key), 'Must be sent only once.')
    else if (!field) errors.set(pathOf(key), 'Custom field not found.')
    else setValue(values, field, value, errors)
  }
  for (const { id, key } of required) {
    if (values[id] === undefined && !errors.has(pathOf(key))) errors.set(pathOf(key), 'Required.')
  }
  checkTotalSize(values, errors)
  return values
}

/** Of all values of a record, in JSON: a page of a hundred records is answered with those of each. */
const MAX_CHARACTERS = 50_000
const MAX_OPTIONS = 1000

function checkTotalSize(values: CustomValues, errors: Map<string, string>): void {
  const options = Object.values(values).filter(Array.isArray).flat().length
  if (options > MAX_OPTIONS) errors.set('custom_fields', `Must hold at most ${MAX_OPTIONS} options together.`)
  if (JSON.stringify(values).length > MAX_CHARACTERS)
    errors.set('custom_fields', `Must have at most ${MAX_CHARACTERS} characters together.`)
}

/** The values of a page of records, as they are answered: by fields that are shown for the kind, in the order the fields were made. */
export async function loadCustomValueViews(
  page: readonly { readonly custom_values: CustomValues }[],
  kind: CustomFieldKind,
  { stores }: WorkspaceTransaction,
): Promise<(values: CustomValues) => readonly CustomValueView[]> {
  const ids = new Set(page.flatMap(({ custom_values }) => Object.keys(custom_values)))
  const fields = ids.size === 0 ? [] : await stores.custom_fields.getMany([...ids])
  const visibleFields = fields.filter((field) => field[SHOW_FIELDS[kind]]).toSorted(byCreation)
  return (values) =>
    visibleFields.flatMap(({ id, key, label, type }) => {
      const value = values[id]
      return value === undefined ? [] : [{ id, key, label, type, value: toResponseValue({ type }, value) }]
    })
}

function setValue(
  values: Record<string, StoredValue>,
  field: CustomField,
  value: unknown,
  errors: Map<string, string>,
): void {
  const parsed = parseValue(field, value)
  if ('faults' in parsed) {
    for (const [where, fault] of Object.entries(parsed.faults))
      errors.set(`${pathOf(field.key)}${where}`, fault)
    return
  }
  if (parsed.value !== null) values[field.id] = parsed.value
  else if (field.required) errors.set(pathOf(field.key), 'Required.')
  else delete values[field.id]
}

async function lockFieldsByKey(
  keys: readonly string[],
  kind: CustomFieldKind,
  { stores }: WorkspaceTransaction,
): Promise<readonly CustomField[]> {
  if (keys.length === 0) return []
  const found = await stores.custom_fields.find([
    { field: 'key', oneOf: keys },
    { field: SHOW_FIELDS[kind], is: true },
  ])
  // Held, so that no option is removed while a record takes it.
  const locked = await Promise.all(
    found.map((field) => (field.value === null ? field : stores.custom_fields.getForShare(field.id))),
  )
  return locked.filter((field) => field !== undefined)
}

/** What was held of fields that are deleted goes when the record's values are next written: nobody could clear it. */
async function keepLiveFields(values: CustomValues, { stores }: WorkspaceTransaction): Promise<CustomValues> {
  const live = new Set((await stores.custom_fields.getMany(Object.keys(values))).map(({ id }) => id))
  return Object.fromEntries(Object.entries(values).filter(([id]) => live.has(id)))
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
