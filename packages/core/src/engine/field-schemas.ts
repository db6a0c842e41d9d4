import * as v from 'valibot'
import { isHttpUrl } from './http-url.ts'
import { findInstantError, parseInstant } from './parse-instant.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const KEY = /^[a-z0-9]+(_[a-z0-9]+)*$/
const EMAIL =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/

/** True for a UUID of any version, in upper or lower case. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** True for a text in the form of a stored key. */
export function isKey(text: string): boolean {
  return KEY.test(text)
}

/** Unicode code points: the contract's unit of length. */
export function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

const string = v.string('Must be a string.')

/** Describes a rule that is a function, for the OpenAPI document. It validates nothing. */
export function jsonSchema<Input>(rule: Readonly<Record<string, unknown>>) {
  return v.metadata<Input, typeof rule>(rule)
}

function lengthMessage(min: number, max: number): string {
  return min > 0 ? `Must be between ${min} and ${max} characters.` : `Must be at most ${max} characters.`
}

function lengthBetween(min: number, max: number) {
  return v.check<string, string>(
    (text) => {
      // The number of code points is between half the number of UTF-16 units and all of it: most texts need
      // no counting.
      if (text.length < min || text.length > max * 2) return false
      const length = text.length <= max && min <= 1 ? text.length : countCodePoints(text)
      return length >= min && length <= max
    },
    lengthMessage(min, max),
  )
}

/** One line, trimmed, without control characters. A blank text is missing if `min` is above 0. */
export function singleLineText(min: number, max: number) {
  return v.pipe(
    string,
    v.check((text) => text.isWellFormed(), 'Must be valid Unicode text.'),
    v.trim(),
    v.check((text) => min === 0 || text !== '', 'Required.'),
    v.check((text) => !hasControlCharacter(text), 'Must not contain control characters.'),
    lengthBetween(min, max),
    jsonSchema({ ...(min > 0 && { minLength: min }), maxLength: max }),
  )
}

/** C0 control characters. */
function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) < 0x20) return true
  return false
}

/** An optional `singleLineText`: blank becomes null. */
export function singleLineTextOrNull(max: number) {
  return v.pipe(
    singleLineText(0, max),
    v.transform((value) => (value === '' ? null : value)),
  )
}

/** Text of several lines, stored unchanged. */
export function multiLineText(max: number) {
  return v.pipe(
    string,
    v.check((value) => value.isWellFormed(), 'Must be valid Unicode text.'),
    v.check((value) => !value.includes('\0'), 'Must not contain the null character.'),
    lengthBetween(0, max),
    jsonSchema({ maxLength: max }),
  )
}

/** An optional `multiLineText`: blank becomes null. */
export function multiLineTextOrNull(max: number) {
  return v.pipe(
    multiLineText(max),
    v.transform((value) => (value.trim() === '' ? null : value)),
  )
}

export const uuid = v.pipe(
  string,
  v.check(isUuid, 'Must be a UUID.'),
  v.toLowerCase(),
  jsonSchema({ format: 'uuid' }),
)

export const flag = v.boolean('Must be true or false.')

export function integer(min: number, max: number) {
  const message = `Must be an integer between ${min} and ${max}.`
  return v.pipe(
    v.number(message),
    v.check((value) => Number.isInteger(value) && value >= min && value <= max, message),
    jsonSchema({ type: 'integer', minimum: min, maximum: max }),
    v.transform((value) => (value === 0 ? 0 : value)), // -0 is 0
  )
}

export function oneOf<const Options extends readonly string[]>(options: Options) {
  return v.picklist(options, `Must be one of: ${options.join(', ')}.`)
}

/** Names a more specific rule than the check that follows, for the values for which `find` returns one. */
function specificRule(find: (value: string) => string | undefined) {
  return v.rawCheck<string>(({ dataset, addIssue }) => {
    const message = dataset.typed ? find(dataset.value) : undefined
    if (message !== undefined) addIssue({ message })
  })
}

const INSTANT_RULE = 'Must be an ISO 8601 date-time with a time zone, such as 2026-03-01T12:00:00Z.'

/** An RFC 3339 date-time with any offset, converted to UTC with milliseconds. */
export const instant = v.pipe(
  string,
  specificRule(findInstantError),
  v.check((value) => parseInstant(value) !== undefined, INSTANT_RULE),
  jsonSchema({ format: 'date-time' }),
  v.transform((value) => parseInstant(value)!),
)

export const email = v.pipe(
  singleLineText(0, 254),
  specificRule(findEmailError),
  v.check((value) => EMAIL.test(value), 'Must be an e-mail address.'),
  jsonSchema({ format: 'email' }),
)

