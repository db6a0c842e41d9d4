import type { Instant } from '../../kernel/instant.ts'
import type { Role } from '../../kernel/role.ts'

/** Who is signed in, in one browser. */
export interface Visitor {
  readonly session_id: string
  readonly user: { readonly id: string; readonly name: string; readonly email: string }
}

export interface SessionToken {
  /** What the browser keeps, and shows with each request. */
  readonly token: string
  readonly expires_at: Instant
}

export interface Membership {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly role: Role
}
