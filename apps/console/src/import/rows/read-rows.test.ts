import type { CustomField, MemberListItem, Tag } from '@sales-crm/client'
import { describe, expect, test } from 'vitest'
import { listTargets } from '../columns/target.ts'
import { correctProblem, groupProblems } from './problem.ts'
import { type Corrections, readRows } from './read-rows.ts'
import { createReadingContext } from './reading-context.ts'

const SELECT = {
  select_list: [
    { key: 'retail', option: 'Varejo' },
    { key: 'industry', option: 'Indústria' },
  ],
}
const FIELDS = [
  { key: 'segment', label: 'Segmento', type: 'select', value: SELECT },
  { key: 'areas', label: 'Áreas', type: 'multi_select', value: SELECT },
  { key: 'revenue', label: 'Receita', type: 'number' },
  { key: 'since', label: 'Desde', type: 'date' },
  { key: 'site', label: 'Site', type: 'link' },
  { key: 'home', label: 'Casa', type: 'address' },
] as unknown as CustomField[]
const NAMES = {
  members: [{ id: 'm1', name: 'Ana Lima', email: 'ana@demo.example' } as MemberListItem],
  tags: [
    { id: 't1', name: 'Lead quente', key: 'lead_quente' } as Tag,
    { id: 't2', name: 'VIP', key: 'vip' } as Tag,
  ],
  fields: FIELDS,
  locale: 'pt-BR',
}
const TARGETS = listTargets('people', FIELDS)

/** Reads rows of cells whose columns become the targets. */
function read(ids: readonly string[], cells: readonly string[][], corrections: Corrections = new Map()) {
  const targets = ids.map((id) => TARGETS.find((target) => target.id === id))
  const rows = cells.map((each, index) => ({ number: index + 2, cells: each }))
  return readRows(rows, targets, createReadingContext(NAMES, targets, rows), corrections)
}
const draftOf = (id: string, cell: string) => read(['fullName', id], [['Ana', cell]])[0]?.draft

describe('readRows', () => {
  test.each([
    [
      'email:home',
      'a@x.example; b@x.example',
      {
        emails: [
          { email: 'a@x.example', type: 'home' },
          { email: 'b@x.example', type: 'home' },
        ],
      },
    ],
    [
      'phone:mobile',
      '+55 11 9 / 123',
      {
        phones: [
          { phone: '+55 11 9', type: 'mobile' },
          { phone: '123', type: 'mobile' },
        ],
      },
    ],
    ['owner', 'ANA LIMA', { ownerId: 'm1' }],
    ['owner', 'ana@demo.example', { ownerId: 'm1' }],
    ['tags', 'vip, lead quente;VIP', { tagIds: ['t2', 't1'] }],
    ['field:segment', 'industria', { custom: { segment: 'industry' } }],
    ['field:areas', 'retail|Indústria', { custom: { areas: ['retail', 'industry'] } }],
    ['field:revenue', '1.234,5', { custom: { revenue: 1234.5 } }],
    ['field:since', '31/12/2026', { custom: { since: '2026-12-31' } }],
    ['field:site', 'www.x.example/a', { custom: { site: 'https://www.x.example/a' } }],
    ['note', '<b>=1+1</b>', { note: '<b>=1+1</b>' }],
    ['position', '  ', {}],
  ])('reads %s of %j', (id, cell, draft) => {
    expect(draftOf(id, cell)).toEqual({ fullName: 'Ana', ...draft })
  })

  test('joins names, lists and the parts of an address', () => {
    const ids = ['firstName', 'lastName', 'email:work', 'email:home', 'field:home:city', 'field:home:state']
    expect(
      read(ids, [['Ana', 'Lima', 'a@x.example', 'b@x.example', 'Curitiba', 'PR']])[0]?.draft,
    ).toMatchObject({
      fullName: 'Ana Lima',
      emails: [
        { email: 'a@x.example', type: 'work' },
        { email: 'b@x.example', type: 'home' },
      ],
      custom: { home: { city: 'Curitiba', state: 'PR' } },
    })
  })

  test.each([
    ['email:work', 'não tem', 'notAnEmail'],
    ['email:work', 'joao@', 'notAnEmail'],
    ['owner', 'Bruno', 'noMember'],
    ['tags', 'nova', 'noTag'],
    ['field:segment', 'agro', 'noOption'],
    ['field:revenue', 'muito', 'notANumber'],
    ['field:since', '31/02/2026', 'notADate'],
  ])('finds what is wrong with %s of %j', (id, cell, reason) => {
    expect(read(['fullName', id], [['Ana', cell]])[0]?.errors).toEqual([{ column: 1, text: cell, reason }])
  })

  test('misses a name', () => {
    expect(read(['position', 'fullName'], [['CEO', ' ']])[0]?.errors).toEqual([
      { column: 1, text: '', reason: 'noName' },
    ])
    expect(read(['position'], [['CEO']])[0]?.errors).toEqual([
      { column: undefined, text: '', reason: 'noName' },
    ])
  })
})

describe('problems', () => {
  const cells = [
    ['Ana', 'agro'],
    ['Bia', 'Varejo'],
    ['Caio', 'agro'],
    ['Davi', 'tech'],
  ]
  const problemsOf = (corrections: Corrections = new Map()) =>
    groupProblems(
      read(['fullName', 'field:segment'], cells, corrections).map(({ row, errors }) => ({
        number: row.number,
        errors,
      })),
    )

  test('group the rows of a column and a reason', () => {
    expect(problemsOf()).toEqual([
      { id: '1 noOption', column: 1, reason: 'noOption', texts: ['agro', 'tech'], rows: [2, 4, 5] },
    ])
  })

  test('end when a text is chosen for all, or nothing', () => {
    const [problem] = problemsOf()
    const chosen = correctProblem(new Map(), problem!, 'Indústria')
    expect(problemsOf(chosen)).toEqual([])
    const drafts = read(['fullName', 'field:segment'], cells, correctProblem(new Map(), problem!, ''))
    expect(drafts.map(({ draft }) => draft.custom?.['segment'])).toEqual([
      undefined,
      'retail',
      undefined,
      undefined,
    ])
  })

  test('a text that was chosen and is wrong too is corrected where it came from', () => {
    const [problem] = problemsOf()
    const wrong = correctProblem(new Map(), problem!, 'nada')
    const [next] = problemsOf(wrong)
    expect(next?.texts).toEqual(['nada'])
    expect(problemsOf(correctProblem(wrong, next!, 'Varejo'))).toEqual([])
  })
})
