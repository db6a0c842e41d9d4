import type { Condition, EntryCondition, MemberCondition } from '@sales-crm/core/ports'
import { type Context, newId } from './case.ts'
import { getCollection, getStored, type Row, write } from './collections.ts'
import { cloneRow, insertRow, instant } from './sample-rows.ts'

const [DEALS, PEOPLE, TASKS] = [getCollection('deals'), getCollection('people'), getCollection('tasks')]

/** A condition, and the numbers of the deals that match it. */
export interface Rule {
  readonly condition: Condition<Row>
  readonly applies: (nth: number) => boolean
}

export interface SampleDeals {
  /** All live deals of the workspace, in order of creation. */
  readonly deals: readonly Row[]
  /** One of each kind of condition on the deal itself, by name, none on terms. */
  readonly ownRules: Readonly<Record<string, Rule>>
  /** One of each kind of condition, by name. */
  readonly rules: Readonly<Record<string, Rule>>
}

const DEAL_COUNT = 12
const SOURCES = [null, 'Estação Sé', 'A 50%_b', 'a']
/** A custom value that is compared. */
const MEMBER = '01a1fc31-2893-73f4-b1ec-06392a46e760'
const TEXTS = ['ana roof', 'bia roof', '', 'anabel']

function customValues(nth: number): object {
  const text = nth > 5 ? 'São Paulo' : 'Rua São João'
  const value = [nth, '2026-03-01', text][nth % 4]
  return value === undefined ? {} : { [MEMBER]: value, other: 'SAO' }
}

const ENTRIES = [
  [
    { source: 'orçamentos', id: 'SAO' },
    { source: 'b', id: '1' },
  ],
  [],
  [{ source: 'filial são joão', id: '2' }],
  [{ source: 'b', id: 'orçamentos' }],
]

function entryRule(comparison: object, applies: Rule['applies']): Rule {
  const whereEntry = { name: 'source', ...comparison } as EntryCondition
  return { condition: { field: 'external_ids', whereEntry }, applies }
}

function memberRule(comparison: object, applies: Rule['applies']): Rule {
  const whereMember = { name: MEMBER, ...comparison } as MemberCondition
  return { condition: { field: 'custom_values', whereMember }, applies }
}

/**
 * Inserts deals of one stage, and for each a deleted copy and a copy in the other workspace with the same id. A third
 * has no owner, a fourth no time of closing, and a third no person.
 */
