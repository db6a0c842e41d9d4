const HAN_DIGITS = '〇一二三四五六七八九'

/** Writes decimal digits of any script, and Chinese ones, as `0` to `9`. */
export function toAsciiDigits(text: string): string {
  return text.replace(/(?![0-9])[\p{Nd}〇一二三四五六七八九]/gu, (digit) => {
    const han = HAN_DIGITS.indexOf(digit)
    return String(han >= 0 ? han : digitValue(digit))
  })
}

/** Unicode has the digits of a script in runs that start with 0. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0)!
  let first = code
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1
  return (code - first) % 10
}