/** Mail servers differ in what they accept beyond ASCII: the rule says which part goes beyond it. */
function findEmailError(value: string): string | undefined {
  const asciiValue = value.replaceAll(/(?![\0-\x7f])[\p{L}\p{M}\p{N}]/gu, 'x')
  if (asciiValue === value || !EMAIL.test(asciiValue)) return undefined
  return /[^\0-\x7f].*@/.test(value)
    ? 'Must have only ASCII characters before the @.'
    : 'Write an internationalized domain in its ASCII form (xn--…).'
}

export const httpUrl = v.pipe(
  singleLineText(0, 2048),
  v.check(isHttpUrl, 'Must be an http or https URL.'),
  jsonSchema({ format: 'uri' }),
)

export const httpsUrl = v.pipe(
  singleLineText(0, 2048),
  v.check((value) => isHttpUrl(value) && /^https:/i.test(value), 'Must be an https URL.'),
  jsonSchema({ format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]://' }),
)

/** The default color of tags and task types. */
export const DEFAULT_COLOR = '#6b7280'

export const color = v.pipe(
  string,
  v.check((value) => /^#[0-9a-f]{6}$/i.test(value), 'Must be a hex color such as #6b7280.'),
  v.toLowerCase(),
  jsonSchema({ pattern: '^#[0-9A-Fa-f]{6}$' }),
)

export const key = v.pipe(
  singleLineText(0, 35),
  v.toLowerCase(),
  v.check(isKey, 'Must be lower-case letters and digits, joined by single underscores.'),
  jsonSchema({ pattern: '^[A-Za-z0-9]+(_[A-Za-z0-9]+)*$' }),
)

/**
 * An array of bounded length. The length is checked before the entries.
 * @param keywords additional JSON Schema keywords
 */
export function listOf<Item extends v.GenericSchema>(
  item: Item,
  min: number,
  max: number,
  noun: string,
  keywords: object = {},
) {
  const message =
    min > 0 ? `Must have between ${min} and ${max} ${noun}.` : `Must have at most ${max} ${noun}.`
  return v.pipe(
    v.array(v.unknown(), 'Must be an array.'),
    v.check((items) => items.length >= min && items.length <= max, message),
    jsonSchema({ type: 'array', items: item, ...(min > 0 && { minItems: min }), maxItems: max, ...keywords }),
    v.array(item),
  )
}

/** A `listOf` texts without duplicates. */
export function distinctListOf<Item extends v.GenericSchema<unknown, string>>(
  item: Item,
  min: number,
  max: number,
  noun: string,
) {
  return v.pipe(
    listOf(item, min, max, noun, { uniqueItems: true }),
    v.check(
      (items) => new Set(items as unknown[]).size === (items as unknown[]).length,
      `Must name none of the ${noun} twice.`,
    ),
  )
}

export function object<const Entries extends v.ObjectEntries>(
  entries: Entries,
  message = 'Must be an object.',
) {
  return rejectArray(v.object(entries, message))
}

/** Makes an object schema reject an array, which is an object to valibot. */
export function rejectArray<Schema extends v.GenericSchema>(schema: Schema): Schema {
  return {
    ...schema,
    '~run'(dataset, config) {
      if (!Array.isArray(dataset.value)) return schema['~run'](dataset, config)
      v._addIssue(schema, 'type', dataset, config)
      return dataset
    },
  }
}

/** Fields of a create that may be left out or null. */
export function optional<const Entries extends v.ObjectEntries>(entries: Entries) {
  return mapEntries(entries, (schema) => v.nullish(schema)) as {
    [F in keyof Entries]: v.NullishSchema<Entries[F], undefined>
  }
}

/** Fields of an update that may be left out but not cleared. */
export function changeable<const Entries extends v.ObjectEntries>(entries: Entries) {
  return mapEntries(entries, (schema) => v.optional(schema)) as {
    [F in keyof Entries]: v.OptionalSchema<Entries[F], undefined>
  }
}

/** Fields of an update that null clears. */
export function clearable<const Entries extends v.ObjectEntries>(entries: Entries) {
  return mapEntries(entries, (schema) => v.optional(v.nullable(schema))) as {
    [F in keyof Entries]: v.OptionalSchema<v.NullableSchema<Entries[F], undefined>, undefined>
  }
}

/** A field of an update that null resets to `value`. */
export function resettable<S extends v.GenericSchema, const Default>(schema: S, defaultValue: Default) {
  return v.optional(
    v.pipe(
      v.nullable(schema),
      v.transform((value) => value ?? defaultValue),
    ),
  )
}

function mapEntries(
  entries: v.ObjectEntries,
  wrap: (schema: v.GenericSchema) => v.GenericSchema,
): v.ObjectEntries {
  return Object.fromEntries(
    Object.entries(entries).map(([name, schema]) => [name, wrap(schema as v.GenericSchema)]),
  )
}
