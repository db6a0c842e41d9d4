import type { OwnedRecord, Share } from '../kernel/visibility.ts'
import { shareKey } from '../kernel/visibility.ts'
import { shareFacet } from '../schema/facets.ts'
import type { ShareView } from '../schema/shares.ts'
import { joinTerms, type SearchTerms } from './search-terms.ts'
import type { WorkspaceTransaction } from './workspace-transaction.ts'

/** Adds the facets of shares to the search terms of a kind. */
export function withShares<R extends Pick<OwnedRecord, 'shares'>>(
  searchTerms: SearchTerms<R> | null | undefined,
): SearchTerms<R> {
  return (record, toPhoneDigits) => {
    const terms = searchTerms?.(record, toPhoneDigits) ?? ''
    if (record.shares.length === 0) return terms
    const facets = record.shares.map((share) => shareFacet(shareKey(share)))
    return joinTerms([...(terms === '' ? [] : [terms]), ...facets])
  }
}

/** Loads with whom the records of a page are shared, without shares that have ended. */
export async function loadSharedWith(
  page: readonly Pick<OwnedRecord, 'shares'>[],
  { stores }: WorkspaceTransaction,
): Promise<(record: Pick<OwnedRecord, 'shares'>) => readonly ShareView[]> {
  const all = page.flatMap(({ shares }) => shares)
  if (all.length === 0) return () => []
  const [members, teams] = await Promise.all([
    stores.members.getMany(all.flatMap((share) => ('member_id' in share ? share.member_id : []))),
    stores.teams.getMany(all.flatMap((share) => ('team_id' in share ? share.team_id : []))),
  ])
  const current = members.filter(({ removed_at }) => removed_at === null)
  const keys = new Set([
    ...current.map(({ id, created_at }) => shareKey({ member_id: id, since: created_at, access: 'read' })),
    ...teams.map(({ id }) => id),
  ])
  return ({ shares }) => shares.filter((share) => keys.has(shareKey(share))).map(toShareView)
}

function toShareView(share: Share): ShareView {
  const { access } = share
  return 'team_id' in share ? { team_id: share.team_id, access } : { member_id: share.member_id, access }
}
