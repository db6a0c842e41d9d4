import type { Records } from '@sales-crm/core/ports'
import { BRAZIL, type Market } from './markets.ts'
import type { RandomSource } from './random-source.ts'
import { DAY_MS, fillDigits, type Labels, type SeedContext, slugify, toInstant } from './seed-context.ts'
import { cnpj, cpf } from './tax-ids.ts'

type CustomField = Records['custom_fields']
type CustomValues = Records['people']['custom_values']
type Value = CustomValues[string]

export interface ValueSubject {
  readonly market: Market
  readonly name: string
}

/** Probability that an optional, applicable field gets a value. */
const FILL_RATE = 0.8

/** Returns values for all required and most optional fields of the record type. */
export function customValues(
  { random, labels }: SeedContext,
  kind: keyof Labels['fields'],
  subject: ValueSubject,
): CustomValues {
  const values: Record<string, Value> = {}
  for (const field of labels.fields[kind]) {
    if (field.required || (random.chance(FILL_RATE) && isApplicable(field, subject)))
      values[field.id] = VALUE_GENERATORS[field.type](random, subject, field)
  }
  return values
}

/** Restricts CPF and CNPJ, which are Brazilian tax ids, to the Brazilian market. */
function isApplicable({ type }: CustomField, { market }: ValueSubject): boolean {
  return market === BRAZIL || (type !== 'cpf' && type !== 'cnpj')
}

const VALUE_GENERATORS: Readonly<
  Record<CustomField['type'], (random: RandomSource, subject: ValueSubject, field: CustomField) => Value>
> = {
  text: (random) => fillDigits('PO-######', random),
  long_text: (random, { market }) =>
    [random.pick(market.notes)!, ...random.sample(market.notes, 1)].join('\n'),
  select: (random, _, field) => [random.pick(optionKeys(field))!],
  multi_select: (random, _, field) => [
    ...new Set([random.pick(optionKeys(field))!, ...random.sample(optionKeys(field), 1)]),
  ],
  cpf,
  cnpj,
  date: (random) =>
    toInstant(Date.UTC(1955, 0, 1) + random.integerBetween(0, 50 * 365) * DAY_MS).slice(0, 10),
  number: (random) => Math.round(Math.exp(5 + random.next() * 6)) * 1000,
  link: (_, { name }) => `https://linkedin.example/${slugify(name)}`,
  address: makeAddress,
}

function optionKeys({ value }: CustomField): readonly string[] {
  return value?.select_list.map(({ key }) => key) ?? []
}

function makeAddress(random: RandomSource, { market }: ValueSubject): Value {
  const { city, state, postalCode } = random.pick(market.places)!
  const street = random.pick(market.streets)!
  const number = String(random.integerBetween(1, 2400))
  return { street, number, city, state, postal_code: fillDigits(postalCode, random), country: market.country }
}
