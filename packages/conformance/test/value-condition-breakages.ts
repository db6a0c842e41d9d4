import type { Storage } from '@sales-crm/core/ports'
import type { Breakage } from './breakage.ts'
import { alterConditions } from './logical-condition-breakages.ts'

const FOLDED =
  'conditions: `equalsText`, `contains` and `beginsWith` compare texts as foldText returns them, in any script'
const ANY_OF = 'logical conditions: `anyOf` matches what one of its conditions matches'

export const VALUE_CONDITION_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: '`contains` matches a part of a text',
    breakage: '`contains` compares whole texts',
    noticedBy: FOLDED,
    open: () =>
      alterConditions((condition) =>
        'contains' in condition ? { field: condition.field, equalsText: condition.contains } : condition,
      ),
  },
  {
    guarantee: '`beginsWith` matches the beginning of a text',
    breakage: '`beginsWith` matches any part',
    noticedBy: FOLDED,
    open: () =>
      alterConditions((condition) =>
        'beginsWith' in condition ? { field: condition.field, contains: condition.beginsWith } : condition,
      ),
  },
  {
    guarantee: 'A number bound is inclusive',
    breakage: '`from` leaves its number out',
    noticedBy: ANY_OF,
    open: () =>
      alterConditions((condition) =>
        'from' in condition && typeof condition.from === 'number'
          ? { field: condition.field, from: condition.from + 1 }
          : condition,
      ),
  },
  {
    guarantee: 'A text bound is inclusive',
    breakage: '`from` leaves its text out',
    noticedBy: ANY_OF,
    open: () =>
      alterConditions((condition) =>
        'from' in condition && condition.field === 'currency'
          ? { field: condition.field, from: `${condition.from} ` }
          : condition,
      ),
  },
  {
    guarantee: '`isEmpty` matches an empty array and an empty object',
    breakage: '`isEmpty` matches nothing',
    noticedBy: ANY_OF,
    open: () => alterConditions((condition) => ('isEmpty' in condition ? { anyOf: [] } : condition)),
  },
  {
    guarantee: '`whereMember` with `is: null` matches a missing member',
    breakage: 'a missing member matches nothing',
    noticedBy: ANY_OF,
    open: () =>
      alterConditions((condition) =>
        'whereMember' in condition && 'is' in condition.whereMember ? { anyOf: [] } : condition,
      ),
  },
  {
    guarantee: '`whereEntry` looks at the named member only',
    breakage: 'the entries are compared as a whole',
    noticedBy: ANY_OF,
    open: () =>
      alterConditions((condition) =>
        'whereEntry' in condition && 'contains' in condition.whereEntry
          ? {
              anyOf: ['source', 'id'].map((name) => ({
                field: condition.field,
                whereEntry: { ...condition.whereEntry, name },
              })),
            }
          : condition,
      ),
  },
  {
    guarantee: '`whereMember` compares numbers as numbers',
    breakage: 'members are compared as texts',
    noticedBy: ANY_OF,
    open: () =>
      alterConditions((condition) => {
        if (!('whereMember' in condition) || !('from' in condition.whereMember)) return condition
        const { name, from } = condition.whereMember
        return { field: condition.field, whereMember: { name, from: String(from) } }
      }),
  },
]
