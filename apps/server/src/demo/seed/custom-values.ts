import type { Records } from '@sales-crm/core/ports'
import { DAY_MS, slugify, toInstant } from './complete-record.ts'
import { BRAZIL, type Market } from './markets.ts'
import type { RandomSource } from './random-source.ts'

type CustomField = Records['custom_fields']
type CustomValues = Records['people']['custom_values']

interface ValueSubject {
  readonly random: RandomSource
  readonly market: Market
  readonly name: string
}

/** Probability that an optional field gets a value. */
const FILL_RATE = 0.8

/** Generates values for all required and most optional fields. CPF and CNPJ are tax ids of Brazil. */
export function makeCustomValues(fields: readonly CustomField[], subject: ValueSubject): CustomValues {
  const { random, market } = subject
  const filledFields = fields.filter(({ type, required }) => {
    const isApplicable = market === BRAZIL || (type !== 'cpf' && type !== 'cnpj')
    return required || (isApplicable && random.next() < FILL_RATE)
  })
  return Object.fromEntries(
    filledFields.map((field) => [field.id, VALUE_GENERATORS[field.type](subject, field)]),
  )
}

const VALUE_GENERATORS: Readonly<
  Record<CustomField['type'], (subject: ValueSubject, field: CustomField) => CustomValues[string]>
> = {
  text: ({ random }) => random.fillDigits(['PO-######']),
  long_text: ({ random, market }) => random.sample(market.notes, 1, 2).join('\n'),
  select: ({ random }, field) => random.sample(optionKeys(field), 1, 1),
  multi_select: ({ random }, field) => random.sample(optionKeys(field), 1, 2),
  // The first two digits differ, since a CPF of eleven equal digits is invalid.
  cpf: ({ random }) => withCheckDigits(random.fillDigits(['47#######']), 10),
  cnpj: ({ random }) => withCheckDigits(random.fillDigits(['########0001', '##K#X##P0001']), 8),
  date: ({ random }) => toInstant(random.integerBetween(-5000, 12_000) * DAY_MS).slice(0, 10),
  number: ({ random }) => Math.round(Math.exp(5 + random.next() * 6)) * 1000,
  link: ({ name }) => `https://linkedin.example/${slugify(name)}`,
  address({ random, market: { places, streets, country } }) {
    const place = random.pick(places)!
    const [street, number] = [random.pick(streets)!, String(random.integerBetween(1, 2400))]
    return { street, number, ...place, postal_code: random.fillDigits([place.postal_code]), country }
  },
}

function optionKeys({ value }: CustomField): readonly string[] {
  return value?.select_list.map(({ key }) => key) ?? []
}

/** Appends both check digits of a CPF or CNPJ, which may belong to someone by chance. */
function withCheckDigits(base: string, weightCount: number): string {
  const first = `${base}${checkDigit(base, weightCount)}`
  return `${first}${checkDigit(first, weightCount)}`
}

/** Computes modulo 11. Weights rise from 2 at the last character; characters count by distance from `0`. */
function checkDigit(text: string, weightCount: number): number {
  let sum = 0
  for (let index = 0; index < text.length; index += 1)
    sum += (text.charCodeAt(index) - 48) * (2 + ((text.length - 1 - index) % weightCount))
  return sum % 11 < 2 ? 0 : 11 - (sum % 11)
}
