import { didYouMean } from './did-you-mean.ts'

/** The rule that an unknown name breaks, with the known name that is closest to it, if one is close. */
export function unknownNameRule(
  part: 'event' | 'field' | 'parameter',
  name: string,
  known: readonly string[],
): string {
  const suggestion = didYouMean(name, known)
  return `Unknown ${part}.${suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`}`
}

export function isUnknownFieldRule(rule: string): boolean {
  return rule.startsWith('Unknown field.')
}
