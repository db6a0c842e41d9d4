import { followerFacet } from '../schema/facets.ts'
import type { Follower } from '../schema/following.ts'
import { joinTerms, type SearchTerms } from './search-terms.ts'
import type { ViewTransaction, WorkspaceTransaction } from './workspace-transaction.ts'

interface Followed {
  readonly followers: readonly Follower[]
}

/** Adds the facets of followers to the search terms of a kind. */
export function withFollowers<R extends Followed>(searchTerms: SearchTerms<R>): SearchTerms<R> {
  return (record, toPhoneDigits) => {
    const terms = searchTerms(record, toPhoneDigits)
    if (record.followers.length === 0) return terms
    return joinTerms([...(terms === '' ? [] : [terms]), ...record.followers.map(followerFacet)])
  }
}

/** Loads whether the actor follows the records of a page. */
export async function loadFollowing(
  _page: readonly Followed[],
  { actor, stores }: ViewTransaction,
): Promise<(record: Followed) => boolean> {
  const member = await stores.members.get(actor.userId)
  return ({ followers }) =>
    followers.some(({ member_id, since }) => member_id === member?.id && since === member.created_at)
}

/** The followers who are still members, as they were when they began to follow. */
export async function findCurrentFollowers(
  { followers }: Followed,
  { service }: Pick<WorkspaceTransaction, 'service'>,
): Promise<readonly Follower[]> {
  if (followers.length === 0) return []
  const members = await service.stores.members.getMany(followers.map(({ member_id }) => member_id))
  const joined = new Map(
    members.filter(({ removed_at }) => removed_at === null).map(({ id, created_at }) => [id, created_at]),
  )
  return followers.filter(({ member_id, since }) => joined.get(member_id) === since)
}
