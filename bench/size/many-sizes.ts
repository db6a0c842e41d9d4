import { openStorage } from '../data.ts'
import { median } from '../rounds.ts'
import type { DatabaseName } from '../rows.ts'
import { measureInTurn, type Probe, type Times } from './measure.ts'
import { firstPage } from './rows/pages.ts'
import type { Row } from './rows.ts'
import { walkerOn } from './walk.ts'
import { crmOver, type Filled } from './workspace.ts'

/** A filled workspace in a database that nobody has open. */
export interface Sized {
  readonly url: string
  readonly filled: Filled
}

/** What one row came to on one database. */
export interface Result {
  readonly database: DatabaseName
  readonly row: Row
  /** Median milliseconds at each size, the smallest first. */
  readonly costs: readonly { readonly size: number; readonly ms: number }[]
  /** At the greatest size over the smallest. */
  readonly growth: number
  /** Over what the row's target names. */
  readonly reached: number | undefined
}

const WALK = 'walk'
const FIRST = 'first'

/** Asks each row of each size in turn, and of the greatest also what the row is held against. */
export async function measureSizes(
  database: DatabaseName,
  sizes: readonly Sized[],
  rows: readonly Row[],
  rounds: number,
  onProgress: (title: string) => void,
): Promise<Result[]> {
  const opened = await Promise.all(sizes.map(({ url }) => openStorage(url)))
  const walker = await walkerOn(database, sizes.at(-1)!.url)
  const places = sizes.map(({ filled }, index): Filled => ({ ...filled, crm: crmOver(opened[index]!) }))
  const greatest = places.at(-1)!
  const results: Result[] = []
  try {
    for (const row of rows) {
      onProgress(row.title)
      const { paged, target } = row
      const beside: Probe[] = []
      if (paged && target?.over !== 'smallest')
        beside.push({ name: FIRST, ask: () => firstPage(greatest, paged) })
      if (paged && target?.over === 'walk')
        beside.push({ name: WALK, ask: () => walker.walk(greatest, paged) })
      const times = await measureInTurn([...places.map((place) => probeOf(row, place)), ...beside], rounds)
      results.push(resultOf(database, row, places, times))
    }
  } finally {
    await walker.close()
    await Promise.all(opened.map((storage) => storage.close()))
  }
  return results
}

export function probeOf({ atOnce, ask, after }: Row, filled: Filled, name = String(filled.records)): Probe {
  return {
    name,
    ...(atOnce !== undefined && { atOnce }),
    ask: (nth) => ask(filled, nth),
    ...(after && { after: (answer: unknown) => after(filled, answer) }),
  }
}

/** Of the two's own rounds, the median of what each pair came to. */
export function ratioOf(ours: readonly number[], theirs: readonly number[]): number {
  return median(ours.map((ms, round) => ms / theirs[round]!))
}

function resultOf(database: DatabaseName, row: Row, places: readonly Filled[], times: Times): Result {
  const of = (name: string) => times.get(name)!
  const [smallest, greatest] = [of(String(places[0]!.records)), of(String(places.at(-1)!.records))]
  const compared = {
    smallest: () => smallest,
    first: () => of(FIRST),
    walk: () => of(FIRST).map((first, round) => first + of(WALK)[round]!),
  }
  return {
    database,
    row,
    costs: places.map(({ records: size }) => ({ size, ms: median(of(String(size))) })),
    growth: ratioOf(greatest, smallest),
    reached: row.target && ratioOf(greatest, compared[row.target.over]()),
  }
}
