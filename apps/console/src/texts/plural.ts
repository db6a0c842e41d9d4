/** Chooses the form of a count by the rules of a language. */
export function createPlural(language: string): (count: number, one: string, other: string) => string {
  const rules = new Intl.PluralRules(language)
  const numbers = new Intl.NumberFormat(language)
  return (count, one, other) =>
    (rules.select(count) === 'one' ? one : other).replace('#', numbers.format(count))
}
