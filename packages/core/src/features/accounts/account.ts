import type { Instant } from '../../kernel/instant.ts'
import type { Role } from '../../kernel/role.ts'

/**
 * A signed-in user, in one session. Obtained from `crm.accounts.userSession` with the session token of a request.
 */
export interface UserSession {
  /** The session that `signOut` ends and `changePassword` keeps. */
  readonly session_id: string
  /** The account. The e-mail address is in lower case. */
  readonly user: { readonly id: string; readonly name: string; readonly email: string }
}

/** A new session, as `signIn`, `resetPassword` and `acceptInvitation` return it. */
export interface SessionToken {
  /** A secret. The browser stores it and sends it with each request; only its hash is stored here. */
  readonly token: string
  /** 14 days after the sign-in. Use does not extend it. */
  readonly expires_at: Instant
}

/** A workspace that a user belongs to, with their role in it, as `crm.accounts.workspaces` returns it. */
export interface Membership {
  /** The id of the workspace, as are name and slug. */
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly role: Role
}
