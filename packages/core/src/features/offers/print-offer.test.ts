import { expect, test } from 'vitest'
import { formatNumber } from '../../schema/deal-offer.ts'
import { nameFile } from './print-offer.ts'

test.each([
  ['Licenças anuais', 'Proposta 2026-0147 Licenças anuais.pdf'],
  ['a/b\\..\u202efdp.exe\r\n"x"', 'Proposta 2026-0147 a b .. fdp.exe x.pdf'],
  ['..', 'Proposta 2026-0147.pdf'],
  ['😀'.repeat(120), `Proposta 2026-0147 ${'😀'.repeat(60)}.pdf`],
])('the document of an offer named %j is a safe file', (title, filename) => {
  expect(nameFile({ language: 'pt-BR', number: '2026-0147', title })).toBe(filename)
})

test('numbers have four digits or more', () => {
  expect([2026_000_001, 2026_012_345].map(formatNumber)).toEqual(['2026-0001', '2026-12345'])
})
