import type { Records } from '@sales-crm/core/ports'
import type { Dice } from './dice.ts'
import { cnpj, cpf } from './documents.ts'
import { DAY_MS, instant, type Labels, type Making, slug, withDigits } from './making.ts'
import { BRAZIL, type Market } from './markets.ts'

type CustomField = Records['custom_fields']
type CustomValues = Records['people']['custom_values']
type Value = CustomValues[string]

export interface About {
  readonly market: Market
  readonly name: string
}

/** How many of the records that could have a value have one. */
const FILLED = 0.8

/** Values for most of the fields that are shown for the kind, and for all that are required. */
export function customValues({ dice, labels }: Making, kind: keyof Labels['fields'], about: About): CustomValues {
  const values: Record<string, Value> = {}
  for (const field of labels.fields[kind]) {
    if (field.required || (dice.chance(FILLED) && isUsual(field, about))) values[field.id] = VALUES[field.type](dice, about, field)
  }
  return values
}

/** Brazilian documents are for Brazilians. */
function isUsual({ type }: CustomField, { market }: About): boolean {
  return market === BRAZIL || (type !== 'cpf' && type !== 'cnpj')
}

const VALUES: Readonly<Record<CustomField['type'], (dice: Dice, about: About, field: CustomField) => Value>> = {
  text: (dice) => withDigits('PO-######', dice),
  long_text: (dice, { market }) => [dice.pick(market.notes)!, ...dice.some(market.notes, 1)].join('\n'),
  select: (dice, _, field) => [dice.pick(optionsOf(field))!],
  multi_select: (dice, _, field) => [...new Set([dice.pick(optionsOf(field))!, ...dice.some(optionsOf(field), 1)])],
  cpf,
  cnpj,
  date: (dice) => instant(Date.UTC(1955, 0, 1) + dice.between(0, 50 * 365) * DAY_MS).slice(0, 10),
  number: (dice) => Math.round(Math.exp(5 + dice.roll() * 6)) * 1000,
  link: (_, { name }) => `https://linkedin.example/${slug(name)}`,
  address,
}

function optionsOf({ value }: CustomField): readonly string[] {
  return value?.select_list.map(({ key }) => key) ?? []
}

function address(dice: Dice, { market }: About): Value {
  const { city, state, postalCode } = dice.pick(market.places)!
  const street = dice.pick(market.streets)!
  const number = String(dice.between(1, 2400))
  return { street, number, city, state, postal_code: withDigits(postalCode, dice), country: market.country }
}
