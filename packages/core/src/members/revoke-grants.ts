import type { Grant } from '../oauth/grant.ts'
import type { Condition, Instant, RecordStore } from '../ports.ts'

/** Ends the grants that match, at once. Gives how many there were. */
export async function revokeGrants(
  grants: Pick<RecordStore<Grant>, 'find' | 'update'>,
  where: readonly Condition<Grant>[],
  at: Instant,
): Promise<number> {
  const live = await grants.find([...where, { field: 'revoked_at', is: null }])
  for (const grant of live) await grants.update({ ...grant, refresh_hash: null, revoked_at: at, updated_at: at })
  return live.length
}
