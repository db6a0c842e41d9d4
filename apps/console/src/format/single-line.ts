/** The text of a field of one line: what is pasted from a spreadsheet contains tabs and line breaks. */
export function collapseSpaces(typed: string): string {
  return typed.replace(/\s+/g, ' ').trim()
}
