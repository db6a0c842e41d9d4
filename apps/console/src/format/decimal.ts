/** How a locale writes numbers. */
export interface NumberSigns {
  /** From 0 to 9. */
  readonly digits: readonly string[]
  readonly group: string
  readonly decimal: string
}

/** Finds the signs of the numbers that Intl writes with these options. */
export function findSigns(locale: string, options: Intl.NumberFormatOptions = {}): NumberSigns {
  const format = new Intl.NumberFormat(locale, {
    ...options,
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  })
  const parts = format.formatToParts(12_345_678.5)
  const signOf = (sought: string) => parts.find(({ type }) => type === sought)?.value ?? ''
  const digits = new Intl.NumberFormat(locale, { useGrouping: false }).format(9_876_543_210)
  return { digits: [...digits].reverse(), group: signOf('group'), decimal: signOf('decimal') }
}

/**
 * Writes a number that was typed in ASCII: its digits, `.` and `,`, and `'` for each other sign of a group. Leaves out
 * marks of direction, and white space that does not stand between digits.
 */
export function toAsciiNumber(text: string, { digits, group, decimal }: NumberSigns): string {
  let ascii = text.normalize('NFKC').replace(/\p{Bidi_Control}/gu, '')
  for (const [value, digit] of digits.entries()) ascii = ascii.replaceAll(digit, String(value))
  if (decimal !== ',') ascii = ascii.replaceAll(decimal, '.')
  if (/[^.,\s]/.test(group)) ascii = ascii.replaceAll(group, "'")
  return (
    ascii
      .replace(/(?<=\d)[\p{Zs}’](?=\d)/gu, "'")
      // Such as two cells of a spreadsheet, which are not one number.
      .replace(/(?<=\d)\s+(?=\d)/g, ' ')
      .replace(/(?<!\d)\s|\s(?!\d)/g, '')
  )
}

/**
 * Reads an ASCII number without a sign. Its signs are those of the locale, or others where they are not ambiguous:
 * `1.350,50`, `1,350.50`, `1350.5`, `1,23,456.50`.
 * @returns its digits before and after the decimal sign; undefined if the text is no number
 */
export function readDecimal(
  ascii: string,
  { decimal }: NumberSigns,
): readonly [whole: string, fraction: string] | undefined {
  if (!/^\d[\d.,']*$/.test(ascii)) return undefined
  const sign = findDecimalSign(ascii, decimal === ',' ? ',' : '.')
  const [whole = '', fraction = ''] = sign ? ascii.split(sign) : [ascii]
  return GROUPED.test(whole) && !fraction.includes("'") ? [whole.replace(/\D/g, ''), fraction] : undefined
}

/** Digits, or groups of three with one sign between them; all but the last may have two digits. */
const GROUPED = /^(?:\d+|[1-9]\d{0,2}([.,'])\d{3}(?:\1\d{3})*|[1-9]\d?([.,'])\d{2}(?:\2\d{2})*\2\d{3})$/

/** A sign that repeats groups, and so does one that looks so and is not the decimal sign of the locale. */
function findDecimalSign(ascii: string, local: string): string | undefined {
  const last = /[.,](?=[^.,]*$)/.exec(ascii)?.[0]
  if (last === undefined || ascii.split(last).length > 2) return undefined
  const isGroup = last !== local && /^[1-9]\d{0,2}[.,]\d{3}$/.test(ascii)
  return isGroup ? undefined : last
}
