import type { Crm } from '@sales-crm/core'
import type { Row, Target } from '../rows.ts'
import { type Filled, OWNER_EMAIL, RARE_OWNER_EMAIL } from '../workspace.ts'

type PeopleQuery = NonNullable<Parameters<Crm['people']['list']>[1]>
type DealsQuery = NonNullable<Parameters<Crm['deals']['list']>[1]>
type TasksQuery = NonNullable<Parameters<Crm['tasks']['list']>[1]>

const LATE = '2100-01-01T00:00:00Z'
const TWO_WORDS: Target = { over: 'smallest', most: 5, underMs: 50 }

export const filterRows: readonly Row[] = [
  filtered('people of a common owner', () => ({ owner_email: OWNER_EMAIL })),
  filtered('people of a rare owner, by name', () => ({
    owner_email: RARE_OWNER_EMAIL,
    order_by: 'full_name',
    order: 'asc',
  })),
  filtered('people with a common tag', ({ place }) => ({ tag: place.common.tag })),
  filtered('people with a rare tag', ({ place }) => ({ tag: place.rare.tag })),
  filtered('people of a common list, by name', ({ place }) => ({
    list_id: place.common.list,
    order_by: 'full_name',
    order: 'asc',
  })),
  filtered('people of a rare company, by change', ({ place }) => ({
    company_id: place.rare.company,
    order_by: 'updated_at',
  })),
  filtered('people changed after all of them', () => ({ updated_after: LATE, order_by: 'full_name' })),
  ofDeals('deals in a common stage', ({ place }) => ({ stage_id: place.stages[0]! })),
  ofDeals('deals in a rare stage', ({ place }) => ({ stage_id: place.rare.stage })),
  ofTasks('tasks of a rare owner', () => ({ owner_email: RARE_OWNER_EMAIL })),
  ofTasks('tasks not completed, by due date', () => ({
    completed: false,
    order_by: 'due_date',
    order: 'asc',
  })),
]

export const searchRows: readonly Row[] = [
  searched('one common word', () => ({ search: 'joao' })),
  { ...searched('two common words', () => ({ search: 'joao silva' })), target: TWO_WORDS },
  searched('three words, by name', () => ({ search: 'maria ba lima', order_by: 'full_name', order: 'asc' })),
  searched('a few, by e-mail', () => ({ search: 'ana.160@' })),
  searched('one, by phone', () => ({ search: '11 900000161' })),
  searched('nobody', () => ({ search: 'zzyzx' })),
  searched('common tag, common list and a word', ({ place }) => ({
    tag: place.common.tag,
    list_id: place.common.list,
    search: 'ana',
  })),
  searched('rare tag, rare owner and a word', ({ place }) => ({
    tag: place.rare.tag,
    owner_email: RARE_OWNER_EMAIL,
    search: 'ana',
  })),
]

function filtered(title: string, query: (filled: Filled) => PeopleQuery): Row {
  return { panel: 'Filters', title, ask: (filled) => filled.crm.people.list(filled.actor, query(filled)) }
}

function searched(words: string, query: (filled: Filled) => PeopleQuery): Row {
  return { ...filtered(`search: ${words}`, query), panel: 'Search' }
}

function ofDeals(title: string, query: (filled: Filled) => DealsQuery): Row {
  return { panel: 'Filters', title, ask: (filled) => filled.crm.deals.list(filled.actor, query(filled)) }
}

function ofTasks(title: string, query: (filled: Filled) => TasksQuery): Row {
  return { panel: 'Filters', title, ask: (filled) => filled.crm.tasks.list(filled.actor, query(filled)) }
}
