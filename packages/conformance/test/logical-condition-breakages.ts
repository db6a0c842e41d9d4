import type { Condition, Storage } from '@sales-crm/core/ports'
import type { Row, RowStore } from '../src/collections.ts'
import { alterStorage, matchesCondition, searchMethods } from './altered-storage.ts'
import type { Breakage } from './breakage.ts'

type Where = readonly Condition<Row>[]

const NOT = 'logical conditions: `not` matches the other live records of the workspace, null included'
const AGGREGATES = 'logical conditions: sums, groups and medians are those of the matches'

export const LOGICAL_CONDITION_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: '`not` matches null',
    breakage: '`not` drops records whose field is null, as in SQL',
    noticedBy: NOT,
    open: () =>
      alterConditions((condition) =>
        'not' in condition && 'field' in condition.not && !('notExists' in condition.not)
          ? { allOf: [condition, { not: { field: condition.not.field, is: null } }] }
          : condition,
      ),
  },
  {
    guarantee: '`not` matches null in every collection',
    breakage: '`not` of `is` matches nothing for null',
    noticedBy: 'conditions: apps: `not` matches what its condition does not match, null included',
    open: () =>
      alterConditions((condition) =>
        'not' in condition && 'is' in condition.not && condition.not.is !== null
          ? { allOf: [condition, { not: { field: condition.not.field, is: null } }] }
          : condition,
      ),
  },
  {
    guarantee: '`not` matches no deleted record',
    breakage: '`not` lets deleted records in',
    noticedBy: NOT,
    open: findDeleted,
  },
  {
    guarantee: '`not` stays in its workspace',
    breakage: '`not` lets records of any workspace in',
    noticedBy: NOT,
    open: findInAllWorkspaces,
  },
  {
    guarantee: '`not` is undone by `not`',
    breakage: '`not` of `not` is `not`',
    noticedBy: 'logical conditions: `not` of `not` matches what its condition matches',
    open: () =>
      alterConditions((condition) =>
        'not' in condition && 'not' in condition.not ? condition.not : condition,
      ),
  },
  {
    guarantee: '`anyOf` has any number of conditions',
    breakage: '`anyOf` has at most two',
    noticedBy: 'logical conditions: `anyOf` matches what one of its conditions matches',
    open: () =>
      alterConditions((condition) =>
        'anyOf' in condition ? { anyOf: condition.anyOf.slice(0, 2) } : condition,
      ),
  },
  {
    guarantee: '`allOf` is an alternative as a whole',
    breakage: 'the conditions of `allOf` within `anyOf` are alternatives',
    noticedBy: 'logical conditions: `allOf` matches what all of its conditions match',
    open: () =>
      alterConditions((condition) =>
        'anyOf' in condition
          ? { anyOf: condition.anyOf.flatMap((each) => ('allOf' in each ? each.allOf : [each])) }
          : condition,
      ),
  },
  {
    guarantee: 'An empty `anyOf` matches nothing',
    breakage: 'an empty `anyOf` matches everything',
    noticedBy: 'logical conditions: an empty `anyOf` matches nothing, an empty `allOf` everything',
    open: () =>
      alterConditions((condition) =>
        'anyOf' in condition && condition.anyOf.length === 0 ? { allOf: [] } : condition,
      ),
  },
  {
    guarantee: '`not` of `anyOf` matches what none of them matches',
    breakage: '`not` of `anyOf` is `anyOf` of `not`',
    noticedBy: 'logical conditions: logical conditions are nested in one another',
    open: () =>
      alterConditions((condition) =>
        'not' in condition && 'anyOf' in condition.not
          ? { anyOf: condition.not.anyOf.map((not) => ({ not })) }
          : condition,
      ),
  },
  {
    guarantee: 'Logical conditions apply beside others',
    breakage: 'conditions beside a logical one are ignored',
    noticedBy: 'logical conditions: logical conditions apply together with conditions on fields and on terms',
    open: () => alterWhere((where) => (where.some(isLogical) ? where.filter(isLogical) : where)),
  },
  {
    guarantee: 'A query has its own values',
    breakage: 'the values of the first query of its structure are used again',
    noticedBy: 'logical conditions: queries alike in structure differ by their values',
    open: reuseValues,
  },
  {
    guarantee: 'A query accepts `MAX_CONDITIONS` conditions',
    breakage: 'a query accepts sixteen conditions',
    noticedBy:
      'logical conditions: a query has `MAX_CONDITIONS` conditions, side by side or one within the other',
    open: () =>
      alterConditions((condition) => {
        if ('anyOf' in condition && condition.anyOf.length > 16) throw new Error('Too many conditions.')
        return condition
      }),
  },
  {
    guarantee: 'aggregate applies logical conditions',
    breakage: 'aggregate ignores logical conditions',
    noticedBy: AGGREGATES,
    open: () => alterStorage((store) => ({ aggregate: (query) => store.aggregate(withoutLogical(query)) })),
  },
  {
    guarantee: 'medianDuration applies logical conditions',
    breakage: 'medianDuration ignores logical conditions',
    noticedBy: AGGREGATES,
    open: () =>
      alterStorage((store) => ({ medianDuration: (query) => store.medianDuration(withoutLogical(query)) })),
  },
  {
    guarantee: 'listGroups applies logical conditions',
    breakage: 'listGroups ignores logical conditions',
    noticedBy: AGGREGATES,
    open: () => alterStorage((store) => ({ listGroups: (query) => store.listGroups(withoutLogical(query)) })),
  },
  {
    guarantee: 'Sections apply logical conditions',
    breakage: 'sections ignore logical conditions',
    noticedBy: 'logical conditions: the sections of groups have logical conditions on fields of the record',
    open: () =>
      alterStorage((store) => ({
        listGroups: (query) => store.listGroups({ ...query, sections: query.sections.map(withoutLogical) }),
      })),
  },
  {
    guarantee: 'A page applies logical conditions',
    breakage: 'list ignores logical conditions from the second page on',
    noticedBy: 'logical conditions: any page equals that slice of the sorted matches, for any conditions',
    open: () =>
      alterStorage((store) => ({
        list: (query) => store.list(query.page === 1 ? query : withoutLogical(query)),
      })),
  },
]

