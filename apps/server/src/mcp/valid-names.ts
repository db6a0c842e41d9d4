/** Maximum number of names listed. Further names can be found with the tools. */
const MAX_NAMES = 50

/** Formats the valid names as a suffix of a rule: ` Valid: a, b.` Empty if the names are unknown. */
export function formatValidNames(names: readonly string[] | undefined): string {
  if (!names) return ''
  if (names.length === 0) return ' There is none.'
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''
  return ` Valid: ${names.slice(0, MAX_NAMES).join(', ')}${more}.`
}
