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
  { name: 'get', weight: 32, run: getRecord },
  { name: 'list', weight: 16, run: listRecords },
  { name: 'search', weight: 8, run: ({ call }) => call('GET', `/v1/people?search=${encodeWords()}`) },
  { name: 'post a task', weight: 10, run: createTask },
  {
    name: 'post a person',
    weight: 3,
    run: ({ call }) => call('POST', '/v1/people', { full_name: createText() }),
  },
  {
    name: 'patch a task',
    weight: 8,
    run: (caller) => updateRecord(caller, 'tasks', { title: createText() }),
  },
  {
    name: 'patch a person',
    weight: 4,
    run: (caller) => updateRecord(caller, 'people', { position: createText() }),
  },
  { name: 'move a deal', weight: 3, run: moveDeal },
  { name: 'delete a task', weight: 8, run: deleteTask },
  { name: 'tool: search', weight: 2, run: ({ callTool }) => callTool('search', { query: pick(WORDS) }) },
  { name: 'tool: list', weight: 2, run: ({ callTool }) => callTool('list_records', { entity: 'deals' }) },
  { name: 'tool: context', weight: 2, run: ({ callTool }) => callTool('get_context', {}) },
  { name: 'refresh of a token', weight: 2, run: ({ refresh }) => refresh() },
]

function getRecord({ call, pickRecord }: Caller): Promise<unknown> {
  const kind = pick(KINDS)
  return call('GET', `/v1/${kind}/${pickRecord(kind)}`)
}

function listRecords({ call }: Caller): Promise<unknown> {
  return call('GET', `/v1/${pick(KINDS)}?page=${randomInt(1, PAGES)}&order_by=${pick(ORDERS)}`)
}

async function createTask({ call, pickRecord, ownTaskIds }: Caller): Promise<void> {
  const body = { title: createText(), person_id: pickRecord('people'), deal_id: pickRecord('deals') }
  const { data } = (await call('POST', '/v1/tasks', body)) as { readonly data: { readonly id: string } }
  ownTaskIds.push(data.id)
}

function updateRecord({ call, pickRecord }: Caller, kind: (typeof KINDS)[number], changes: object) {
  return call('PATCH', `/v1/${kind}/${pickRecord(kind)}`, changes)
}

function moveDeal(caller: Caller): Promise<unknown> {
  return updateRecord(caller, 'deals', { stage_id: pick(caller.stageIds) })
}

async function deleteTask({ call, ownTaskIds }: Caller): Promise<void> {
  const id = ownTaskIds.pop()
  if (id !== undefined) await call('DELETE', `/v1/tasks/${id}`)
}

function createText(): string {
  return `Changed ${Math.random()}`
}

function encodeWords(): string {
  return encodeURIComponent(pick(WORDS))
}

function pick<T>(list: readonly T[]): T {
  return list[randomInt(list.length)]!
}
