import { randomInt } from 'node:crypto'
import type { Caller } from './caller.ts'

/** A kind of call in the mix. */
export interface Call {
  readonly name: string
  /** Percentage of all calls. */
  readonly weight: number
  run(caller: Caller): Promise<unknown>
}

const WORDS = ['joao silva', 'ana', 'maria lima', 'pedro ba', 'person-160@', 'olivia kowalski', 'zzyzx']
const KINDS = ['people', 'deals', 'tasks'] as const
const ORDERS = ['created_at', 'updated_at']
const PAGES = 40

export const CALLS: readonly Call[] = [
  {
    name: 'get',
    weight: 32,
    run({ call, pickRecord }) {
      const kind = pick(KINDS)
      return call('GET', `/v1/${kind}/${pickRecord(kind)}`)
    },
  },
  {
    name: 'list',
    weight: 16,
    run: ({ call }) => call('GET', `/v1/${pick(KINDS)}?page=${randomInt(1, PAGES)}&order_by=${pick(ORDERS)}`),
  },
  {
    name: 'search',
    weight: 8,
    run: ({ call }) => call('GET', `/v1/people?search=${encodeURIComponent(pick(WORDS))}`),
  },
  {
    name: 'post a task',
    weight: 10,
    async run({ call, pickRecord, ownTaskIds }) {
      const body = {
        title: `Call back ${Math.random()}`,
        person_id: pickRecord('people'),
        deal_id: pickRecord('deals'),
      }
      const { data } = (await call('POST', '/v1/tasks', body)) as { readonly data: { readonly id: string } }
      ownTaskIds.push(data.id)
    },
  },
  {
    name: 'post a person',
    weight: 3,
    run: ({ call }) => call('POST', '/v1/people', { full_name: `Ana ${Math.random()}` }),
  },
  {
    name: 'patch a task',
    weight: 8,
    run: ({ call, pickRecord }) =>
      call('PATCH', `/v1/tasks/${pickRecord('tasks')}`, { title: `Changed ${Math.random()}` }),
  },
  {
    name: 'patch a person',
    weight: 4,
    run: ({ call, pickRecord }) =>
      call('PATCH', `/v1/people/${pickRecord('people')}`, { position: `Buyer ${Math.random()}` }),
  },
  {
    name: 'move a deal',
    weight: 3,
    run: ({ call, pickRecord, stageIds }) =>
      call('PATCH', `/v1/deals/${pickRecord('deals')}`, { stage_id: pick(stageIds) }),
  },
  {
    name: 'delete a task',
    weight: 8,
    async run({ call, ownTaskIds }) {
      const id = ownTaskIds.pop()
      if (id !== undefined) await call('DELETE', `/v1/tasks/${id}`)
    },
  },
  {
    name: 'tool',
    weight: 6,
    run: ({ callTool }) =>
      pick([
        () => callTool('search', { query: pick(WORDS) }),
        () => callTool('list_records', { entity: 'deals', per_page: 10 }),
        () => callTool('get_context', {}),
      ])(),
  },
  { name: 'refresh of a token', weight: 2, run: ({ refresh }) => refresh() },
]

function pick<T>(list: readonly T[]): T {
  return list[randomInt(list.length)]!
}
