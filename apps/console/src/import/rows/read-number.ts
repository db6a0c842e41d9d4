/** The sign before the decimals in a locale. */
export function decimalSign(locale: string): ',' | '.' {
  const part = new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')
  return part?.value === ',' ? ',' : '.'
}

/**
 * Reads `1.234,56`, `1,234.56`, `1234,5` and the like. Of two signs the last one is before the decimals. A single
 * sign before three digits is read as the locale has it. A sign of a currency before it is left out.
 * @returns undefined for a text that is no number
 */
export function readNumber(text: string, decimal: ',' | '.'): number | undefined {
  const compact = text.replace(/[\s']/g, '').replace(/^\+|^(?:R|US)?\p{Sc}/u, '')
  if (!/^-?\d[\d.,]*$/.test(compact)) return undefined
  const sign = findDecimalSign(compact, decimal)
  const [whole = '', decimals = '', ...more] = sign === undefined ? [compact] : compact.split(sign)
  if (more.length > 0 || /[.,]/.test(decimals) || !isGrouped(whole)) return undefined
  return Number(`${whole.replace(/[.,]/g, '')}.${decimals || '0'}`)
}

function findDecimalSign(text: string, decimal: ',' | '.'): ',' | '.' | undefined {
  const comma = text.lastIndexOf(',')
  const point = text.lastIndexOf('.')
  if (comma >= 0 && point >= 0) return comma > point ? ',' : '.'
  if (comma < 0 && point < 0) return undefined
  const sign = comma >= 0 ? ',' : '.'
  const isAmbiguous = /^-?\d{1,3}[.,]\d{3}$/.test(text)
  if (isAmbiguous) return sign === decimal ? sign : undefined
  return text.indexOf(sign) === text.lastIndexOf(sign) ? sign : undefined
}

/** True for digits that have no groups, or groups of three. */
function isGrouped(whole: string): boolean {
  return /^-?\d+$/.test(whole) || /^-?\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*$/.test(whole)
}
