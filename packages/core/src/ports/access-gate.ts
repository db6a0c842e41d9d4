import type { Actor } from '../kernel/actor.ts'
import type { RateLimit, RateLimitStatus } from '../kernel/rate-limit.ts'
import type { Role } from '../kernel/role.ts'

/** The member who approved the grant, with their current role. */
export interface AuthorizedGrant {
  /** The member who approved the grant. */
  readonly user_id: string
  /** The app that the grant is for. */
  readonly client_id: string
  /** The current role of the member. */
  readonly role: Role
}

/**
 * Checks that a token's grant is still valid and counts the call against the app's rate limit, in one round
 * trip. The instant at which a window closes belongs to the next window. Counts may be lost with the process,
 * or if there are too many keys.
 */
export interface AccessGate {
  /** Counts a call without checking a grant. The status says whether it exceeds the limit. */
  count(rateLimit: RateLimit): Promise<RateLimitStatus>
  /**
   * Returns undefined, and counts nothing, if the grant was revoked, its member was removed, or either does
   * not exist. The app and `refresh_expires_at` are not checked. `rateLimit` is undefined without a limit, or
   * while the database takes no writes. `isRead` is true for a call that cannot write: a store that reads from replicas
   * shows it what earlier calls of the same caller have written.
   */
  authorize(
    grant: { readonly workspace_id: string; readonly id: string },
    rateLimit: RateLimit | undefined,
    isRead?: boolean,
  ): Promise<{ readonly grant: AuthorizedGrant; readonly rateLimit: RateLimitStatus | undefined } | undefined>
  /**
   * Called before the response to a call that may have written and took more than `LONG_CALL_MS`: what it wrote may be
   * newer than the store assumes for a call that was authorized so long ago.
   */
  noteWrite?(caller: Pick<Actor, 'workspaceId' | 'clientId' | 'userId'>): Promise<void>
}

/** Milliseconds after which a call that may write is announced again. */
export const LONG_CALL_MS = 5000
