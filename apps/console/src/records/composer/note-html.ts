/**
 * Builds the HTML of a note from plain text: paragraphs, lists of lines that begin with `- `, and links. All else is
 * text.
 */
export function buildNoteHtml(note: string): string {
  return note
    .replaceAll('\r', '')
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter((block) => block !== '')
    .map((block) => buildBlock(block.split('\n')))
    .join('')
}

function buildBlock(lines: readonly string[]): string {
  if (lines.every((line) => line.startsWith('- ')))
    return `<ul>${lines.map((line) => `<li>${linkAddresses(line.slice(2))}</li>`).join('')}</ul>`
  return `<p>${lines.map(linkAddresses).join('<br />')}</p>`
}

const URL_PATTERN = /(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)])/

/** The HTML of a text, in which addresses are links. */
export function linkAddresses(text: string): string {
  return text
    .split(URL_PATTERN)
    .map((part, index) =>
      index % 2 === 1 ? `<a href="${escapeAttribute(part)}">${escapeText(part)}</a>` : escapeText(part),
    )
    .join('')
}

/** As the service writes it. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

export function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;')
}

/** Elements of notes, and those that become one without losing anything. */
const KNOWN_TAGS = /<(?!\/?(?:p|div|span|br|strong|b|em|i|ul|ol|li|a)[\s/>])/i

/** True if the HTML has elements, such as tables and headings, that become paragraphs when it is edited. */
export function losesFormatting(html: string): boolean {
  return KNOWN_TAGS.test(html)
}
