import type { Row, Target } from '../rows.ts'
import { picked } from '../sample-references.ts'
import type { Filled } from '../workspace.ts'

const panel = 'One record'
const AT_ONCE = 16
const POST: Target = { over: 'smallest', most: 1.3 }

export const recordRows: readonly Row[] = [
  {
    panel,
    title: 'get a person',
    ask: ({ crm, actor, place }, nth) => crm.people.get(actor, picked(place.people, nth)),
  },
  {
    panel,
    title: 'get a deal',
    ask: ({ crm, actor, place }, nth) => crm.deals.get(actor, picked(place.deals, nth)),
  },
  {
    panel,
    title: 'get a task',
    ask: ({ crm, actor, tasks }, nth) => crm.tasks.get(actor, picked(tasks, nth)),
  },
  {
    panel,
    title: 'patch a task',
    ask: ({ crm, actor, tasks }, nth) =>
      crm.tasks.update(actor, picked(tasks, nth), { title: `Changed ${nth}` }),
  },
  {
    panel,
    title: "patch a person's name",
    ask: ({ crm, actor, place }, nth) =>
      crm.people.update(actor, picked(place.people, nth), { full_name: `Ana Changed ${nth}` }),
  },
  { panel, title: 'post a task', target: POST, ask: newTask },
  { panel, title: `post a task, ${AT_ONCE} at once`, target: POST, atOnce: AT_ONCE, ask: newTask },
  {
    panel,
    title: 'post a person',
    ask: ({ crm, actor, place }, nth) =>
      crm.people.create(actor, { full_name: `Ana New ${nth}`, company_id: picked(place.companies, nth) }),
  },
]

function newTask({ crm, actor, place }: Filled, nth: number): Promise<unknown> {
  return crm.tasks.create(actor, {
    title: `New ${nth}`,
    due_date: '2030-01-01T09:00:00Z',
    person_id: picked(place.people, nth),
    company_id: picked(place.companies, nth),
    deal_id: picked(place.deals, nth),
  })
}
