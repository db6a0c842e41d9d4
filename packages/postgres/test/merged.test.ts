import type { Asked, Statement } from '@sales-crm/sql'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { merged } from '../src/group-commit.ts'

const plain = (name: string): Statement => ({ name, sql: name, args: ['value'], planned: 'once' })
const repeated = (name: string): Statement => ({ ...plain(name), times: (count) => plain(`${name} x${count}`) })
const [INSERT, OTHER, UPDATE] = [repeated('insert'), repeated('other'), plain('update')]

describe('what units of work write, put together', () => {
  const asked = (statement: Statement, value: number): Asked => ({ statement, values: [value] })

  test('equal inserts side by side are as few as powers of two, and what has no form for many stays single', () => {
    const units = [
      [asked(INSERT, 1), asked(UPDATE, 2)],
      [asked(INSERT, 3)],
      [asked(OTHER, 4), asked(INSERT, 5)],
      [asked(INSERT, 6), asked(UPDATE, 7)],
    ]
    expect(merged(units).map(({ statement, values }) => [statement.name, values])).toEqual([
      ['insert x2', [1, 3]],
      ['insert', [6]],
      ['other', [4]],
      ['update', [2]],
      ['update', [7]],
      ['insert', [5]],
    ])
  })

  test('whatever they are, each is written once, and no unit’s own in another order', () => {
    const statement = fc.constantFrom(INSERT, OTHER, UPDATE)
    fc.assert(
      fc.property(fc.array(fc.array(statement, { maxLength: 6 }), { maxLength: 20 }), (kinds) => {
        let next = 0
        const units = kinds.map((each) => each.map((kind) => asked(kind, next++)))
        const written = merged(units).flatMap(({ values }) => values)
        expect([...written].sort((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: next }, (_, nth) => nth))
        for (const unit of units) {
          const places = unit.map(({ values: [value] }) => written.indexOf(value))
          expect(places).toEqual([...places].sort((a, b) => a - b))
        }
      }),
    )
  })
})
