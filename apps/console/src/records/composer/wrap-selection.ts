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
  // The second press at the end of what is formatted ends it.
  if (start === end && text.slice(end, end + length) === sign)
    return { text, start: end + length, end: end + length }
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
  const last = before.length + listed.length
  return { text: before + listed + text.slice(end), start: start === end ? last : before.length, end: last }
}

/**
 * Begins the next item of a list, or ends the list at an item without text.
 * @returns undefined if the caret is in no list
 */
export function continueList({ text, start, end }: SelectedText): SelectedText | undefined {
  const first = text.lastIndexOf('\n', start - 1) + 1
  const line = text.slice(first, start)
  if (start !== end || !line.startsWith('- ')) return undefined
  const [from, added] = line === '- ' ? [first, ''] : [start, '\n- ']
  const caret = from + added.length
  return { text: text.slice(0, from) + added + text.slice(end), start: caret, end: caret }
}
