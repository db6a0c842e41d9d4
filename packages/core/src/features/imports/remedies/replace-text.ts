/** Returns the text that stands for a cell or for an entry of one, which may be empty; undefined if none is chosen. */
export type ReplaceText = (text: string) => string | undefined

/**
 * Replaces entries of a list. What a text is split into is not replaced once more.
 * @param split reads the entries of a text
 */
export function replaceEntries(
  entries: readonly string[],
  replace: ReplaceText | undefined,
  split: (text: string) => readonly string[],
): readonly string[] {
  if (!replace) return entries
  return entries.flatMap((entry) => {
    const text = replace(entry)
    return text === undefined ? [entry] : split(text)
  })
}
