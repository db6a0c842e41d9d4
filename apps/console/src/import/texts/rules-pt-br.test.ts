import { expect, test } from 'vitest'
import { translateProblem, translateRule } from './rules-pt-br.ts'

test.each([
  ['Is no amount.', 'Não é um valor.'],
  ['Is none of: low, medium, high.', 'Não é uma das opções.'],
  ['Must be a CNPJ with valid check digits, such as 12.ABC.345/01DE-35.', /CNPJ não conferem/],
  ['Must be something that nobody knows.', 'Não é aceito pelas regras do campo.'],
])('%s is said in Portuguese', (message, text) => {
  expect(translateRule(message)).toMatch(text)
})

test('a problem keeps its line', () => {
  const problem = { code: 'unclosed_quote', message: 'A quotation mark…', line: 7 }
  expect(translateProblem(problem)).toBe('Linha 7: Aspas abrem uma célula e não fecham.')
})
