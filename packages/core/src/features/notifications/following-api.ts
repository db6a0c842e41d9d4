import * as v from 'valibot'
import { type Listing, pageQuery, toPageMeta } from '../../engine/list-query.ts'
import { withCurrentRole } from '../../engine/load-role.ts'
import { validate } from '../../engine/validate.ts'
import { readWorkspace, type ViewTransaction } from '../../engine/workspace-transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { RecordStore } from '../../kernel/record-store.ts'
import type { Ports } from '../../ports/index.ts'
import { followerFacet, whereFacet } from '../../schema/facets.ts'
import { FOLLOWED_KINDS, type FollowedKind, type Follower } from '../../schema/following.ts'
import { KINDS } from '../../schema/index.ts'
import { titleOf } from './record-title.ts'

export const followingQuery = v.pick(pageQuery, ['page', 'per_page'])
export type FollowingQuery = v.InferInput<typeof followingQuery>

/** A record that a member follows. */
export interface FollowedRecord {
  readonly kind: FollowedKind
  readonly id: string
  /** Name or title. */
  readonly name: string
  /** When the member began to follow it. */
  readonly since: string
}

/** What the member whom an actor acts for follows. */
export interface FollowingApi {
  /**
   * Returns a page of the records that the member sees, of the kinds that the token may read: people, companies, deals,
   * tasks, each by name.
   * @throws CrmError `validation_error`
   */
  list(actor: Actor, query?: FollowingQuery): Promise<Listing<FollowedRecord>>
}

export function followingApi(ports: Pick<Ports, 'storage' | 'issuer' | 'now'>): FollowingApi {
  return {
    async list(actor, query = {}) {
      const page = validate(followingQuery, query, 'parameter')
      return readWorkspace(ports, actor, async (transaction) => {
        await withCurrentRole(actor, transaction)
        const member = (await transaction.stores.members.get(actor.userId))!
        const follower = { member_id: member.id, since: member.created_at }
        const data: FollowedRecord[] = []
        let total = 0
        for (const kind of FOLLOWED_KINDS) {
          if (!actor.scopes.has(KINDS[kind].scopes.read)) continue
          const first = (page.page - 1) * page.per_page - total
          const part = await listPart(kind, { first, size: page.per_page, follower }, transaction)
          data.push(...part.rows)
          total += part.total
        }
        return { data, meta: toPageMeta(page, total) }
      })
    },
  }
}

interface Part {
  /** The position among the records of the kind at which the page begins; negative after those of other kinds. */
  readonly first: number
  readonly size: number
  readonly follower: Follower
}

interface Followed extends RecordBase {
  readonly search_terms: string
  readonly followers: readonly Follower[]
}

const NAMES = { people: 'full_name', companies: 'full_name', deals: 'name', tasks: 'title' } as const

/** The followed records of a kind that are on a page, which begins anywhere among them, and the number of all. */
async function listPart(
  kind: FollowedKind,
  { first, size, follower }: Part,
  { stores }: ViewTransaction,
): Promise<{ readonly rows: readonly FollowedRecord[]; readonly total: number }> {
  const store = stores[kind] as unknown as RecordStore<Followed>
  const [from, to] = [Math.max(first, 0), Math.max(first + size, 0)]
  const read = (page: number) =>
    store.list({
      ...{ page, per_page: size, order_by: NAMES[kind] as never, order: 'asc' },
      where: [whereFacet(followerFacet(follower))],
    })
  const firstPage = Math.floor(from / size) + 1
  const page = await read(firstPage)
  const next = to > firstPage * size && page.total > firstPage * size ? await read(firstPage + 1) : undefined
  const skipped = (firstPage - 1) * size
  const rows = [...page.rows, ...(next?.rows ?? [])].slice(from - skipped, Math.max(to - skipped, 0))
  return { rows: rows.map((record) => toFollowed(kind, record, follower)), total: page.total }
}

function toFollowed(kind: FollowedKind, record: Followed, { member_id, since }: Follower): FollowedRecord {
  const own = record.followers.find((each) => each.member_id === member_id && each.since === since)
  return { kind, id: record.id, name: titleOf(kind, record), since: own?.followed_at ?? since }
}
