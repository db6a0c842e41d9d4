import type { RateLimit, RateLimitStatus } from '../kernel/rate-limit.ts'

/** Whom a grant lets in: the member who approved it, with the role it has now. */
export interface AuthorizedGrant {
  readonly user_id: string
  readonly client_id: string
  readonly role: 'owner' | 'admin' | 'member'
}

/**
 * The door in front of every call: what a token's grant is worth now, and how often its app has called. The instant a window
 * closes belongs to the next one. A closed window may be forgotten; counts may be lost with the process, or in a flood of keys.
 */
export interface AccessGate {
  count(rateLimit: RateLimit): Promise<RateLimitStatus>
  /**
   * Looks the grant up and counts the call, in one step so that a database can do both in one statement. `undefined`, and
   * nothing counted, when the grant is revoked, or its member removed, or either deleted or unknown: neither the app nor
   * `refresh_expires_at` is judged. `window` is left out when there is no counter, or the database takes no writes for now.
   */
  authorize(
    grant: { readonly workspace_id: string; readonly id: string },
    rateLimit: RateLimit | undefined,
  ): Promise<{ readonly grant: AuthorizedGrant; readonly rateLimit: RateLimitStatus | undefined } | undefined>
}
