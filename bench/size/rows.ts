import type { Actor, Crm } from '@sales-crm/core'
import { createCrmOn, type Data } from '../data.ts'
import { type DatabaseName, openStorage } from '../databases.ts'
import type { Measure } from '../report.ts'
import { createTaskInput } from '../rows.ts'

/** A filled workspace of an open database. */
export interface Workspace {
  readonly crm: Crm
  readonly data: Data
  /** Records of each kind. */
  readonly size: number
  close(): Promise<void>
}

/** A page of 50 records of a kind in one of its orders, in descending order. */
export interface PageSpec {
  readonly kind: 'people' | 'deals' | 'tasks'
  readonly orderBy: string
}

export const ROW_NAMES = ['first', 'middle', 'last', 'search', 'post'] as const
type RowName = (typeof ROW_NAMES)[number]

/** A request that is measured at the largest size, and compared. */
export interface Row {
  readonly name: RowName
  readonly title: string
  /**
   * The same row at the smallest size, the first page in the same order, or that page after a scan of an index
   * up to the row's page.
   */
  readonly comparedWith: 'smallest' | 'first page' | 'scan and first page'
  readonly page?: PageSpec
  readonly maxRatio?: Readonly<Record<DatabaseName, number>>
  readonly maxMs?: number
  /** Sends the request. `call` differs in each call. */
  run(workspace: Workspace, call: number): Promise<unknown>
}

const PER_PAGE = 50
const CONCURRENCY = 16
const PAGES: readonly PageSpec[] = [
  { kind: 'people', orderBy: 'created_at' },
  { kind: 'people', orderBy: 'full_name' },
  { kind: 'deals', orderBy: 'created_at' },
  { kind: 'tasks', orderBy: 'due_date' },
]

/** The row that adds records comes last. */
export const ROWS: readonly Row[] = [
  ...PAGES.flatMap(createPageRows),
  {
    name: 'search',
    title: 'search of people, two words',
    comparedWith: 'smallest',
    maxMs: 50,
    run: ({ crm, data }) => crm.people.list(data.actor, { search: 'joao silva' }),
  },
  {
    name: 'post',
    title: `post of ${CONCURRENCY} tasks at once`,
    comparedWith: 'smallest',
    maxRatio: { sqlite: 1.5, postgres: 1.5 },
    run: ({ crm, data }, call) =>
      Promise.all(
        Array.from({ length: CONCURRENCY }, (_, index) =>
          crm.tasks.create(data.actor, createTaskInput(data, call * CONCURRENCY + index)),
        ),
      ),
  },
]

export async function openWorkspace(url: string, data: Data, size: number): Promise<Workspace> {
  const storage = await openStorage(url)
  return { crm: createCrmOn(storage), data, size, close: () => storage.close() }
}

/** Returns the number of rows before the middle page. */
export function middleOffset({ size }: Workspace): number {
  return (Math.ceil(size / PER_PAGE / 2) - 1) * PER_PAGE
}

/** @throws Error for an empty page, which would cost too little */
export async function requestPage(
  { crm, data: { actor } }: Workspace,
  { kind, orderBy }: PageSpec,
  page: number,
): Promise<void> {
  const list = crm[kind].list as (
    actor: Actor,
    query: object,
  ) => Promise<{ readonly data: readonly object[] }>
  const { data } = await list(actor, { page, per_page: PER_PAGE, order_by: orderBy })
  if (data.length !== PER_PAGE) throw new Error(`Page ${page} of ${kind} has ${data.length} records.`)
}

function createPageRows(page: PageSpec): readonly Row[] {
  const name = `page of ${page.kind}, by ${page.orderBy}`
  return [
    {
      name: 'first',
      title: `first ${name}`,
      comparedWith: 'smallest',
      maxRatio: { sqlite: 1.2, postgres: 1.4 },
      run: (workspace) => requestPage(workspace, page, 1),
    },
    {
      name: 'middle',
      title: `middle ${name}`,
      comparedWith: 'scan and first page',
      page,
      // No slower, within the 5 % that this measurement cannot resolve.
      maxRatio: { sqlite: 1.05, postgres: 1.05 },
      run: (workspace) => requestPage(workspace, page, middleOffset(workspace) / PER_PAGE + 1),
    },
    {
      name: 'last',
      title: `last ${name}`,
      comparedWith: 'first page',
      page,
      maxRatio: { sqlite: 1.5, postgres: 1.5 },
      run: (workspace) => requestPage(workspace, page, workspace.size / PER_PAGE),
    },
  ]
}

/** Returns the measure that a row's target bounds: the ratio, or the milliseconds. */
export function boundedMeasure(
  { maxRatio, maxMs }: Row,
  name: DatabaseName,
  ratio: number,
  ms: number,
): Measure {
  if (maxMs !== undefined) return { value: ms, unit: 'ms', atMost: maxMs }
  return { value: ratio, ...(maxRatio && { atMost: maxRatio[name] }) }
}
