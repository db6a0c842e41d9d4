import type { BoundStatement, Statement } from '@sales-crm/sql'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeWrites } from '../../src/transactions/group-commit.ts'

const plainStatement = (name: string): Statement => ({ name, sql: name, params: ['value'], plan: 'generic' })
const repeatableStatement = (name: string): Statement => ({
  ...plainStatement(name),
  repeat: (count) => plainStatement(`${name} x${count}`),
})
const [INSERT, OTHER, UPDATE] = [
  repeatableStatement('insert'),
  repeatableStatement('other'),
  plainStatement('update'),
]

describe('merging the writes of units of work', () => {
  const bind = (statement: Statement, value: number): BoundStatement => ({ statement, values: [value] })

  test('merges adjacent equal inserts by powers of two, unless they have no repeated form', () => {
    const units = [
      [bind(INSERT, 1), bind(UPDATE, 2)],
      [bind(INSERT, 3)],
      [bind(OTHER, 4), bind(INSERT, 5)],
      [bind(INSERT, 6), bind(UPDATE, 7)],
    ]
    expect(mergeWrites(units).map(({ statement, values }) => [statement.name, values])).toEqual([
      ['insert x2', [1, 3]],
      ['insert', [6]],
      ['other', [4]],
      ['update', [2]],
      ['update', [7]],
      ['insert', [5]],
    ])
  })

  test('writes every statement once and keeps the order within each unit', () => {
    const statement = fc.constantFrom(INSERT, OTHER, UPDATE)
    fc.assert(
      fc.property(fc.array(fc.array(statement, { maxLength: 6 }), { maxLength: 20 }), (kinds) => {
        let next = 0
        const units = kinds.map((each) => each.map((kind) => bind(kind, next++)))
        const written = mergeWrites(units).flatMap(({ values }) => values)
        expect([...written].sort((a, b) => Number(a) - Number(b))).toEqual(
          Array.from({ length: next }, (_, nth) => nth),
        )
        for (const unit of units) {
          const positions = unit.map(({ values: [value] }) => written.indexOf(value))
          expect(positions).toEqual([...positions].sort((a, b) => a - b))
        }
      }),
    )
  })
})
