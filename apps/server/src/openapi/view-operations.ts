import { viewCountsResponse } from '@sales-crm/core/declarations'
import { UNKNOWN_PARAMETER } from './body-errors.ts'
import type { Operation } from './operation.ts'

export const VIEW_COUNTS: Operation = {
  ...{ id: 'countViews', tag: 'Views', summary: 'Count the records of views' },
  description:
    'Number of records that each of the first 20 views by name shows the caller. `count` is `null` if the token may not read ' +
    'them.',
  success: {
    status: 200,
    description: 'The views with their numbers.',
    response: { name: 'ViewCounts', schema: viewCountsResponse },
  },
  errors: [UNKNOWN_PARAMETER],
}
