/**
 * Builds the HTML of a note: paragraphs, lists of lines that begin with `- `, `**bold**`, `_italic_` and links. All
 * else is text.
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
    return `<ul>${lines.map((line) => `<li>${buildInline(line.slice(2))}</li>`).join('')}</ul>`
  return `<p>${lines.map(buildInline).join('<br>')}</p>`
}

const URL_PATTERN = /(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)])/

/** Links are taken out first, so that the signs of formatting inside them stay. */
function buildInline(line: string): string {
  return line
    .split(URL_PATTERN)
    .map((part, index) => {
      const escaped = escapeHtml(part)
      return index % 2 === 1 ? `<a href="${escaped}">${escaped}</a>` : formatText(escaped)
    })
    .join('')
}

function formatText(escaped: string): string {
  return escaped
    .replace(/\*\*(\S(?:.*?\S)?)\*\*/g, '<strong>$1</strong>')
    .replace(/(^|[\s(])_(\S(?:.*?\S)?)_(?=$|[\s).,;:!?])/g, '$1<em>$2</em>')
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
