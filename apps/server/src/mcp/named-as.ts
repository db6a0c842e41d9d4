/** So many are named; whoever has more looks them up. */
const MOST_NAMED = 50

/** What would have been right, as the end of a rule. */
export function namedAs(names: readonly string[] | undefined): string {
  if (!names) return ''
  if (names.length === 0) return ' There is none.'
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''
  return ` Valid: ${names.slice(0, MOST_NAMED).join(', ')}${more}.`
}
