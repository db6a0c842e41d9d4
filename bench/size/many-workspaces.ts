import { openStorage } from '../data.ts'
import { median } from '../rounds.ts'
import type { DatabaseName } from '../rows.ts'
import { probeOf, ratioOf, type Sized } from './many-sizes.ts'
import { measureInTurn } from './measure.ts'
import type { Row } from './rows.ts'
import { crmOver, type Filled } from './workspace.ts'

/** What one row came to in a workspace that has the database to itself, and in one among many. */
export interface Crowded {
  readonly database: DatabaseName
  readonly title: string
  readonly alone: number
  readonly among: number
  readonly ratio: number
}

/** So many records of each kind in each workspace: a thousand of all three. */
export const RECORDS_EACH = 333

/** What asks for a hundred deliveries, and what has too few to have a page in the middle, is left out. */
export function isAskedOfMany({ panel }: Row): boolean {
  return panel !== 'The outbox' && panel !== 'Middle pages'
}

export async function measureAmongMany(
  database: DatabaseName,
  alone: Sized,
  among: Sized,
  rows: readonly Row[],
  rounds: number,
  onProgress: (title: string) => void,
): Promise<Crowded[]> {
  const storages = await Promise.all([alone, among].map(({ url }) => openStorage(url)))
  const [one, other] = [alone, among].map(
    ({ filled }, index): Filled => ({ ...filled, crm: crmOver(storages[index]!) }),
  )
  const results: Crowded[] = []
  try {
    for (const row of rows.filter(isAskedOfMany)) {
      onProgress(`${row.title}, among many workspaces`)
      const times = await measureInTurn([probeOf(row, one!, 'alone'), probeOf(row, other!, 'among')], rounds)
      const [ours, theirs] = [times.get('among')!, times.get('alone')!]
      results.push({
        database,
        title: row.title,
        alone: median(theirs),
        among: median(ours),
        ratio: ratioOf(ours, theirs),
      })
    }
  } finally {
    await Promise.all(storages.map((storage) => storage.close()))
  }
  return results
}