export async function insertSampleDeals(context: Context): Promise<SampleDeals> {
  const otherContext = { ...context, workspace: context.otherWorkspace }
  const task = await insertRow(context, TASKS, { due_date: instant(10) })
  const first = (await getStored(context, DEALS, task['deal_id'] as string))!
  const other = await insertRow(otherContext, DEALS)
  const [person, otherPerson] = [await insertRow(context, PEOPLE), await insertRow(context, PEOPLE)]
  const owner = first['owner_user_id'] as string
  const fieldsOf = (nth: number) => ({
    ...{ name: `Deal ${nth}`, amount: nth % 5, currency: nth % 2 === 0 ? 'BRL' : 'USD' },
    closed_at: nth % 4 === 0 ? null : instant(nth * 100),
    search_terms: TEXTS[nth % 4],
    source: SOURCES[nth % 4],
    tag_ids: nth % 3 === 0 ? [] : ['t'],
    custom_values: customValues(nth),
    external_ids: ENTRIES[nth % 4],
    created_at: instant(nth),
  })
  const personOf = (nth: number) => [person.id, otherPerson.id, null][Math.floor(nth / 2) % 3]
  const numbers = Array.from({ length: DEAL_COUNT }, (_, nth) => nth)
  const deals = numbers.map((nth) => ({
    ...(nth === 0 ? first : cloneRow(DEALS, first)),
    ...fieldsOf(nth),
    owner_user_id: [owner, person['owner_user_id'], null][nth % 3],
    person_id: personOf(nth),
  }))
  const deleted = deals.map((deal) => cloneRow(DEALS, deal))
  const tasks = deals.flatMap(({ id: deal_id }, nth) =>
    nth > 0 && nth % 3 === 0 ? [cloneRow(TASKS, task, { deal_id, title: `Task ${nth}` })] : [],
  )
  await write(context, DEALS, async (store) => {
    await store.update(deals[0]!)
    await store.insertMany([...deals.slice(1), ...deleted])
    for (const { id } of deleted) await store.softDelete(id, instant(9))
  })
  await write(context, TASKS, (store) => store.insertMany(tasks))
  await write(otherContext, DEALS, (store) =>
    store.insertMany(deals.map(({ id }, nth) => cloneRow(DEALS, other, { ...fieldsOf(nth), id }))),
  )
  const ownRules: SampleDeals['ownRules'] = {
    is: { condition: { field: 'owner_user_id', is: owner }, applies: (nth) => nth % 3 === 0 },
    'is of an integer': { condition: { field: 'amount', is: 3 }, applies: (nth) => nth % 5 === 3 },
    'is null': { condition: { field: 'closed_at', is: null }, applies: (nth) => nth % 4 === 0 },
    oneOf: {
      condition: { field: 'person_id', oneOf: [person.id, newId()] },
      applies: (nth) => personOf(nth) === person.id,
    },
    'oneOf no value': { condition: { field: 'currency', oneOf: [] }, applies: () => false },
    from: {
      condition: { field: 'closed_at', from: instant(500) },
      applies: (nth) => nth % 4 !== 0 && nth >= 5,
    },
    to: { condition: { field: 'closed_at', to: instant(500) }, applies: (nth) => nth % 4 !== 0 && nth <= 5 },
    'from a number': { condition: { field: 'amount', from: 3 }, applies: (nth) => nth % 5 >= 3 },
    'from a text': { condition: { field: 'currency', from: 'USD' }, applies: (nth) => nth % 2 === 1 },
    'to a text': { condition: { field: 'currency', to: 'BRL' }, applies: (nth) => nth % 2 === 0 },
    'to a number': { condition: { field: 'amount', to: 3 }, applies: (nth) => nth % 5 <= 3 },
    equalsText: { condition: { field: 'source', equalsText: 'ESTACAO SÉ' }, applies: (nth) => nth % 4 === 1 },
    contains: { condition: { field: 'source', contains: 'ÇÃO s' }, applies: (nth) => nth % 4 === 1 },
    'contains what is no pattern': {
      condition: { field: 'source', contains: '%_' },
      applies: (nth) => nth % 4 === 2,
    },
    beginsWith: { condition: { field: 'source', beginsWith: 'estacao' }, applies: (nth) => nth % 4 === 1 },
    isEmpty: { condition: { field: 'tag_ids', isEmpty: true }, applies: (nth) => nth % 3 === 0 },
    'isEmpty of an object': {
      condition: { field: 'custom_values', isEmpty: true },
      applies: (nth) => nth % 4 === 3,
    },
    'whereMember is null': memberRule({ is: null }, (nth) => nth % 4 === 3),
    'whereMember from a number': memberRule({ from: 2.5 }, (nth) => nth % 4 === 0 && nth >= 3),
    'whereMember to a number': memberRule({ to: 2.5 }, (nth) => nth % 4 === 0 && nth < 3),
    'whereMember from a text': memberRule({ from: '2026-03' }, (nth) => nth % 4 === 1 || nth % 4 === 2),
    'whereMember equalsText': memberRule({ equalsText: 'SAO PAULO' }, (nth) => nth % 4 === 2 && nth > 5),
    'whereMember contains': memberRule({ contains: 'SAO' }, (nth) => nth % 4 === 2),
    'whereMember beginsWith': memberRule({ beginsWith: 'são' }, (nth) => nth % 4 === 2 && nth > 5),
    'whereEntry equalsText': entryRule({ equalsText: 'B' }, (nth) => nth % 4 === 0 || nth % 4 === 3),
    'whereEntry contains': entryRule({ contains: 'SAO' }, (nth) => nth % 4 === 2),
    'whereEntry beginsWith': entryRule({ beginsWith: 'orcamento' }, (nth) => nth % 4 === 0),
  }
  const field = 'search_terms'
  const rules: SampleDeals['rules'] = {
    ...ownRules,
    hasTerm: { condition: { field, hasTerm: 'roof' }, applies: (nth) => nth % 4 < 2 },
    hasPrefix: { condition: { field, hasPrefix: 'ana' }, applies: (nth) => nth % 4 === 0 || nth % 4 === 3 },
    hasAnyTerm: {
      condition: { field, hasAnyTerm: ['roof', 'absent', '*'] },
      applies: (nth) => nth % 4 < 2,
    },
    'hasAnyTerm of no term': { condition: { field, hasAnyTerm: [] }, applies: () => false },
    'hasTerm of no term': { condition: { field, hasTerm: '*' }, applies: () => false },
    whereRelated: {
      condition: {
        field: 'person_id',
        whereRelated: {
          collection: 'people',
          where: [{ field: 'company_id', is: otherPerson['company_id'] as string }],
        },
      },
      applies: (nth) => personOf(nth) === otherPerson.id,
    },
    'whereRelated with terms and other conditions': {
      condition: {
        field: 'person_id',
        whereRelated: {
          collection: 'people',
          where: [
            {
              anyOf: [
                { field: 'search_terms', hasAnyTerm: ['absent'] },
                { not: { field: 'company_id', oneOf: [otherPerson['company_id'] as string] } },
              ],
            },
            { field: 'company_id', whereRelated: { collection: 'companies', where: [] } },
          ],
        },
      },
      applies: (nth) => personOf(nth) === person.id,
    },
    'notExists with other conditions': {
      condition: {
        field: 'id',
        notExists: {
          ...{ collection: 'tasks', foreignKey: 'deal_id', field: 'due_date', from: instant(10) },
          where: [
            {
              anyOf: [
                { field: 'title', is: 'Task 3' },
                { field: 'title', oneOf: ['Task 9'] },
              ],
            },
          ],
        },
      },
      applies: (nth) => nth !== 3 && nth !== 9,
    },
    notExists: {
      condition: {
        field: 'id',
        notExists: { collection: 'tasks', foreignKey: 'deal_id', field: 'due_date', from: instant(10) },
      },
      applies: (nth) => nth % 3 !== 0,
    },
  }
  return { deals, ownRules, rules }
}

export function anyOf(rules: readonly Rule[]): Rule {
  return {
    condition: { anyOf: rules.map(({ condition }) => condition) },
    applies: (nth) => rules.some(({ applies }) => applies(nth)),
  }
}

export function allOf(rules: readonly Rule[]): Rule {
  return {
    condition: { allOf: rules.map(({ condition }) => condition) },
    applies: (nth) => rules.every(({ applies }) => applies(nth)),
  }
}

export function not({ condition, applies }: Rule): Rule {
  return { condition: { not: condition }, applies: (nth) => !applies(nth) }
}
