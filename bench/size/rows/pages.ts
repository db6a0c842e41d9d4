import type { Crm } from '@sales-crm/core'
import type { Kind, PageSpec, Row, Target } from '../row.ts'
import type { FilledWorkspace } from '../workspace.ts'

export const PER_PAGE = 50

const ORDERS = [
  ...['created_at', 'updated_at', 'full_name'].map((orderBy): PageSpec => ({ kind: 'people', orderBy })),
  ...['created_at', 'updated_at', 'name'].map((orderBy): PageSpec => ({ kind: 'deals', orderBy })),
  ...['created_at', 'updated_at', 'due_date'].map((orderBy): PageSpec => ({ kind: 'tasks', orderBy })),
]

const POSITIONS: readonly {
  readonly panel: Row['panel']
  readonly name: string
  readonly target: Target
  page(last: number): number
}[] = [
  { panel: 'First pages', name: 'first page', target: { over: 'smallest', most: 1.2 }, page: () => 1 },
  // No slower, within the 5 % that this measurement cannot resolve.
  {
    panel: 'Middle pages',
    name: 'middle page',
    target: { over: 'walk', most: 1.05 },
    page: (last) => Math.ceil(last / 2),
  },
  { panel: 'Last pages', name: 'last page', target: { over: 'first', most: 1.5 }, page: (last) => last },
]

export const pageRows: readonly Row[] = POSITIONS.flatMap(({ panel, name, target, page }) =>
  ORDERS.map((paged) => ({
    panel,
    title: `${name} of ${paged.kind}, by ${paged.orderBy}`,
    legend: `${paged.kind}, in each order`,
    target,
    paged,
    run: (workspace: FilledWorkspace) => requestPage(workspace, paged, page(lastPageOf(workspace))),
  })),
)

export function firstPage(workspace: FilledWorkspace, paged: PageSpec): Promise<unknown> {
  return requestPage(workspace, paged, 1)
}

/** Returns the number of rows before the middle page. */
export function middleOffset(workspace: FilledWorkspace): number {
  return (Math.ceil(lastPageOf(workspace) / 2) - 1) * PER_PAGE
}

function lastPageOf({ records }: FilledWorkspace): number {
  return Math.ceil(records / PER_PAGE)
}

/** @throws Error for an empty page, which would cost too little */
async function requestPage(
  { crm, actor }: FilledWorkspace,
  { kind, orderBy }: PageSpec,
  page: number,
): Promise<void> {
  const list = crm[kind].list as (
    actor: FilledWorkspace['actor'],
    query: object,
  ) => ReturnType<Crm[Kind]['list']>
  const { data } = await list(actor, { page, per_page: PER_PAGE, order_by: orderBy })
  if (data.length === 0) throw new Error(`Page ${page} of ${kind} is empty.`)
}
