import type { RequestSpec } from './connection.ts'
import type { Data, RecordCounts } from './data.ts'
import type { DatabaseName } from './databases.ts'
import { ID_PREFIX, pickId, type Range } from './records.ts'
import { INSERT_TASK, TASK, UPDATE_TASK } from './reference/statements.ts'

/** The required ratio of the service's result to another variant's. */
export interface Target {
  readonly over: 'reference' | 'pgbench' | 'no webhook'
  readonly ratio: number
}

/** A kind of request. */
export interface Row {
  readonly name: string
  readonly title: string
  readonly connections: number
  /** The quantity compared by the ratios. A higher rate or a lower latency is better. */
  readonly compares: 'rate' | 'latency'
  readonly status: 200 | 201
  /** The requests, sent in a cycle. Each `run` differs, so that every PATCH changes the record. */
  requests(data: Data, run: number): readonly RequestSpec[]
  /** Fields of `data` that may differ between the two servers. */
  readonly ignoredFields: readonly string[]
  /** The row is measured on the databases that have a target. */
  readonly targets: { readonly [D in DatabaseName]?: Target }
  /** The same transaction as a pgbench script. */
  pgbenchScript?(data: Data): string
}

/** The records that the requests refer to. */
export const RECORDS: RecordCounts = { companies: 100, people: 10_000, deals: 1_000, tasks: 10_000 }
const REQUEST_VARIETY = 2_000
const DUE = '2030-02-01T10:00:00.000Z'
const TASK_TITLE = 'Send the signed offer'

const post: Row = {
  name: 'post',
  title: 'POST /v1/tasks, three links',
  connections: 64,
  compares: 'rate',
  status: 201,
  requests: (data) =>
    generateRequests((index) => ({ method: 'POST', path: '/v1/tasks', body: createTaskInput(data, index) })),
  ignoredFields: ['id', 'created_at', 'updated_at'],
  targets: { sqlite: { over: 'reference', ratio: 2.5 }, postgres: { over: 'pgbench', ratio: 0.9 } },
  pgbenchScript(data) {
    const links = [idExpression('person'), idExpression('company'), idExpression('deal')]
    const values = [':workspace', 'uuidv7()', `'${TASK_TITLE}'`, `'${DUE}'`, ...links, 'now()', 'now()']
    return joinLines(
      setRandomNumber('person', data.people),
      setRandomNumber('company', data.companies),
      setRandomNumber('deal', data.deals),
      'begin;',
      `${bindValues(INSERT_TASK, values)} returning id as task \\gset`,
      `${bindValues(TASK, [':workspace', ':task'])};`,
      'commit;',
    )
  },
}

export const ROWS: readonly Row[] = [
  post,
  {
    ...post,
    name: 'post-webhook',
    title: 'POST /v1/tasks, three links, one webhook and its delivery',
    // At most 1.6 times the cost.
    targets: { sqlite: { over: 'no webhook', ratio: 0.625 } },
  },
  {
    ...post,
    name: 'post-1',
    title: 'POST /v1/tasks, three links, latency',
    connections: 1,
    compares: 'latency',
    targets: { sqlite: { over: 'reference', ratio: 1.2 } },
  },
  {
    name: 'get',
    title: 'GET /v1/tasks/{id}, all links',
    connections: 64,
    compares: 'rate',
    status: 200,
    requests: ({ tasks }) =>
      generateRequests((index) => ({ method: 'GET', path: `/v1/tasks/${pickId(tasks, index)}` })),
    ignoredFields: [],
    targets: { sqlite: { over: 'reference', ratio: 1.2 }, postgres: { over: 'pgbench', ratio: 0.35 } },
    pgbenchScript: ({ tasks }) =>
      joinLines(setRandomNumber('task', tasks), `${bindValues(TASK, [':workspace', idExpression('task')])};`),
  },
  {
    name: 'patch',
    title: 'PATCH /v1/tasks/{id}',
    connections: 64,
    compares: 'rate',
    status: 200,
    requests: ({ tasks }, run) =>
      ['this', 'that'].flatMap((way) =>
        generateRequests((index) => ({
          method: 'PATCH',
          path: `/v1/tasks/${pickId(tasks, index)}`,
          body: { title: `${TASK_TITLE} ${way} way, ${run}`, priority: 'high' },
        })),
      ),
    ignoredFields: ['updated_at'],
    targets: { sqlite: { over: 'reference', ratio: 2.5 }, postgres: { over: 'pgbench', ratio: 0.85 } },
    pgbenchScript({ tasks }) {
      const title = `'${TASK_TITLE} this way, ' || :try`
      return joinLines(
        setRandomNumber('task', tasks),
        '\\set try random(1, 1000000)',
        'begin;',
        `${bindValues(UPDATE_TASK, [title, "'high'", 'now()', ':workspace', idExpression('task')])};`,
        `${bindValues(TASK, [':workspace', idExpression('task')])};`,
        'commit;',
      )
    },
  },
  {
    name: 'list',
    title: 'GET /v1/people?per_page=50 of 10 000',
    connections: 64,
    compares: 'rate',
    status: 200,
    requests: () => [{ method: 'GET', path: '/v1/people?per_page=50' }],
    ignoredFields: [],
    targets: { sqlite: { over: 'reference', ratio: 1.6 } },
  },
]

/** Returns the row with this name. */
export function findRow(name: string): Row {
  return ROWS.find((row) => row.name === name)!
}

/** Returns the input of a task with a person, a company and a deal. */
export function createTaskInput({ people, companies, deals }: Data, index: number) {
  return {
    title: TASK_TITLE,
    due_date: DUE,
    person_id: pickId(people, index),
    company_id: pickId(companies, index),
    deal_id: pickId(deals, index),
  }
}

function generateRequests(create: (index: number) => RequestSpec): RequestSpec[] {
  return Array.from({ length: REQUEST_VARIETY }, (_, index) => create(index))
}

function setRandomNumber(name: string, { first, count }: Range): string {
  return `\\set ${name} random(${first}, ${first + count - 1})`
}

/** Returns a SQL expression for the id of the record whose number `random` chose. */
function idExpression(name: string): string {
  return `('${ID_PREFIX}' || lpad(:${name}::text, 12, '0'))::uuid`
}

function bindValues(statement: string, values: readonly string[]): string {
  return statement.replace(/\$(\d+)/g, (_, number) => values[Number(number) - 1]!).trim()
}

function joinLines(...scriptLines: readonly string[]): string {
  return `${scriptLines.join('\n')}\n`
}
