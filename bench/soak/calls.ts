import { createHash } from 'node:crypto'

/** A kind of call in the mix. */
export interface Call {
  readonly name: string
  /** Percentage of all calls. */
  readonly weight: number
  run(context: Context): Promise<void>
}

/** The state of a caller. */
export interface Context {
  readonly knownIds: KnownIds
  /** Ids of tasks that this caller created, and that no other caller changes. */
  readonly ownTaskIds: string[]
  /** Returns a number from 0 to below 1, in the same sequence on every run. */
  random(): number
  /**
   * Sends a request to the API.
   * @throws Error for another status than `status`
   */
  api(method: string, path: string, status: number, body?: object): Promise<unknown>
  tool(name: string, args: object): Promise<void>
  /** Refreshes one of the caller's token pairs. */
  refresh(): Promise<void>
}

/** Ids of records that exist during the whole run. */
export interface KnownIds {
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
    run: async ({ api, knownIds, random }) =>
      void (await api('GET', `/v1/tasks/${pickOne(knownIds.tasks, random)}`, 200)),
  },
  {
    name: 'get a person',
    weight: 12,
    run: async ({ api, knownIds, random }) =>
      void (await api('GET', `/v1/people/${pickOne(knownIds.people, random)}`, 200)),
  },
  {
    name: 'get a deal',
    weight: 8,
    run: async ({ api, knownIds, random }) =>
      void (await api('GET', `/v1/deals/${pickOne(knownIds.deals, random)}`, 200)),
  },
  {
    name: 'list',
    weight: 16,
    async run({ api, random }) {
      const kind = pickOne(['people', 'deals', 'tasks'], random)
      await api(
        'GET',
        `/v1/${kind}?page=${1 + Math.floor(random() * PAGES)}&order_by=${pickOne(ORDERS, random)}`,
        200,
      )
    },
  },
  {
    name: 'search',
    weight: 8,
    run: async ({ api, random }) =>
      void (await api('GET', `/v1/people?search=${encodeURIComponent(pickOne(WORDS, random))}`, 200)),
  },
  {
    name: 'post a task',
    weight: 10,
    async run({ api, knownIds, random, ownTaskIds }) {
      const body = {
        title: `Call back ${random()}`,
        person_id: pickOne(knownIds.people, random),
        deal_id: pickOne(knownIds.deals, random),
      }
      const { data } = (await api('POST', '/v1/tasks', 201, body)) as {
        readonly data: { readonly id: string }
      }
      ownTaskIds.push(data.id)
    },
  },
  {
    name: 'post a person',
    weight: 3,
    async run({ api, random }) {
      const name = createHash('sha1').update(String(random())).digest('hex').slice(0, 8)
      await api('POST', '/v1/people', 201, {
        full_name: `Ana ${name}`,
        emails: [{ email: `${name}@soak.example` }],
      })
    },
  },
  {
    name: 'patch a task',
    weight: 8,
    run: async ({ api, knownIds, random }) =>
      void (await api('PATCH', `/v1/tasks/${pickOne(knownIds.tasks, random)}`, 200, {
        title: `Changed ${random()}`,
      })),
  },
  {
    name: 'patch a person',
    weight: 4,
    run: async ({ api, knownIds, random }) =>
      void (await api('PATCH', `/v1/people/${pickOne(knownIds.people, random)}`, 200, {
        position: `Buyer ${random()}`,
      })),
  },
  {
    name: 'move a deal',
    weight: 3,
    run: async ({ api, knownIds, random }) =>
      void (await api('PATCH', `/v1/deals/${pickOne(knownIds.deals, random)}`, 200, {
        stage_id: pickOne(knownIds.stages, random),
      })),
  },
  {
    name: 'delete a task',
    weight: 8,
    async run({ api, ownTaskIds }) {
      const id = ownTaskIds.pop()
      if (id !== undefined) await api('DELETE', `/v1/tasks/${id}`, 204)
    },
  },
  {
    name: 'tool: search',
    weight: 2,
    run: ({ tool, random }) => tool('search', { query: pickOne(WORDS, random) }),
  },
  {
    name: 'tool: list_records',
    weight: 2,
    run: ({ tool }) => tool('list_records', { entity: 'deals', per_page: 10 }),
  },
  { name: 'tool: get_context', weight: 2, run: ({ tool }) => tool('get_context', {}) },
  { name: 'refresh of a token', weight: 2, run: ({ refresh }) => refresh() },
]

function pickOne<T>(list: readonly T[], random: () => number): T {
  return list[Math.floor(random() * list.length)]!
}
