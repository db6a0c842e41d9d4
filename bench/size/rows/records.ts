import type { Row, Target } from '../row.ts'
import { pickAt } from '../sample-references.ts'
import type { FilledWorkspace } from '../workspace.ts'

const panel = 'One record'
const CONCURRENCY = 16
const POST: Target = { over: 'smallest', most: 1.3 }

export const recordRows: readonly Row[] = [
  {
    panel,
    title: 'get a person',
    run: ({ crm, actor, references }, callNumber) =>
      crm.people.get(actor, pickAt(references.people, callNumber)),
  },
  {
    panel,
    title: 'get a deal',
    run: ({ crm, actor, references }, callNumber) =>
      crm.deals.get(actor, pickAt(references.deals, callNumber)),
  },
  {
    panel,
    title: 'get a task',
    run: ({ crm, actor, tasks }, callNumber) => crm.tasks.get(actor, pickAt(tasks, callNumber)),
  },
  {
    panel,
    title: 'patch a task',
    run: ({ crm, actor, tasks }, callNumber) =>
      crm.tasks.update(actor, pickAt(tasks, callNumber), { title: `Changed ${callNumber}` }),
  },
  {
    panel,
    title: "patch a person's name",
    run: ({ crm, actor, references }, callNumber) =>
      crm.people.update(actor, pickAt(references.people, callNumber), {
        full_name: `Ana Changed ${callNumber}`,
      }),
  },
  { panel, title: 'post a task', target: POST, run: createTask },
  {
    panel,
    title: `post a task, ${CONCURRENCY} at once`,
    target: POST,
    concurrency: CONCURRENCY,
    run: createTask,
  },
  {
    panel,
    title: 'post a person',
    run: ({ crm, actor, references }, callNumber) =>
      crm.people.create(actor, {
        full_name: `Ana New ${callNumber}`,
        company_id: pickAt(references.companies, callNumber),
      }),
  },
]

function createTask({ crm, actor, references }: FilledWorkspace, callNumber: number): Promise<unknown> {
  return crm.tasks.create(actor, {
    title: `New ${callNumber}`,
    due_date: '2030-01-01T09:00:00Z',
    person_id: pickAt(references.people, callNumber),
    company_id: pickAt(references.companies, callNumber),
    deal_id: pickAt(references.deals, callNumber),
  })
}
