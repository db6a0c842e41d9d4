import type { Currency, LineItem } from '@sales-crm/client'
import { BILLING_CYCLES, PERCENT_PLACES, QUANTITY_PLACES, QUANTITY_RANGE } from '@sales-crm/core/browser'
import { formatMoney } from '../format/money.ts'
import { editableNumber, parseNumber } from '../format/number.ts'
import { editableMoney, exampleAmount, parseMoney, plainMoney } from '../format/typed-money.ts'
import { collapseSpaces } from '../format/typed-text.ts'
import type { Texts } from '../texts/en.ts'
import type { ItemTexts } from './texts.ts'

/** What a line shows; its amounts follow from it. */
export type ItemValues = Pick<
  LineItem,
  'name' | 'code' | 'quantity' | 'unit_price_cts' | 'discount' | 'tax_rate' | 'billing_cycle'
>

/** The columns that are edited, in their order. */
export const EDITED_COLUMNS = [
  'name',
  'quantity',
  'unit_price_cts',
  'discount',
  'tax_rate',
  'billing_cycle',
] as const

export type EditedColumn = (typeof EDITED_COLUMNS)[number]

/** How the values of a deal's items are written: all numbers of a line in the locale of its amounts. */
export interface ItemNotation {
  readonly currency: Currency
  readonly locale: string
  readonly texts: Texts
  readonly itemTexts: ItemTexts
}

interface ItemColumn {
  /** As it is shown; undefined for no value. */
  readonly display: (item: ItemValues, notation: ItemNotation) => string | undefined
  /** As it is edited. */
  readonly format: (item: ItemValues, notation: ItemNotation) => string
  /** @returns what it becomes; the error of a text that is no value */
  readonly parse: (typed: string, notation: ItemNotation) => Partial<ItemValues> | string
}

export const ITEM_COLUMNS: Readonly<Record<EditedColumn, ItemColumn>> = {
  name: {
    display: ({ name }) => name,
    format: ({ name }) => name,
    parse: (typed, { texts }) => {
      const name = collapseSpaces(typed)
      return name === '' ? texts.errors.required : { name }
    },
  },
  quantity: {
    display: ({ quantity }, { locale }) => new Intl.NumberFormat(locale).format(quantity),
    format: ({ quantity }, { locale }) => editableNumber(quantity, locale),
    parse: (typed, notation) => {
      const quantity = readQuantity(typed, notation.locale)
      return quantity === undefined ? explainQuantity(notation) : { quantity }
    },
  },
  unit_price_cts: {
    display: ({ unit_price_cts: amount }, { currency, locale }) => plainMoney({ amount, currency }, locale),
    format: ({ unit_price_cts: amount }, { currency, locale }) => editableMoney({ amount, currency }, locale),
    parse: (typed, notation) => {
      const unit_price_cts = parseMoney(typed, notation.currency, notation.locale)
      return unit_price_cts === undefined ? explainAmount(notation) : { unit_price_cts }
    },
  },
  discount: {
    display: ({ discount }, { currency, locale }) => {
      if (discount === null) return undefined
      return 'percent' in discount
        ? writePercent(discount.percent, locale)
        : formatMoney({ amount: discount.amount_cts, currency }, locale)
    },
    format: ({ discount }, { currency, locale }) => {
      if (discount === null) return ''
      return 'percent' in discount
        ? writePercent(discount.percent, locale)
        : editableMoney({ amount: discount.amount_cts, currency }, locale)
    },
    parse: (typed, notation) => {
      if (typed.trim().endsWith('%')) {
        const percent = readPercent(typed, notation.locale)
        if (percent === undefined) return notation.itemTexts.errors.percent
        return { discount: percent === 0 ? null : { percent } }
      }
      const amount_cts = parseMoney(typed, notation.currency, notation.locale)
      if (amount_cts === undefined) return explainAmount(notation)
      return { discount: amount_cts === 0 ? null : { amount_cts } }
    },
  },
  tax_rate: {
    display: ({ tax_rate }, { locale }) => (tax_rate === null ? undefined : writePercent(tax_rate, locale)),
    format: ({ tax_rate }, { locale }) => (tax_rate === null ? '' : writePercent(tax_rate, locale)),
    parse: (typed, { locale, itemTexts }) => {
      if (typed.trim() === '') return { tax_rate: null }
      const tax_rate = readPercent(typed, locale)
      return tax_rate === undefined ? itemTexts.errors.percent : { tax_rate }
    },
  },
  billing_cycle: {
    display: ({ billing_cycle }, { texts }) => texts.products.billing[billing_cycle],
    format: ({ billing_cycle }) => billing_cycle,
    parse: (typed, { texts, itemTexts }) => {
      const text = typed.trim().toLowerCase()
      const billing_cycle = BILLING_CYCLES.find(
        (each) => each === text || texts.products.billing[each].toLowerCase() === text,
      )
      return billing_cycle === undefined ? itemTexts.errors.cycle : { billing_cycle }
    },
  },
}

/** @returns undefined if the text is no quantity of an item */
export function readQuantity(typed: string, locale: string): number | undefined {
  const [least, most] = QUANTITY_RANGE
  return readDecimalIn(typed, least, most, QUANTITY_PLACES, locale)
}

function readPercent(typed: string, locale: string): number | undefined {
  return readDecimalIn(typed.replace(/%\s*$/, ''), 0, 100, PERCENT_PLACES, locale)
}

function readDecimalIn(
  typed: string,
  least: number,
  most: number,
  places: number,
  locale: string,
): number | undefined {
  const value = parseNumber(typed, locale)
  if (value === undefined || value < least || value > most) return undefined
  return Number(value.toFixed(places)) === value ? value : undefined
}

function writePercent(percent: number, locale: string): string {
  return `${editableNumber(percent, locale)}%`
}

function explainQuantity({ locale, itemTexts }: ItemNotation): string {
  const [least, most] = QUANTITY_RANGE
  const format = new Intl.NumberFormat(locale)
  return itemTexts.errors.quantity(format.format(least), format.format(most))
}

function explainAmount({ currency, locale, texts }: ItemNotation): string {
  return texts.errors.notAnAmount(currency, exampleAmount(currency, locale))
}
