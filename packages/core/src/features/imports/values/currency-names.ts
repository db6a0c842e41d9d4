import { CURRENCIES, type Currency } from '../../../schema/currency.ts'

/** Codes of ISO 4217, of which deals and products can have some. */
const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** The currencies that share a sign. */
const SIGNS: Readonly<Record<string, readonly Currency[]>> = {
  $: ['USD', 'ARS', 'AUD', 'CAD', 'CLP', 'COP', 'HKD', 'MXN', 'NZD', 'SGD', 'UYU'],
  '€': ['EUR'],
  '£': ['GBP', 'EGP'],
  '¥': ['CNY', 'JPY'],
  '₹': ['INR'],
  '₺': ['TRY'],
  '₦': ['NGN'],
  '₪': ['ILS'],
}

/** The letters beside a sign, as in `US$` and `$US`. */
const SIGN_LETTERS: Readonly<Record<string, Currency>> = {
  ...{ A: 'AUD', AR: 'ARS', AU: 'AUD', BR: 'BRL', C: 'CAD', CA: 'CAD', CL: 'CLP', CN: 'CNY', CO: 'COP' },
  ...{ COL: 'COP', E: 'EGP', EG: 'EGP', GB: 'GBP', HK: 'HKD', JP: 'JPY', MX: 'MXN', NZ: 'NZD', R: 'BRL' },
  ...{ S: 'SGD', SG: 'SGD', U: 'UYU', UK: 'GBP', US: 'USD', UY: 'UYU' },
}

const LETTER_SIGNS: Readonly<Record<string, readonly Currency[]>> = {
  kr: ['DKK', 'NOK', 'SEK'],
  Kr: ['DKK', 'NOK', 'SEK'],
  Rs: ['INR'],
  RM: ['MYR'],
  R: ['ZAR'],
  'S/': ['PEN'],
  Fr: ['CHF'],
  SFr: ['CHF'],
  Dh: ['AED', 'MAD'],
  ...{ Dkr: ['DKK'], Nkr: ['NOK'], NKr: ['NOK'], Skr: ['SEK'], 元: ['CNY'], 円: ['JPY'] },
  ...{ 'د.إ': ['AED'], 'ج.م': ['EGP'], 'د.ك': ['KWD'], 'د.م': ['MAD'], 'ر.ق': ['QAR'], 'ر.س': ['SAR'] },
  // Of currencies that deals cannot have.
  ...{ Kč: [], zł: [], Ft: [], lei: [], Rp: [] },
}

/** The meaning of a sign beside an amount whose currency is none of those that share it. */
const PREFERRED: ReadonlySet<Currency> = new Set(['USD', 'GBP'])

/** True for `€`, `R$`, `$US`, `EUR`, `kr.` and the like. */
export function isCurrencyName(text: string): boolean {
  const name = removePoint(text)
  return CODES.has(name) || Object.hasOwn(LETTER_SIGNS, name) || SIGN_WITH_LETTERS.test(name)
}

/**
 * Returns the currency that names stand for. The one given is taken if the names allow it.
 * @returns undefined for names that contradict each other, or mean several currencies or one that deals cannot have
 */
export function resolveCurrency(names: readonly string[], given: Currency): Currency | undefined {
  if (names.length === 0) return given
  const choices = names.map(listCurrencies)
  const possible = CURRENCIES.filter((each) => choices.every((choice) => choice.includes(each)))
  if (possible.includes(given)) return given
  return possible.length === 1 ? possible[0] : possible.find((each) => PREFERRED.has(each))
}

const SIGN_WITH_LETTERS = /^(\p{L}{0,3})(\p{Sc})(\p{L}{0,3})$/u

function listCurrencies(text: string): readonly Currency[] {
  const name = removePoint(text)
  const letterSign = Object.hasOwn(LETTER_SIGNS, name) ? LETTER_SIGNS[name] : undefined
  if (letterSign) return letterSign
  const [, before = '', sign = '', after = ''] = SIGN_WITH_LETTERS.exec(name) ?? []
  const letters = before + after
  if (sign !== '' && letters === '') return SIGNS[sign] ?? []
  const code = sign === '' ? name : (SIGN_LETTERS[letters] ?? letters)
  return CURRENCIES.filter((each) => each === code)
}

function removePoint(name: string): string {
  return name.replace(/\.$/, '')
}
