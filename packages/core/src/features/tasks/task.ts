import * as v from 'valibot'
import { findById } from '../../engine/find-by-id.ts'
import { booleanFilter, idFilter, ownerFilter, sinceFilter, untilFilter } from '../../engine/list-query.ts'
import { loadOwners, type Owner } from '../../engine/owner.ts'
import { OWNER_REFERENCES, type Reference, referenceTo } from '../../engine/references.ts'
import { defineResource, noDerivedFields } from '../../engine/resource.ts'
import { collectIds, getOrNull } from '../../engine/views.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { EventName } from '../../kernel/event-names.ts'
import { flag, instant, knownEmail, oneOf, uuid } from '../../kernel/field-schemas.ts'
import { changeable, clearable, object, optional } from '../../kernel/object-schemas.ts'
import { multiLineText, singleLineText } from '../../kernel/text-schemas.ts'
import type { Task } from '../../schema/task.ts'
import type { TaskType } from '../../schema/task-type.ts'
import { type CompanySummary, loadCompanySummaries } from '../companies/company.ts'
import { type DealSummary, loadDealSummaries } from '../deals/deal.ts'
import { loadPersonSummaries, type PersonSummary } from '../people/person.ts'
import { findTaskTypeId, loadTaskTypes } from '../task-types/task-type.ts'

const title = singleLineText(1, 200)
const typeName = v.pipe(
  singleLineText(0, 60),
  v.check((value) => value !== '', 'Must be the id or the key of a task type.'),
)
const nullableFields = {
  notes: multiLineText(3000),
  due_date: instant,
  type: typeName,
  person_id: uuid,
  company_id: uuid,
  deal_id: uuid,
  owner_email: knownEmail,
  owner_user_id: uuid,
  priority: oneOf(['high', 'medium', 'low']),
}

const typeReference: Reference = {
  column: 'type_id',
  label: 'Task type',
  async find(name, unit) {
    const byId = await findById(unit.stores.task_types, name)
    return byId?.id ?? findTaskTypeId(name, unit)
  },
}

/** A task as `crm.tasks` returns it, in lists too, with the records it refers to. */
export interface TaskView
  extends Pick<
    Task,
    'id' | 'title' | 'notes' | 'due_date' | 'priority' | 'completed' | 'created_at' | 'updated_at'
  > {
  /** Null without a type, and if it was deleted. */
  readonly type: TaskType | null
  /** Null without a person, and if it was deleted. */
  readonly person: PersonSummary | null
  /** Null without a company, and if it was deleted. */
  readonly company: CompanySummary | null
  /** Null without a deal, and if it was deleted. */
  readonly deal: DealSummary | null
  /** Null for nobody and for a removed member. */
  readonly owner: Owner | null
}

/**
 * The definition of tasks: the schemas of `TaskInput` (`create`) and `TaskChanges` (`update`), and the
 * filters, orders and scopes.
 */
export const tasks = defineResource<Task>()({
  label: 'Task',
  scopes: { read: 'tasks:read', write: 'tasks:write' },
  collection: 'tasks',
  orderBy: ['created_at', 'updated_at', 'due_date'],
  filters: {
    completed: booleanFilter<Task>('completed'),
    owner_email: ownerFilter<Task>('owner_user_id'),
    person_id: idFilter<Task>('person_id', 'people'),
    company_id: idFilter<Task>('company_id', 'companies'),
    deal_id: idFilter<Task>('deal_id', 'deals'),
    due_after: sinceFilter<Task>('due_date'),
    due_before: untilFilter<Task>('due_date'),
  },
  create: object({ title, ...optional({ ...nullableFields, completed: flag }) }),
  update: object({ ...changeable({ title, completed: flag }), ...clearable(nullableFields) }),
  references: {
    ...OWNER_REFERENCES,
    type: typeReference,
    person_id: referenceTo('person_id', 'people', 'Person'),
    company_id: referenceTo('company_id', 'companies', 'Company'),
    deal_id: referenceTo('deal_id', 'deals', 'Deal'),
  },
  codePrefix: null,
  defaults: {
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
  searchTerms: null,
  deriveFields: noDerivedFields,
  events: taskEvents,
  listView: buildTaskViews,
  detailView: buildTaskViews,
  snapshot: (task) => ({ task }),
})

/** Completing a task is also an update. */
export function taskEvents(
  before: Pick<Task, 'completed'> | undefined,
  after: Pick<Task, 'completed'> | undefined,
): readonly EventName[] {
  if (!before) return ['task.created']
  if (!after) return ['task.deleted']
  return after.completed && !before.completed ? ['task.updated', 'task.completed'] : ['task.updated']
}

async function buildTaskViews(page: readonly Task[], unit: WorkspaceTransaction): Promise<TaskView[]> {
  const [types, people, companies, deals, owners] = await Promise.all([
    loadTaskTypes(collectIds(page, 'type_id'), unit),
    loadPersonSummaries(collectIds(page, 'person_id'), unit),
    loadCompanySummaries(collectIds(page, 'company_id'), unit),
    loadDealSummaries(collectIds(page, 'deal_id'), unit),
    loadOwners(page, unit),
  ])
  return page.map((task) => ({
    id: task.id,
    title: task.title,
    notes: task.notes,
    due_date: task.due_date,
    type: getOrNull(types, task.type_id),
    person: getOrNull(people, task.person_id),
    company: getOrNull(companies, task.company_id),
    deal: getOrNull(deals, task.deal_id),
    owner: getOrNull(owners, task.owner_user_id),
    priority: task.priority,
    completed: task.completed,
    created_at: task.created_at,
    updated_at: task.updated_at,
  }))
}
