import * as v from 'valibot'
import { encodeHttpUrl, isHttpUrl } from './http-url.ts'
import { findInstantError, parseInstant } from './parse-instant.ts'
import { jsonSchema, lengthBetween, singleLineText, string } from './text-schemas.ts'

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

/** A number with at most `places` decimal places. */
export function decimal(min: number, max: number, places: number) {
  const message = `Must be a number between ${min} and ${max} with at most ${places} decimal places.`
  return v.pipe(
    v.number(message),
    v.check((value) => value >= min && value <= max && Number(value.toFixed(places)) === value, message),
    jsonSchema({ type: 'number', minimum: min, maximum: max }),
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

/** An address that is looked up. It may have been stored before `email` had its rule about links. */
export const knownEmail = v.pipe(
  singleLineText(0, 254),
  specificRule(findEmailError),
  v.check((value) => EMAIL.test(value), 'Must be an e-mail address.'),
  jsonSchema({ format: 'email' }),
)

/** An address that is stored. Before the @ it has no character that separates the parts of a mailto link. */
export const email = v.pipe(
  knownEmail,
  v.check((value) => !/[?&=%]/.test(value), 'Must not have ?, &, = or % before the @.'),
)

/** Mail servers differ in what they accept beyond ASCII: the rule says which part goes beyond it. */
function findEmailError(value: string): string | undefined {
  const asciiValue = value.replaceAll(/(?![\0-\x7f])[\p{L}\p{M}\p{N}]/gu, 'x')
  if (asciiValue === value || !EMAIL.test(asciiValue)) return undefined
  return /[^\0-\x7f].*@/.test(value)
    ? 'Must have only ASCII characters before the @.'
    : 'Write an internationalized domain in its ASCII form (xn--…).'
}

/** A day of the calendar: `2026-03-31`. */
export const day = v.pipe(
  string,
  v.check(
    (value) => /^\d{4}-\d{2}-\d{2}$/.test(value) && parseInstant(`${value}T00:00:00Z`) !== undefined,
    'Must be a day such as 2026-03-31.',
  ),
  jsonSchema({ format: 'date' }),
)

/** A month of the calendar: `2026-03`. The years are those whose months begin and end within the years of four digits. */
export const month = v.pipe(
  string,
  v.check(
    (value) => /^(19|2\d)\d\d-(0[1-9]|1[0-2])$/.test(value),
    'Must be a month from 1900-01 to 2999-12, such as 2026-03.',
  ),
  jsonSchema({ pattern: '^(19|2\\d)\\d\\d-(0[1-9]|1[0-2])$', examples: ['2026-03'] }),
)

const MAX_URL_LENGTH = 2048

export const httpUrl = v.pipe(
  singleLineText(0, MAX_URL_LENGTH),
  v.check(isHttpUrl, 'Must be an http or https URL.'),
  jsonSchema({ format: 'uri' }),
  v.transform(encodeHttpUrl),
  lengthBetween(0, MAX_URL_LENGTH),
)

export const httpsUrl = v.pipe(
  singleLineText(0, MAX_URL_LENGTH),
  v.check((value) => isHttpUrl(value) && /^https:/i.test(value), 'Must be an https URL.'),
  jsonSchema({ format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]://' }),
  v.transform(encodeHttpUrl),
  lengthBetween(0, MAX_URL_LENGTH),
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

/** A flag, or its text in a query string. */
export const flagParameter = v.pipe(
  v.union([flag, v.picklist(['true', 'false'])], 'Must be true or false.'),
  jsonSchema({ type: 'boolean' }),
  v.transform((value) => value === true || value === 'true'),
) as v.GenericSchema<boolean, boolean>
