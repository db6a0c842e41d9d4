import { expect, test } from 'vitest'
import { translateProblem, translateRule } from './rules-pt-br.ts'

test.each([
  ['unknown_option', 'Is none of: low, medium, high.', 'Não é uma das opções.'],
  ['invalid_value', 'Must be between 0 and 100.', 'Está fora dos limites do campo.'],
  ['invalid_value', 'Must be something that nobody knows.', 'Não é aceito pelas regras do campo.'],
] as const)('%s is said in Portuguese: %s', (code, message, text) => {
  expect(translateRule({ code, message })).toBe(text)
})

test('a problem keeps its line', () => {
  const problem = { code: 'unclosed_quote', message: 'A quotation mark…', line: 7 }
  expect(translateProblem(problem)).toBe('Linha 7: Aspas abrem uma célula e não fecham.')
})
