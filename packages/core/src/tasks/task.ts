import * as v from 'valibot'
import { type CompanySummary, companySummaries } from '../companies/company.ts'
import { type DealSummary, dealSummaries } from '../deals/deal.ts'
import { type PersonSummary, personSummaries } from '../people/person.ts'
import type { Instant, RecordBase } from '../ports.ts'
import { changeable, clearable, email, flag, instant, isUuid, line, object, oneOf, optional, text, uuid } from '../records/fields.ts'
import { type Owner, ownersOf } from '../records/owner.ts'
import { byFlag, byId, byOwner, since, until } from '../records/query.ts'
import { OWNER, type Reference, toRecord } from '../records/references.ts'
import { defineResource, nothingToSettle } from '../records/resource.ts'
import { idsIn, linked, type Unit } from '../records/unit.ts'
import { type TaskType, taskTypeNamed, taskTypeViews } from '../task-types/task-type.ts'
import type { EventName } from '../webhooks/event-names.ts'

export type Priority = 'high' | 'medium' | 'low'

export interface Task extends RecordBase {
  readonly updated_at: Instant
  readonly title: string
  readonly notes: string | null
  readonly due_date: Instant | null
  readonly type_id: string | null
  readonly person_id: string | null
  readonly company_id: string | null
  readonly deal_id: string | null
  readonly owner_user_id: string | null
  readonly priority: Priority | null
  readonly completed: boolean
}

export const taskShape = {
  columns: {
    title: 'text',
    notes: 'text?',
    due_date: 'instant?',
    type_id: 'uuid?',
    person_id: 'uuid?',
    company_id: 'uuid?',
    deal_id: 'uuid?',
    owner_user_id: 'uuid?',
    priority: 'text?',
    completed: 'boolean',
  },
  unique: [],
  neverReused: [],
  refersTo: { type_id: 'task_types', person_id: 'people', company_id: 'companies', deal_id: 'deals', owner_user_id: 'members' },
} as const

const title = line(1, 200)
const typeName = v.pipe(
  line(0, 60),
  v.check((value) => value !== '', 'Must be the id or the key of a task type.'),
)
const emptied = {
  notes: text(3000),
  due_date: instant,
  type: typeName,
  person_id: uuid,
  company_id: uuid,
  deal_id: uuid,
  owner_email: email,
  owner_user_id: uuid,
  priority: oneOf(['high', 'medium', 'low']),
}

const type: Reference = {
  column: 'type_id',
  label: 'Task type',
  async find(name, unit) {
    const byId = isUuid(name) ? await unit.stores.task_types.get(name.toLowerCase()) : undefined
    return byId?.id ?? taskTypeNamed(name, unit)
  },
}

export interface TaskView
  extends Pick<Task, 'id' | 'title' | 'notes' | 'due_date' | 'priority' | 'completed' | 'created_at' | 'updated_at'> {
  readonly type: TaskType | null
  readonly person: PersonSummary | null
  readonly company: CompanySummary | null
  readonly deal: DealSummary | null
  readonly owner: Owner | null
}

export const tasks = defineResource<Task>()({
  label: 'Task',
  scopes: { read: 'tasks:read', write: 'tasks:write' },
  store: (stores) => stores.tasks,
  orderBy: ['created_at', 'updated_at', 'due_date'],
  filters: {
    completed: byFlag<Task>('completed'),
    owner_email: byOwner<Task>('owner_user_id'),
    person_id: byId<Task>('person_id', 'people'),
    company_id: byId<Task>('company_id', 'companies'),
    deal_id: byId<Task>('deal_id', 'deals'),
    due_after: since<Task>('due_date'),
    due_before: until<Task>('due_date'),
  },
  create: object({ title, ...optional({ ...emptied, completed: flag }) }),
  update: object({ ...changeable({ title, completed: flag }), ...clearable(emptied) }),
  references: {
    ...OWNER,
    type,
    person_id: toRecord('person_id', 'people', 'Person'),
    company_id: toRecord('company_id', 'companies', 'Company'),
    deal_id: toRecord('deal_id', 'deals', 'Deal'),
  },
  codeLetter: null,
  blank: {
    title: '',
    notes: null,
    due_date: null,
    type_id: null,
    person_id: null,
    company_id: null,
    deal_id: null,
    owner_user_id: null,
    priority: 'medium',
    completed: false,
  },
  associations: null,
  foundBy: null,
  settle: nothingToSettle,
  events: taskEvents,
  listView: taskViews,
  detailView: taskViews,
  snapshot: (task) => ({ task }),
})

/** Completing a task is also an update. */
export function taskEvents(before: Pick<Task, 'completed'> | undefined, after: Pick<Task, 'completed'> | undefined): readonly EventName[] {
  if (!before) return ['task.created']
  if (!after) return ['task.deleted']
  return after.completed && !before.completed ? ['task.updated', 'task.completed'] : ['task.updated']
}

async function taskViews(page: readonly Task[], unit: Unit): Promise<TaskView[]> {
  const [types, people, companies, deals, owners] = await Promise.all([
    taskTypeViews(idsIn(page, 'type_id'), unit),
    personSummaries(idsIn(page, 'person_id'), unit),
    companySummaries(idsIn(page, 'company_id'), unit),
    dealSummaries(idsIn(page, 'deal_id'), unit),
    ownersOf(page, unit),
  ])
  return page.map((task) => ({
    id: task.id,
    title: task.title,
    notes: task.notes,
    due_date: task.due_date,
    type: linked(types, task.type_id),
    person: linked(people, task.person_id),
    company: linked(companies, task.company_id),
    deal: linked(deals, task.deal_id),
    owner: linked(owners, task.owner_user_id),
    priority: task.priority,
    completed: task.completed,
    created_at: task.created_at,
    updated_at: task.updated_at,
  }))
}
