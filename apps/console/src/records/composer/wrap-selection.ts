/** A text with a selection in it. */
export interface SelectedText {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Puts signs around the selection, or takes them away. */
export function wrapSelection({ text, start, end }: SelectedText, sign: string): SelectedText {
  const { length } = sign
  const isWrapped = text.slice(start - length, start) === sign && text.slice(end, end + length) === sign
  if (isWrapped)
    return {
      text: text.slice(0, start - length) + text.slice(start, end) + text.slice(end + length),
      start: start - length,
      end: end - length,
    }
  return {
    text: text.slice(0, start) + sign + text.slice(start, end) + sign + text.slice(end),
    start: start + length,
    end: end + length,
  }
}

/** Makes a list of the lines that the selection touches. */
export function listSelection({ text, start, end }: SelectedText): SelectedText {
  const first = text.lastIndexOf('\n', start - 1) + 1
  const lines = text.slice(first, end).split('\n')
  const listed = lines.map((line) => (line.startsWith('- ') ? line : `- ${line}`)).join('\n')
  const before = text.slice(0, first)
  return { text: before + listed + text.slice(end), start: before.length, end: before.length + listed.length }
}
