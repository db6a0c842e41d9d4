import { expect, test } from 'vitest'
import type { Draft } from '../rows/draft.ts'
import { planRows } from './plan.ts'

const reading = (number: number, draft: Draft, isInvalid = false) => ({
  row: { number, cells: [] },
  draft,
  errors: isInvalid ? [{ column: 0, text: 'x', reason: 'notADate' as const }] : [],
})
const email = (address: string) => ({ emails: [{ email: address, type: 'work' as const }] })
const READINGS = [
  reading(2, { fullName: 'Ana', company: 'Pampa', ...email('Ana@x.example') }),
  reading(3, { fullName: 'Bia', company: 'pampa', ...email('bia@x.example') }),
  reading(4, { fullName: 'Bia again', company: 'Nova', ...email('BIA@x.example') }),
  reading(5, { fullName: 'Caio' }),
  reading(6, { fullName: 'Davi', company: 'Left out' }, true),
]
const RECORDS = { idOf: (key: string) => (key === 'ana@x.example' ? 'p1' : undefined) }
const COMPANIES = { idOf: (key: string) => (key === 'pampa' ? 'c1' : undefined) }
const OPTIONS = { kind: 'people', updates: true, records: RECORDS, companies: COMPANIES } as const

test('counts what is new, what is there or in an earlier row, and what is left out', () => {
  const plan = planRows(READINGS, OPTIONS)
  expect(plan.rows.map(({ isUpdate }) => isUpdate)).toEqual([true, false, true, false])
  expect(plan).toMatchObject({ created: 2, updated: 2, newCompanies: 1, foundCompanies: 1, leftOut: 1 })
})

test('creates every row if records that are there are not updated', () => {
  expect(planRows(READINGS, { ...OPTIONS, updates: false })).toMatchObject({ created: 4, updated: 0 })
})

test('finds companies by their names', () => {
  const readings = [reading(2, { fullName: 'PAMPA' }), reading(3, { fullName: 'Nova' })]
  expect(planRows(readings, { ...OPTIONS, kind: 'companies', records: COMPANIES })).toMatchObject({
    created: 1,
    updated: 1,
  })
})

test('takes companies for one whose names the search of the service does not tell apart', () => {
  const readings = ['Łódź Straße', 'LODZ  STRASSE', 'Lodz Strasse 2'].map((company, index) =>
    reading(index + 2, { fullName: 'Ana', company }),
  )
  expect(planRows(readings, OPTIONS)).toMatchObject({ newCompanies: 2 })
})
