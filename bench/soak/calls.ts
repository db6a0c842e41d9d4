import { createHash } from 'node:crypto'

/** One kind of call among those that are mixed. */
export interface Call {
  readonly name: string
  /** Of a hundred calls so many are of this kind. */
  readonly weight: number
  make(context: Context): Promise<void>
}

/** Whom a caller is, and what it knows. */
export interface Context {
  readonly known: Known
  /** Ids of tasks that it made itself, and nobody else changes. */
  readonly own: string[]
  /** From 0 to below 1, the same row of numbers on every run. */
  roll(): number
  /** A call of the interface. @throws Error for another status than the one that is due */
  api(method: string, path: string, status: number, body?: object): Promise<unknown>
  tool(name: string, args: object): Promise<void>
  /** Has one of its refresh tokens replaced, and with it the access token. */
  refresh(): Promise<void>
}

/** Ids of records that are there from the beginning to the end. */
export interface Known {
  readonly people: readonly string[]
  readonly deals: readonly string[]
  readonly tasks: readonly string[]
  readonly stages: readonly string[]
}

const WORDS = ['joao silva', 'ana', 'maria lima', 'pedro ba', 'ana.160@', 'olivia kowalski', 'zzyzx']
const ORDERS = ['created_at', 'updated_at']
const PAGES = 40

export const CALLS: readonly Call[] = [
  {
    name: 'get a task',
    weight: 12,
    make: async ({ api, known, roll }) => void (await api('GET', `/v1/tasks/${one(known.tasks, roll)}`, 200)),
  },
  {
    name: 'get a person',
    weight: 12,
    make: async ({ api, known, roll }) =>
      void (await api('GET', `/v1/people/${one(known.people, roll)}`, 200)),
  },
  {
    name: 'get a deal',
    weight: 8,
    make: async ({ api, known, roll }) => void (await api('GET', `/v1/deals/${one(known.deals, roll)}`, 200)),
  },
  {
    name: 'list',
    weight: 16,
    async make({ api, roll }) {
      const kind = one(['people', 'deals', 'tasks'], roll)
      await api(
        'GET',
        `/v1/${kind}?page=${1 + Math.floor(roll() * PAGES)}&order_by=${one(ORDERS, roll)}`,
        200,
      )
    },
  },
  {
    name: 'search',
    weight: 8,
    make: async ({ api, roll }) =>
      void (await api('GET', `/v1/people?search=${encodeURIComponent(one(WORDS, roll))}`, 200)),
  },
  {
    name: 'post a task',
    weight: 10,
    async make({ api, known, roll, own }) {
      const body = {
        title: `Call back ${roll()}`,
        person_id: one(known.people, roll),
        deal_id: one(known.deals, roll),
      }
      const { data } = (await api('POST', '/v1/tasks', 201, body)) as {
        readonly data: { readonly id: string }
      }
      own.push(data.id)
    },
  },
  {
    name: 'post a person',
    weight: 3,
    async make({ api, roll }) {
      const name = createHash('sha1').update(String(roll())).digest('hex').slice(0, 8)
      await api('POST', '/v1/people', 201, {
        full_name: `Ana ${name}`,
        emails: [{ email: `${name}@soak.example` }],
      })
    },
  },
  {
    name: 'patch a task',
    weight: 8,
    make: async ({ api, known, roll }) =>
      void (await api('PATCH', `/v1/tasks/${one(known.tasks, roll)}`, 200, { title: `Changed ${roll()}` })),
  },
  {
    name: 'patch a person',
    weight: 4,
    make: async ({ api, known, roll }) =>
      void (await api('PATCH', `/v1/people/${one(known.people, roll)}`, 200, {
        position: `Buyer ${roll()}`,
      })),
  },
  {
    name: 'move a deal',
    weight: 3,
    make: async ({ api, known, roll }) =>
      void (await api('PATCH', `/v1/deals/${one(known.deals, roll)}`, 200, {
        stage_id: one(known.stages, roll),
      })),
  },
  {
    name: 'delete a task',
    weight: 8,
    async make({ api, own }) {
      const id = own.pop()
      if (id !== undefined) await api('DELETE', `/v1/tasks/${id}`, 204)
    },
  },
  { name: 'tool: search', weight: 2, make: ({ tool, roll }) => tool('search', { query: one(WORDS, roll) }) },
  {
    name: 'tool: list_records',
    weight: 2,
    make: ({ tool }) => tool('list_records', { entity: 'deals', per_page: 10 }),
  },
  { name: 'tool: get_context', weight: 2, make: ({ tool }) => tool('get_context', {}) },
  { name: 'refresh of a token', weight: 2, make: ({ refresh }) => refresh() },
]

function one<T>(list: readonly T[], roll: () => number): T {
  return list[Math.floor(roll() * list.length)]!
}
