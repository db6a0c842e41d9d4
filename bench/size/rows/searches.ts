import type { Crm } from '@sales-crm/core'
import type { Row, Target } from '../row.ts'
import { type FilledWorkspace, OWNER_EMAIL, RARE_OWNER_EMAIL } from '../workspace.ts'

type PeopleQuery = NonNullable<Parameters<Crm['people']['list']>[1]>
type DealsQuery = NonNullable<Parameters<Crm['deals']['list']>[1]>
type TasksQuery = NonNullable<Parameters<Crm['tasks']['list']>[1]>

const LATE = '2100-01-01T00:00:00Z'
const TWO_WORDS: Target = { over: 'smallest', most: 5, underMs: 50 }

export const filterRows: readonly Row[] = [
  filterPeople('people of a common owner', () => ({ owner_email: OWNER_EMAIL })),
  filterPeople('people of a rare owner, by name', () => ({
    owner_email: RARE_OWNER_EMAIL,
    order_by: 'full_name',
    order: 'asc',
  })),
  filterPeople('people with a common tag', ({ references }) => ({ tag: references.common.tag })),
  filterPeople('people with a rare tag', ({ references }) => ({ tag: references.rare.tag })),
  filterPeople('people of a common list, by name', ({ references }) => ({
    list_id: references.common.list,
    order_by: 'full_name',
    order: 'asc',
  })),
  filterPeople('people of a rare company, by change', ({ references }) => ({
    company_id: references.rare.company,
    order_by: 'updated_at',
  })),
  filterPeople('people changed after all of them', () => ({ updated_after: LATE, order_by: 'full_name' })),
  filterDeals('deals in a common stage', ({ references }) => ({ stage_id: references.stages[0]! })),
  filterDeals('deals in a rare stage', ({ references }) => ({ stage_id: references.rare.stage })),
  filterTasks('tasks of a rare owner', () => ({ owner_email: RARE_OWNER_EMAIL })),
  filterTasks('tasks not completed, by due date', () => ({
    completed: false,
    order_by: 'due_date',
    order: 'asc',
  })),
]

export const searchRows: readonly Row[] = [
  searchPeople('one common word', () => ({ search: 'joao' })),
  { ...searchPeople('two common words', () => ({ search: 'joao silva' })), target: TWO_WORDS },
  searchPeople('three words, by name', () => ({
    search: 'maria ba lima',
    order_by: 'full_name',
    order: 'asc',
  })),
  searchPeople('a few, by e-mail', () => ({ search: 'ana.160@' })),
  searchPeople('one, by phone', () => ({ search: '11 900000161' })),
  searchPeople('nobody', () => ({ search: 'zzyzx' })),
  searchPeople('common tag, common list and a word', ({ references }) => ({
    tag: references.common.tag,
    list_id: references.common.list,
    search: 'ana',
  })),
  searchPeople('rare tag, rare owner and a word', ({ references }) => ({
    tag: references.rare.tag,
    owner_email: RARE_OWNER_EMAIL,
    search: 'ana',
  })),
]

function filterPeople(title: string, query: (workspace: FilledWorkspace) => PeopleQuery): Row {
  return {
    panel: 'Filters',
    title,
    run: (workspace) => workspace.crm.people.list(workspace.actor, query(workspace)),
  }
}

function searchPeople(words: string, query: (workspace: FilledWorkspace) => PeopleQuery): Row {
  return { ...filterPeople(`search: ${words}`, query), panel: 'Search' }
}

function filterDeals(title: string, query: (workspace: FilledWorkspace) => DealsQuery): Row {
  return {
    panel: 'Filters',
    title,
    run: (workspace) => workspace.crm.deals.list(workspace.actor, query(workspace)),
  }
}

function filterTasks(title: string, query: (workspace: FilledWorkspace) => TasksQuery): Row {
  return {
    panel: 'Filters',
    title,
    run: (workspace) => workspace.crm.tasks.list(workspace.actor, query(workspace)),
  }
}
