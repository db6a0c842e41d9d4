import type { Import, RecordCounts } from '@sales-crm/client'

/** The counts of all kinds together. */
export function sumCounts(counts: Import['counts']): RecordCounts {
  const all = Object.values(counts)
  const sum = (action: keyof RecordCounts) => all.reduce((total, each) => total + each[action], 0)
  return {
    created: sum('created'),
    updated: sum('updated'),
    unchanged: sum('unchanged'),
    left_out: sum('left_out'),
  }
}
