import * as v from 'valibot'
import { validateInto } from '../../engine/validate.ts'
import type { FieldErrors } from '../../kernel/errors.ts'
import { httpUrl, key } from '../../kernel/field-schemas.ts'
import { listOf, object, optional } from '../../kernel/object-schemas.ts'
import { isOutOfBounds, parseInstant } from '../../kernel/parse-instant.ts'
import { multiLineTextOrNull, singleLineTextOrNull } from '../../kernel/text-schemas.ts'
import { ADDRESS_PARTS } from '../../schema/address-parts.ts'
import type { CustomField } from '../../schema/custom-field.ts'
import type { Address, StoredValue } from '../../schema/custom-value.ts'
import { CNPJ_RULE, parseCnpj } from './cnpj.ts'
import { CPF_RULE, parseCpf } from './cpf.ts'

type ValueSchema = v.GenericSchema<unknown, StoredValue | null>
type FieldType = Pick<CustomField, 'type' | 'value'>

const FINITE_MESSAGE = 'Must be a finite number.'
const string = v.string('Must be a string.')

const cpf = v.pipe(
  string,
  v.check((value) => parseCpf(value) !== undefined, CPF_RULE),
  v.transform((value) => parseCpf(value)!),
)

const cnpj = v.pipe(
  string,
  v.check((value) => parseCnpj(value) !== undefined, CNPJ_RULE),
  v.transform((value) => parseCnpj(value)!),
)

const date = v.pipe(
  string,
  v.check((value) => !isOutOfBounds(`${value}T00:00:00Z`), 'Must lie between 0001-01-01 and 9999-12-31.'),
  v.check(
    (value) => parseInstant(`${value}T00:00:00Z`) !== undefined,
    'Must be a real day, such as 2026-03-01.',
  ),
)

const number = v.pipe(
  v.number(FINITE_MESSAGE),
  v.check((value) => Number.isFinite(value), FINITE_MESSAGE),
  // Beyond, JSON's numbers lose digits.
  v.check(
    (value) => Math.abs(value) <= Number.MAX_SAFE_INTEGER,
    `Must be between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}.`,
  ),
  v.transform((value) => (value === 0 ? 0 : value)), // -0 is 0
)

const address = v.pipe(
  object(optional(v.entriesFromList(ADDRESS_PARTS, singleLineTextOrNull(255)))),
  v.transform(
    (parts) => Object.fromEntries(Object.entries(parts).filter(([, part]) => part != null)) as Address,
  ),
  v.check(
    (parts) => Object.keys(parts).length > 0,
    `Must have at least one of: ${ADDRESS_PARTS.join(', ')}.`,
  ),
)

const SCHEMAS = {
  text: singleLineTextOrNull(255),
  long_text: multiLineTextOrNull(10_000),
  cpf,
  cnpj,
  date,
  number,
  link: httpUrl,
  address,
} as const

/**
 * Parses an input value into the stored one. An empty value becomes null, which clears the field. Errors are
 * keyed by their path within the value: `.city`, `[1]`, or an empty string for the whole value.
 */
export function parseValue(
  field: FieldType,
  input: unknown,
): { readonly value: StoredValue | null } | { readonly errors: FieldErrors } {
  if (input === null) return { value: null }
  const errors = new Map<string, string>()
  const output = validateInto(object({ value: valueSchema(field) }), { value: input }, 'field', errors)
  if (output && errors.size === 0) return output
  return {
    errors: Object.fromEntries([...errors].map(([path, message]) => [path.slice('value'.length), message])),
  }
}

/** Converts a stored value to its form in responses, which inputs accept too. */
export function toResponseValue({ type }: Pick<CustomField, 'type'>, value: StoredValue): StoredValue {
  return type === 'select' && Array.isArray(value) ? value[0]! : value
}

function valueSchema({ type, value }: FieldType): ValueSchema {
  if (type !== 'select' && type !== 'multi_select') return SCHEMAS[type]
  const options = new Set(value?.select_list.map((option) => option.key))
  const option = v.pipe(
    key,
    v.check((name) => options.has(name), 'Must be the key of one of the options.'),
  )
  return type === 'select' ? singleOption(option) : listOfOptions(option)
}

function singleOption(option: v.GenericSchema<string>) {
  return v.pipe(
    option,
    v.transform((name) => [name]),
  )
}

function listOfOptions(option: v.GenericSchema<string>) {
  return v.pipe(
    listOf(option, 0, 200, 'options'),
    v.checkItems((name, index, names) => names.indexOf(name) === index, 'Must not name an option twice.'),
    v.transform((names) => (names.length === 0 ? null : names)),
  )
}
