import { openStorage } from '../data.ts'
import { median } from '../rounds.ts'
import type { DatabaseName } from '../rows.ts'
import { measureAlternately, type Probe, type Times } from './measure.ts'
import type { Row } from './row.ts'
import { firstPage } from './rows/pages.ts'
import { openWalker } from './walk.ts'
import { createCrmOn, type FilledWorkspace } from './workspace.ts'

/** A filled workspace in a database that is not open. */
export interface StoredWorkspace {
  readonly url: string
  readonly filled: FilledWorkspace
}

/** The result of one row on one database. */
export interface Result {
  readonly database: DatabaseName
  readonly row: Row
  /** Median milliseconds by size, in ascending order. */
  readonly costs: readonly { readonly size: number; readonly ms: number }[]
  /** Ratio of the largest size to the smallest. */
  readonly growth: number
  /** Ratio to the comparison of the row's target. */
  readonly ratioReached: number | undefined
}

const WALK = 'walk'
const FIRST_PAGE = 'first'

/**
 * Measures each row at each size in alternation, and at the largest size also the comparison of the row's
 * target.
 */
export async function measureSizes(
  database: DatabaseName,
  sizes: readonly StoredWorkspace[],
  rows: readonly Row[],
  rounds: number,
  onProgress: (title: string) => void,
): Promise<Result[]> {
  const storages = await Promise.all(sizes.map(({ url }) => openStorage(url)))
  const walker = await openWalker(database, sizes.at(-1)!.url)
  const workspaces = sizes.map(
    ({ filled }, index): FilledWorkspace => ({ ...filled, crm: createCrmOn(storages[index]!) }),
  )
  const largest = workspaces.at(-1)!
  const results: Result[] = []
  try {
    for (const row of rows) {
      onProgress(row.title)
      const { paged, target } = row
      const comparisons: Probe[] = []
      if (paged && target?.over !== 'smallest')
        comparisons.push({ name: FIRST_PAGE, run: () => firstPage(largest, paged) })
      if (paged && target?.over === 'walk')
        comparisons.push({ name: WALK, run: () => walker.walk(largest, paged) })
      const times = await measureAlternately(
        [...workspaces.map((workspace) => createProbe(row, workspace)), ...comparisons],
        rounds,
      )
      results.push(createResult(database, row, workspaces, times))
    }
  } finally {
    await walker.close()
    await Promise.all(storages.map((storage) => storage.close()))
  }
  return results
}

export function createProbe(
  { concurrency, run, after }: Row,
  filled: FilledWorkspace,
  name = String(filled.records),
): Probe {
  return {
    name,
    ...(concurrency !== undefined && { concurrency }),
    run: (callNumber) => run(filled, callNumber),
    ...(after && { after: (answer: unknown) => after(filled, answer) }),
  }
}

/** Returns the median of the rounds' ratios. */
export function medianRatio(ours: readonly number[], theirs: readonly number[]): number {
  return median(ours.map((ms, round) => ms / theirs[round]!))
}

function createResult(
  database: DatabaseName,
  row: Row,
  workspaces: readonly FilledWorkspace[],
  times: Times,
): Result {
  const timesOf = (name: string) => times.get(name)!
  const [smallest, largest] = [
    timesOf(String(workspaces[0]!.records)),
    timesOf(String(workspaces.at(-1)!.records)),
  ]
  const baselines = {
    smallest: () => smallest,
    first: () => timesOf(FIRST_PAGE),
    walk: () => timesOf(FIRST_PAGE).map((first, round) => first + timesOf(WALK)[round]!),
  }
  return {
    database,
    row,
    costs: workspaces.map(({ records: size }) => ({ size, ms: median(timesOf(String(size))) })),
    growth: medianRatio(largest, smallest),
    ratioReached: row.target && medianRatio(largest, baselines[row.target.over]()),
  }
}
