import type { Unit } from '../records/unit.ts'
import type { CustomField, CustomFieldType } from './custom-field.ts'
import { answeredValueOf, type StoredValue, storedValueOf } from './values.ts'

/** The kinds of record that have custom fields. */
export type CustomFieldKind = 'people' | 'companies' | 'deals'

/** What a record holds, by the id of the field. */
export type CustomValues = Readonly<Record<string, StoredValue>>

/** A value as a record is answered with it. */
export interface CustomValueView {
  readonly id: string
  readonly key: string
  readonly label: string
  readonly type: CustomFieldType
  readonly value: StoredValue
}

const SHOWN = { people: 'show_people', companies: 'show_companies', deals: 'show_deals' } as const

/**
 * The values a record will hold: those it has of fields there are, with what is sent in their place. `before` is undefined for a new record, which must
 * have every required one. Faults are noted under `custom_fields.<key>`.
 */
export async function resolveCustomValues(
  kind: CustomFieldKind,
  sent: readonly { readonly key: string; readonly value: unknown }[],
  before: CustomValues | undefined,
  unit: Unit,
  errors: Map<string, string>,
): Promise<CustomValues> {
  const keys = sent.map(({ key }) => key.toLowerCase())
  const [named, required, kept] = await Promise.all([
    fieldsNamed(keys, kind, unit),
    before ? [] : requiredFields(kind, unit),
    ofLiveFields(before ?? {}, unit),
  ])
  const byKey = new Map(named.map((field) => [field.key, field]))
  const values: Record<string, StoredValue> = { ...kept }
  for (const [index, { value }] of sent.entries()) {
    const key = keys[index]!
    const field = byKey.get(key)
    if (keys.indexOf(key) < index) errors.set(pathOf(key), 'Must be sent only once.')
    else if (!field) errors.set(pathOf(key), 'Custom field not found.')
    else setValue(values, field, value, errors)
  }
  for (const { id, key } of required) {
    if (values[id] === undefined && !errors.has(pathOf(key))) errors.set(pathOf(key), 'Required.')
  }
  boundTogether(values, errors)
  return values
}

/** Of all values of a record, in JSON: a page of a hundred records is answered with those of each. */
const MOST_CHARACTERS = 50_000
const MOST_OPTIONS = 1000

function boundTogether(values: CustomValues, errors: Map<string, string>): void {
  const options = Object.values(values).filter(Array.isArray).flat().length
  if (options > MOST_OPTIONS) errors.set('custom_fields', `Must hold at most ${MOST_OPTIONS} options together.`)
  if (JSON.stringify(values).length > MOST_CHARACTERS)
    errors.set('custom_fields', `Must have at most ${MOST_CHARACTERS} characters together.`)
}

/** The values of a page of records, as they are answered: by fields that are shown for the kind, in the order the fields were made. */
export async function customValueViews(
  page: readonly { readonly custom_values: CustomValues }[],
  kind: CustomFieldKind,
  { stores }: Unit,
): Promise<(values: CustomValues) => readonly CustomValueView[]> {
  const ids = new Set(page.flatMap(({ custom_values }) => Object.keys(custom_values)))
  const fields = ids.size === 0 ? [] : await stores.custom_fields.getMany([...ids])
  const shown = fields.filter((field) => field[SHOWN[kind]]).toSorted(byCreation)
  return (values) =>
    shown.flatMap(({ id, key, label, type }) => {
      const value = values[id]
      return value === undefined ? [] : [{ id, key, label, type, value: answeredValueOf({ type }, value) }]
    })
}

function setValue(values: Record<string, StoredValue>, field: CustomField, given: unknown, errors: Map<string, string>): void {
  const judged = storedValueOf(field, given)
  if ('faults' in judged) {
    for (const [where, fault] of Object.entries(judged.faults)) errors.set(`${pathOf(field.key)}${where}`, fault)
    return
  }
  if (judged.value !== null) values[field.id] = judged.value
  else if (field.required) errors.set(pathOf(field.key), 'Required.')
  else delete values[field.id]
}

async function fieldsNamed(keys: readonly string[], kind: CustomFieldKind, { stores }: Unit): Promise<readonly CustomField[]> {
  if (keys.length === 0) return []
  const named = await stores.custom_fields.find([
    { field: 'key', oneOf: keys },
    { field: SHOWN[kind], is: true },
  ])
  // Held, so that no option is removed while a record takes it.
  const held = await Promise.all(named.map((field) => (field.value === null ? field : stores.custom_fields.getForShare(field.id))))
  return held.filter((field) => field !== undefined)
}

/** What was held of fields that are deleted goes when the record's values are next written: nobody could clear it. */
async function ofLiveFields(values: CustomValues, { stores }: Unit): Promise<CustomValues> {
  const live = new Set((await stores.custom_fields.getMany(Object.keys(values))).map(({ id }) => id))
  return Object.fromEntries(Object.entries(values).filter(([id]) => live.has(id)))
}

function requiredFields(kind: CustomFieldKind, { stores }: Unit): Promise<readonly CustomField[]> {
  return stores.custom_fields.find([
    { field: 'required', is: true },
    { field: SHOWN[kind], is: true },
  ])
}

function pathOf(key: string): string {
  return `custom_fields.${key}`
}

function byCreation(a: CustomField, b: CustomField): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1
  return a.id < b.id ? -1 : 1
}
