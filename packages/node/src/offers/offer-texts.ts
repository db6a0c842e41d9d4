import { type Currency, formatAmount, minorUnitDigits } from '@sales-crm/core/browser'
import type { PrintableOffer } from '@sales-crm/core/ports'

type Language = PrintableOffer['language']
type Cycle = PrintableOffer['items'][number]['billing_cycle']

/** The words of an offer in one language. */
interface OfferTexts {
  readonly offer: string
  readonly date: string
  readonly validUntil: string
  readonly from: string
  readonly to: string
  readonly attention: string
  readonly columns: Readonly<
    Record<'name' | 'quantity' | 'price' | 'discount' | 'tax' | 'cycle' | 'total', string>
  >
  readonly totals: Readonly<Record<'net' | 'tax' | 'gross', string>>
  readonly cycles: Readonly<Record<Cycle, string>>
  readonly due: Readonly<Record<Cycle, string>>
  readonly notes: string
  readonly agreed: string
  readonly sign: readonly string[]
  page(nth: number, count: number): string
}

export const TEXTS: Readonly<Record<Language, OfferTexts>> = {
  en: {
    ...{ offer: 'Offer', date: 'Date', validUntil: 'Valid until', from: 'From', to: 'To' },
    ...{ attention: 'Attn.', notes: 'Notes', agreed: 'Agreed', sign: ['Name', 'Signature', 'Date'] },
    columns: {
      ...{ name: 'Description', quantity: 'Quantity', price: 'Unit price', discount: 'Discount' },
      ...{ tax: 'Tax', cycle: 'Due', total: 'Total' },
    },
    totals: { net: 'Subtotal', tax: 'Tax', gross: 'Total' },
    cycles: { one_time: 'once', monthly: 'monthly', quarterly: 'quarterly', annually: 'yearly' },
    due: {
      ...{ one_time: 'One-time payment', monthly: 'Per month', quarterly: 'Per quarter' },
      annually: 'Per year',
    },
    page: (nth, count) => `Page ${nth} of ${count}`,
  },
  'pt-BR': {
    ...{ offer: 'Proposta', date: 'Data', validUntil: 'Válida até', from: 'De', to: 'Para' },
    ...{ attention: 'A/C', notes: 'Observações', agreed: 'De acordo', sign: ['Nome', 'Assinatura', 'Data'] },
    columns: {
      ...{ name: 'Descrição', quantity: 'Quant.', price: 'Preço unit.', discount: 'Desconto' },
      ...{ tax: 'Imposto', cycle: 'Ciclo', total: 'Total' },
    },
    totals: { net: 'Subtotal', tax: 'Impostos', gross: 'Total' },
    cycles: { one_time: 'único', monthly: 'mensal', quarterly: 'trimestral', annually: 'anual' },
    due: {
      ...{ one_time: 'Pagamento único', monthly: 'Por mês', quarterly: 'Por trimestre' },
      annually: 'Por ano',
    },
    page: (nth, count) => `Página ${nth} de ${count}`,
  },
}

const DATE_OPTIONS: Readonly<Record<Language, Intl.DateTimeFormatOptions>> = {
  en: { dateStyle: 'long' },
  'pt-BR': { day: '2-digit', month: '2-digit', year: 'numeric' },
}

/** Numbers and dates as the language of an offer writes them. */
export class OfferFormat {
  readonly #language: Language
  readonly #currency: Currency
  readonly #numbers: Intl.NumberFormat

  constructor({ language, currency }: Pick<PrintableOffer, 'language' | 'currency'>) {
    this.#language = language
    this.#currency = currency
    this.#numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 3 })
  }

  /** With the currency. @param amount in minor units */
  money(amount: number): string {
    return formatAmount(amount, this.#currency, this.#language)
  }

  /** Without the currency, which the head of the column names. */
  amount(amount: number): string {
    const digits = minorUnitDigits(this.#currency)
    const options = { minimumFractionDigits: digits, maximumFractionDigits: digits }
    return new Intl.NumberFormat(this.#language, options).format(amount / 10 ** digits)
  }

  number(value: number): string {
    return this.#numbers.format(value)
  }

  percent(value: number): string {
    return `${this.#numbers.format(value)}\u00a0%`
  }

  date(day: string): string {
    const options = { ...DATE_OPTIONS[this.#language], timeZone: 'UTC' }
    return new Intl.DateTimeFormat(this.#language, options).format(new Date(`${day}T00:00:00Z`))
  }
}
