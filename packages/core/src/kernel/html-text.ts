/** Within a word: `<b>twen</b>ty` is one. */
const INLINE_TAGS = /<\/?(?:a|b|code|del|em|i|s|span|strike|strong|sub|sup|u)(?:\s[^<>]*)?>/gi
const TAGS = /<[^<>]*>/g
const REFERENCES = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,31}));/gi
/** An accented letter, by the letter: `eacute`. */
const ACCENTED_LETTER = /^([a-z])(?:acute|breve|caron|cedil|circ|grave|ogon|ring|slash|tilde|uml)$/i
const SIGNS: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])
const LAST_CODE_POINT = 0x10ffff

/**
 * The text of sanitized HTML, in which `<` and `>` are those of tags. Tags that are not within a line become spaces, a named
 * reference to an accented letter the letter, and one that is not known a space.
 */
export function extractHtmlText(html: string): string {
  return html.replaceAll(INLINE_TAGS, '').replaceAll(TAGS, ' ').replaceAll(REFERENCES, decodeReference)
}

function decodeReference(_: string, decimal?: string, hex?: string, name = ''): string {
  if (decimal === undefined && hex === undefined)
    return SIGNS.get(name) ?? ACCENTED_LETTER.exec(name)?.[1] ?? ' '
  const codePoint = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal)
  return codePoint > LAST_CODE_POINT ? ' ' : String.fromCodePoint(codePoint)
}
