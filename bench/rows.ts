import { type Data, ID_PREFIX, pick, type Range } from './data.ts'
import type { Ask } from './load.ts'
import { INSERT_TASK, PEOPLE, PEOPLE_COUNT, TASK, UPDATE_TASK } from './reference/statements.ts'

export type DatabaseName = 'sqlite' | 'postgres'

/** What a ratio, ours over the other, should come to. */
export interface Target {
  readonly over: 'reference' | 'pgbench'
  readonly ratio: number
}

/** One line of the table for each database. */
export interface Row {
  readonly name: string
  readonly title: string
  readonly connections: number
  /** Where a receiver on this machine is told of each new task while the row is measured. */
  readonly toldOn: readonly DatabaseName[]
  /** What the ratios compare. More of a rate is better, less of a latency. */
  readonly compares: 'rate' | 'latency'
  readonly status: 200 | 201
  /** What is asked in turn. `run` is never the same twice, so that a change is one whatever was there. */
  requests(data: Data, run: number): readonly Ask[]
  /** Fields of `data` that the two servers rightly answer differently. */
  readonly unlike: readonly string[]
  readonly targets: { readonly [D in DatabaseName]?: Target }
  /** The same transaction for pgbench. */
  script(data: Data): string
}

const VARIETY = 2_000
const DUE = '2030-02-01T10:00:00.000Z'
const TASK_TITLE = 'Send the signed offer'

const post: Row = {
  name: 'post',
  title: 'POST /v1/tasks, three links; on SQLite one webhook',
  connections: 64,
  toldOn: ['sqlite'],
  compares: 'rate',
  status: 201,
  requests: (data) =>
    varied((index) => ({
      method: 'POST',
      path: '/v1/tasks',
      body: {
        title: TASK_TITLE,
        due_date: DUE,
        person_id: pick(data.people, index),
        company_id: pick(data.companies, index),
        deal_id: pick(data.deals, index),
      },
    })),
  unlike: ['id', 'created_at', 'updated_at'],
  targets: { sqlite: { over: 'reference', ratio: 3.5 }, postgres: { over: 'pgbench', ratio: 0.4 } },
  script(data) {
    const links = [someOf('person'), someOf('company'), someOf('deal')]
    const values = [':workspace', 'uuidv7()', `'${TASK_TITLE}'`, `'${DUE}'`, ...links, 'now()', 'now()']
    return lines(
      random('person', data.people),
      random('company', data.companies),
      random('deal', data.deals),
      'begin;',
      `${withValues(INSERT_TASK, values)} returning id as task \\gset`,
      `${withValues(TASK, [':workspace', ':task'])};`,
      'commit;',
    )
  },
}

export const ROWS: readonly Row[] = [
  post,
  {
    ...post,
    name: 'post-1',
    title: 'POST /v1/tasks, three links',
    connections: 1,
    toldOn: [],
    compares: 'latency',
    targets: { sqlite: { over: 'reference', ratio: 1.3 } },
  },
  {
    name: 'get',
    title: 'GET /v1/tasks/{id}, all links',
    connections: 64,
    toldOn: [],
    compares: 'rate',
    status: 200,
    requests: ({ tasks }) => varied((index) => ({ method: 'GET', path: `/v1/tasks/${pick(tasks, index)}` })),
    unlike: [],
    targets: { sqlite: { over: 'reference', ratio: 0.75 }, postgres: { over: 'pgbench', ratio: 0.3 } },
    script: ({ tasks }) =>
      lines(random('task', tasks), `${withValues(TASK, [':workspace', someOf('task')])};`),
  },
  {
    name: 'patch',
    title: 'PATCH /v1/tasks/{id}',
    connections: 64,
    toldOn: [],
    compares: 'rate',
    status: 200,
    requests: ({ tasks }, run) =>
      ['this', 'that'].flatMap((way) =>
        varied((index) => ({
          method: 'PATCH',
          path: `/v1/tasks/${pick(tasks, index)}`,
          body: { title: `${TASK_TITLE} ${way} way, ${run}`, priority: 'high' },
        })),
      ),
    unlike: ['updated_at'],
    targets: { sqlite: { over: 'reference', ratio: 2.5 } },
    script({ tasks }) {
      const values = [`'${TASK_TITLE} this way, ' || :try`, "'high'", 'now()', ':workspace', someOf('task')]
      return lines(
        random('task', tasks),
        '\\set try random(1, 1000000)',
        'begin;',
        `${withValues(UPDATE_TASK, values)};`,
        `${withValues(TASK, [':workspace', someOf('task')])};`,
        'commit;',
      )
    },
  },
  {
    name: 'list',
    title: 'GET /v1/people?per_page=50 of 10 000',
    connections: 64,
    toldOn: [],
    compares: 'rate',
    status: 200,
    requests: () => [{ method: 'GET', path: '/v1/people?per_page=50' }],
    unlike: [],
    targets: { sqlite: { over: 'reference', ratio: 0.9 } },
    script: () =>
      lines(`${withValues(PEOPLE, [':workspace'])};`, `${withValues(PEOPLE_COUNT, [':workspace'])};`),
  },
]

function varied(make: (index: number) => Ask): Ask[] {
  return Array.from({ length: VARIETY }, (_, index) => make(index))
}

function random(name: string, { first, count }: Range): string {
  return `\\set ${name} random(${first}, ${first + count - 1})`
}

/** The id of the record whose number `random` chose. */
function someOf(name: string): string {
  return `('${ID_PREFIX}' || lpad(:${name}::text, 12, '0'))::uuid`
}

function withValues(statement: string, values: readonly string[]): string {
  return statement.replace(/\$(\d+)/g, (_, number) => values[Number(number) - 1]!).trim()
}

function lines(...each: readonly string[]): string {
  return `${each.join('\n')}\n`
}
