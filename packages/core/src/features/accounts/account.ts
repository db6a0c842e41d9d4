import type { Instant } from '../../kernel/instant.ts'
import type { Role } from '../../kernel/role.ts'

/** A signed-in user, in one session. */
export interface Visitor {
  readonly session_id: string
  readonly user: { readonly id: string; readonly name: string; readonly email: string }
}

export interface SessionToken {
  /** Stored by the browser and sent with each request. */
  readonly token: string
  readonly expires_at: Instant
}

export interface Membership {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly role: Role
}
