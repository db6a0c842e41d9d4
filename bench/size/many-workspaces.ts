import { openStorage } from '../data.ts'
import { median } from '../rounds.ts'
import type { DatabaseName } from '../rows.ts'
import { createProbe, medianRatio, type StoredWorkspace } from './many-sizes.ts'
import { measureAlternately } from './measure.ts'
import type { Row } from './row.ts'
import { createCrmOn, type FilledWorkspace } from './workspace.ts'

/** The result of one row in a workspace with its own database, and in one among many. */
export interface CrowdedResult {
  readonly database: DatabaseName
  readonly title: string
  readonly alone: number
  readonly among: number
  readonly ratio: number
}

/** Records of each kind in a workspace, a thousand in all. */
export const RECORDS_EACH = 333

/**
 * Returns false for rows that require more records: claims of a hundred deliveries, and pages in the middle.
 */
export function fitsSmallWorkspace({ panel }: Row): boolean {
  return panel !== 'The outbox' && panel !== 'Middle pages'
}

export async function measureAmongMany(
  database: DatabaseName,
  alone: StoredWorkspace,
  among: StoredWorkspace,
  rows: readonly Row[],
  rounds: number,
  onProgress: (title: string) => void,
): Promise<CrowdedResult[]> {
  const storages = await Promise.all([alone, among].map(({ url }) => openStorage(url)))
  const [aloneWorkspace, amongWorkspace] = [alone, among].map(
    ({ filled }, index): FilledWorkspace => ({ ...filled, crm: createCrmOn(storages[index]!) }),
  )
  const results: CrowdedResult[] = []
  try {
    for (const row of rows.filter(fitsSmallWorkspace)) {
      onProgress(`${row.title}, among many workspaces`)
      const times = await measureAlternately(
        [createProbe(row, aloneWorkspace!, 'alone'), createProbe(row, amongWorkspace!, 'among')],
        rounds,
      )
      const [ours, theirs] = [times.get('among')!, times.get('alone')!]
      results.push({
        database,
        title: row.title,
        alone: median(theirs),
        among: median(ours),
        ratio: medianRatio(ours, theirs),
      })
    }
  } finally {
    await Promise.all(storages.map((storage) => storage.close()))
  }
  return results
}
