import { expect, test } from 'vitest'
import { createPlural } from './plural.ts'

test.each(['en', 'pt-BR'] as const)('the forms of %s are those of the standard', (language) => {
  const plural = createPlural(language)
  const rules = new Intl.PluralRules(language)
  for (const count of [0, 1, 2, 3, 10, 11, 21, 100, 101, 1000, 1_000_000])
    expect(plural(count, 'one', 'other')).toBe(rules.select(count) === 'one' ? 'one' : 'other')
})

test('the number is written as the language writes it', () => {
  expect(createPlural('en')(1200, '# deal', '# deals')).toBe('1,200 deals')
  expect(createPlural('pt-BR')(1200, '# negócio', '# negócios')).toBe('1.200 negócios')
})
