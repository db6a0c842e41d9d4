import { rejectArray } from '@sales-crm/core/declarations'
import * as v from 'valibot'

type Fields = Readonly<Record<string, unknown>>

/** Creates an object schema that rejects unknown arguments. */
export function toolArguments<const Entries extends v.ObjectEntries>(entries: Entries) {
  return rejectArray(v.strictObject(entries, 'Must be an object.'))
}

export function text(description?: string) {
  return description === undefined
    ? v.string('Must be a string.')
    : v.pipe(v.string('Must be a string.'), v.description(description))
}

export function oneOf<const Options extends readonly string[]>(options: Options) {
  return v.picklist(options, `Must be one of: ${options.join(', ')}.`)
}

export function integerBetween(min: number, max: number) {
  const message = `Must be an integer between ${min} and ${max}.`
  return v.pipe(v.number(message), v.integer(message), v.minValue(min, message), v.maxValue(max, message))
}

export function arrayOf<Item extends v.GenericSchema>(item: Item, maxLength: number, noun: string) {
  const message = `Must have between 1 and ${maxLength} ${noun}.`
  return v.pipe(v.array(item, 'Must be an array.'), v.minLength(1, message), v.maxLength(maxLength, message))
}

/**
 * Keeps every key, even `constructor`, which valibot's record schemas drop silently: the core must reject it.
 */
const anyFields = v.custom<Fields>(isObject, 'Must be an object.')

/** Creates a schema of an object whose fields the core validates. */
export function fields(description?: string) {
  return description === undefined ? anyFields : v.pipe(anyFields, v.description(description))
}

/** Extends `fields` by the required `id` of a record. */
export const fieldsWithId = v.pipe(
  anyFields,
  v.metadata({ properties: { id: { type: 'string' } }, required: ['id'] }),
  v.rawCheck<Fields>(({ dataset, addIssue }) => {
    if (!dataset.typed || typeof dataset.value['id'] === 'string') return
    const { id } = dataset.value
    const path = [{ type: 'object', origin: 'value', input: dataset.value, key: 'id', value: id }] as const
    addIssue({ message: id === undefined ? 'Required.' : 'Must be a string.', path: [...path] })
  }),
  v.transform((value) => value as Fields & { readonly id: string }),
)

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function omitUndefined(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
