import type { PartLoader } from '../../engine/build-views.ts'
import { getOrNull } from '../../engine/views.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { LinkField } from './link-field.ts'

/** Loads the time of the latest activity of each record. */
export function lastActivityLoader(link: LinkField): PartLoader<RecordBase> {
  return async (page, { stores }) => {
    const rows = await stores.activities.aggregate({
      where: [{ field: link, oneOf: page.map(({ id }) => id) }],
      groupBy: [{ field: link }],
      latest: 'created_at',
      order: 'count',
      limit: page.length,
    })
    const times = new Map(rows.map(({ keys: [id], latest }) => [String(id), latest!]))
    return ({ id }) => getOrNull(times, id)
  }
}
