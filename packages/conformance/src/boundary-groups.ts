import { MAX_BOUNDARIES } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import { aggregate, insertDeals } from './aggregate-deals.ts'
import type { Case } from './case.ts'

export const GROUPS_BETWEEN_BOUNDARIES: Case = {
  name: 'groups instants by the boundaries between which they are, to the millisecond, and null separately',
  async run(context) {
    const instants = [
      '0999-12-31T23:59:59.999Z',
      '2026-02-28T23:59:59.999Z',
      '2026-03-01T00:00:00.000Z',
      '2026-03-31T23:59:59.999Z',
      null,
    ]
    await insertDeals(
      context,
      instants.map((closed_at) => ({ closed_at })),
    )
    const countBetween = async (...boundaries: readonly string[]) => {
      const groups = await aggregate(context, { groupBy: [{ field: 'closed_at', boundaries }] })
      return groups.map(({ keys: [key], count }) => [key, count])
    }
    const months = ['2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z']
    expect(await countBetween(...months)).toEqual([
      [2, 2],
      [null, 1],
      [0, 1],
      [1, 1],
    ])
    expect(await countBetween('2026-03-31T23:59:59.999Z')).toEqual([
      [0, 3],
      [null, 1],
      [1, 1],
    ])
    expect(await countBetween()).toEqual([
      [0, 4],
      [null, 1],
    ])
    const ofSeconds = Array.from({ length: MAX_BOUNDARIES }, (_, second) =>
      new Date(Date.UTC(2026, 2, 31, 23) + second * 1000).toISOString(),
    )
    expect(await countBetween(...ofSeconds)).toEqual([
      [0, 3],
      [null, 1],
      [3600, 1],
    ])
  },
}
