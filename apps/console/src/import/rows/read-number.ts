/** The sign before the decimals in a locale. */
export function decimalSign(locale: string): ',' | '.' {
  const part = new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')
  return part?.value === ',' ? ',' : '.'
}

const SIGN = '[-+\u2212]'
const CURRENCY = '[^\\d .,+\\-\u2212](?:[^\\d +\\-\u2212]*[^\\d ,+\\-\u2212])?'
/** A sign and a currency, in either order, then the digits with what groups them, and a currency. */
const PARTS = new RegExp(
  `^(${SIGN})? ?(${CURRENCY})? ?(${SIGN})? ?(\\d[\\d.,'\u2019 ]*?) ?(${CURRENCY})?$`,
  'u',
)
/** Marks that set the direction of the text. */
const INVISIBLE = /\p{Cf}/gu

/**
 * Reads `1.234,56`, `1,234.56`, `1'234.5`, `1,23,456`, `1234,5` and the like. Of two signs the last one is
 * before the decimals. A single sign before three digits is read as the locale has it, but no group follows a
 * leading 0. A currency before or after it is left out.
 * @returns undefined for a text that is no number
 */
export function readNumber(text: string, decimal: ',' | '.'): number | undefined {
  const parts = PARTS.exec(text.replace(INVISIBLE, '').replace(/\s+/g, ' ').trim())
  if (!parts) return undefined
  const [, sign, before, innerSign, digits = '', after] = parts
  const isCorrect = isCurrency(before) && isCurrency(after) && !(sign && innerSign)
  const value = isCorrect ? readDigits(digits, decimal) : undefined
  const isNegative = /[-\u2212]/.test(sign ?? innerSign ?? '')
  return value !== undefined && isNegative ? 0 - value : value
}

function readDigits(digits: string, decimal: ',' | '.'): number | undefined {
  const compact = digits.replaceAll('\u2019', "'")
  const sign = findDecimalSign(compact, decimal)
  const [whole = '', decimals = '', ...more] = sign === undefined ? [compact] : compact.split(sign)
  if (more.length > 0 || !/^\d*$/.test(decimals) || !isGrouped(whole)) return undefined
  return Number(`${whole.replace(/\D/g, '')}.${decimals || '0'}`)
}

function findDecimalSign(text: string, decimal: ',' | '.'): ',' | '.' | undefined {
  const comma = text.lastIndexOf(',')
  const point = text.lastIndexOf('.')
  if (comma >= 0 && point >= 0) return comma > point ? ',' : '.'
  if (comma < 0 && point < 0) return undefined
  const sign = comma >= 0 ? ',' : '.'
  const isAmbiguous = /^[1-9]\d{0,2}[.,]\d{3}$/.test(text)
  if (isAmbiguous) return sign === decimal ? sign : undefined
  return text.indexOf(sign) === text.lastIndexOf(sign) ? sign : undefined
}

/** True for digits without groups, with groups of three, or as in India of two and at last of three. */
function isGrouped(whole: string): boolean {
  return (
    /^\d+$/.test(whole) ||
    /^[1-9]\d{0,2}(?:([.,' ])\d{3})(?:\1\d{3})*$/.test(whole) ||
    /^[1-9]\d?(?:,\d{2})+,\d{3}$/.test(whole)
  )
}

/** The signs of currencies that are letters. */
const LETTER_SIGNS = new Set(['kr', 'Kč', 'zł', 'Ft', 'lei', 'Rs', 'Rp', 'RM', 'R', 'S/'])
const CODES = new Set(Intl.supportedValuesOf('currency'))

/** True for `€`, `R$`, `$US`, `EUR`, `kr` and nothing. */
function isCurrency(text = ''): boolean {
  const name = text.replace(/\.$/, '')
  const hasSign = /^\p{L}{0,3}\p{Sc}\p{L}{0,3}$/u.test(name)
  return name === '' || hasSign || LETTER_SIGNS.has(name) || CODES.has(name)
}
