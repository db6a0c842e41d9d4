const MAX_NAMES = 3

/** Lists a few names in a sentence, such as `Demo, Proposal and Negotiation`, and counts the others. */
export function joinNames(
  names: readonly string[],
  language: string,
  countOthers: (count: number) => string,
): string {
  const isLong = names.length > MAX_NAMES + 1
  const shown = (isLong ? names.slice(0, MAX_NAMES) : names).map(isolate)
  const others = isLong ? [countOthers(names.length - MAX_NAMES)] : []
  return new Intl.ListFormat(language).format([...shown, ...others])
}

/** Keeps the direction of a name from changing the sentence around it. */
export function isolate(name: string): string {
  return `\u2068${name}\u2069`
}
