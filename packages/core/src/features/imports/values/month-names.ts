/** In English and Portuguese, folded. */
const NAMES: readonly (readonly [string, string])[] = [
  ['january', 'janeiro'],
  ['february', 'fevereiro'],
  ['march', 'marco'],
  ['april', 'abril'],
  ['may', 'maio'],
  ['june', 'junho'],
  ['july', 'julho'],
  ['august', 'agosto'],
  ['september', 'setembro'],
  ['october', 'outubro'],
  ['november', 'novembro'],
  ['december', 'dezembro'],
]

/** Finds the number of a month by its folded name, or the first letters of it: 1 for `jan` and `janeiro`. */
export function findMonth(name: string): number | undefined {
  if (name.length < 3) return undefined
  const index = NAMES.findIndex((names) => names.some((each) => each.startsWith(name)))
  return index < 0 ? undefined : index + 1
}
