import type { Instant } from '../../kernel/instant.ts'
import type { Role } from '../../kernel/role.ts'
import type { MemberView } from '../members/member.ts'

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

/** What an app was let into: all grants of one app in one workspace, by one user. */
export interface ConnectedApp {
  readonly client_id: string
  readonly app_name: string
  readonly workspace: { readonly id: string; readonly name: string }
  readonly scopes: readonly string[]
  readonly created_at: Instant
  /** When the app last got a token: at most an hour before its last call. */
  readonly last_used_at: Instant
}

export interface Team {
  readonly workspace: Membership
  readonly members: readonly MemberView[]
  readonly invitations: readonly {
    readonly id: string
    readonly email: string
    readonly role: Role
    readonly expires_at: Instant
  }[]
}