function isLogical(condition: Condition<Row>): boolean {
  return !('field' in condition)
}

function withoutLogical<Q extends { readonly where: Where }>(query: Q): Q {
  return { ...query, where: query.where.filter((condition) => !isLogical(condition)) }
}

/** A store that answers other conditions than it is asked for. */
function alterWhere(change: (where: Where) => Where): Storage {
  const alterQuery = <Q extends { readonly where: Where }>(query: Q) => ({
    ...query,
    where: change(query.where),
  })
  return alterStorage((store) => ({
    find: async (where) => store.find(change(where)),
    has: async (where) => store.has(change(where)),
    list: async (query) => store.list(alterQuery(query)),
    aggregate: async (query) => store.aggregate(alterQuery(query)),
    listGroups: async (query) => store.listGroups(alterQuery(query)),
    medianDuration: async (query) => store.medianDuration(alterQuery(query)),
  }))
}

/** A store that replaces each condition, those within others first. */
export function alterConditions(change: (condition: Condition<Row>) => Condition<Row>): Storage {
  const alter = (condition: Condition<Row>): Condition<Row> => {
    if ('anyOf' in condition) return change({ anyOf: condition.anyOf.map(alter) })
    if ('allOf' in condition) return change({ allOf: condition.allOf.map(alter) })
    return change('not' in condition ? { not: alter(condition.not) } : condition)
  }
  return alterWhere((where) => where.map(alter))
}

function findDeleted(): Storage {
  const deleted = new Map<string, Row[]>()
  return alterStorage((store, { spec, workspace }) => {
    const key = `${spec.name} ${workspace}`
    return {
      async softDelete(id, at) {
        const row = await store.get(id)
        if (row) deleted.set(key, [...(deleted.get(key) ?? []), row])
        return store.softDelete(id, at)
      },
      ...searchMethods(store, async (where) => {
        const rows = where.some((condition) => 'not' in condition) ? (deleted.get(key) ?? []) : []
        const matches = rows.filter((row) => where.every((condition) => matchesCondition(row, condition)))
        return [...(await store.find(where)), ...matches]
      }),
    }
  })
}

function findInAllWorkspaces(): Storage {
  const workspaces = new Set<string>()
  return alterStorage((store, { spec, workspace, tx }) => {
    if (workspace !== '') workspaces.add(workspace)
    const find: RowStore['find'] = async (where) => {
      if (workspace === '' || !where.some((condition) => 'not' in condition)) return store.find(where)
      const found = await Promise.all([...workspaces].map((each) => spec.storeIn(tx, each).find(where)))
      return found.flat()
    }
    return searchMethods(store, find)
  })
}

function reuseValues(): Storage {
  const queries = new Map<string, Where>()
  return alterWhere((where) => {
    if (!where.some(isLogical)) return where
    const structure = JSON.stringify(where, (key, value) =>
      typeof value === 'string' && key !== 'field' ? '' : value,
    )
    const first = queries.get(structure) ?? where
    queries.set(structure, first)
    return first
  })
}
