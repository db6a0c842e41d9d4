/** So many are named; whoever has more looks them up. */
const MAX_NAMES = 50

/** What would have been right, as the end of a rule. */
export function formatValidNames(names: readonly string[] | undefined): string {
  if (!names) return ''
  if (names.length === 0) return ' There is none.'
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''
  return ` Valid: ${names.slice(0, MAX_NAMES).join(', ')}${more}.`
}
