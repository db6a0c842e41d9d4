import { flagResponse } from '../kernel/response-schemas.ts'
import { system } from './fields.ts'
import { storedJson } from './value-types.ts'
import { loaded } from './view-fields.ts'

/** The kinds whose records members follow. */
export const FOLLOWED_KINDS = ['people', 'companies', 'deals', 'tasks'] as const

export type FollowedKind = (typeof FOLLOWED_KINDS)[number]

/** A member who follows a record. */
export interface Follower {
  readonly member_id: string
  /** When the member had joined. Following ends with that membership. */
  readonly since: string
  /** When the member began to follow. Absent of those who did before this was stored. */
  readonly followed_at?: string
}

/** The column of kinds that can be followed. Following a record is no change of it. */
export const followers = system(storedJson<readonly Follower[]>(), {
  ...{ level: 'hidden', initial: [], isVersioned: false },
})

/** Events do not have it: it depends on the reader. */
export const following = {
  ...loaded({
    ...{ level: 'detail', included: true, response: flagResponse, reads: ['followers'] },
    description: 'True if the caller follows the record. Only if it is included.',
    example: false,
  }),
  onlyIncluded: true,
} as const
