import type { Ports } from '../../ports/index.ts'
import type { RequestOrigin } from '../mail/outgoing-mail.ts'
import type { Membership, SessionToken, UserSession } from './account.ts'
import { changePassword } from './change-password.ts'
import { listMemberships } from './memberships.ts'
import { findUserByResetLink, requestPasswordReset, resetPassword } from './password-reset.ts'
import { deleteSessions, findUserSession, signOut } from './sessions.ts'
import { signIn } from './sign-in.ts'
import { passwordVerifier } from './verify-password.ts'

/** Sign-in, sessions and passwords of users. */
export interface AccountApi {
  /**
   * Returns undefined for a wrong e-mail address and for a wrong password, without saying which.
   * @throws CrmError `validation_error`, `rate_limit_exceeded`
   */
  signIn(input: unknown, origin: RequestOrigin): Promise<SessionToken | undefined>
  /** Returns undefined for an invalid session token and for an ended or expired session. */
  userSession(token: string | undefined): Promise<UserSession | undefined>
  /** Ends this session only. */
  signOut(userSession: UserSession): Promise<void>
  /** Ends all sessions of the user. */
  signOutEverywhere(userSession: UserSession): Promise<void>
  /**
   * Ends the user's other sessions. Returns false if the current password is wrong.
   * @throws CrmError `validation_error`, `rate_limit_exceeded`
   */
  changePassword(userSession: UserSession, input: unknown, origin: RequestOrigin): Promise<boolean>
  /**
   * Mails a link if a user has the address. The caller cannot learn whether one has.
   * @throws CrmError `validation_error`, `rate_limit_exceeded`
   */
  requestPasswordReset(input: unknown, origin: RequestOrigin): Promise<void>
  /** Returns undefined if the link is unknown, used or expired. Does not use up the link. */
  findUserByResetLink(token: string): Promise<{ readonly email: string } | undefined>
  /**
   * Ends all sessions of the user and opens a new one. Returns undefined if the link is unknown, used or
   * expired.
   * @throws CrmError `validation_error`
   */
  resetPassword(token: string, input: unknown, origin: RequestOrigin): Promise<SessionToken | undefined>
  /** Current memberships, in the order of joining. */
  workspaces(userSession: UserSession): Promise<readonly Membership[]>
}

export function accountApi(ports: Ports): AccountApi {
  const verifyPassword = passwordVerifier(ports.passwords)
  return {
    signIn: (input, origin) => signIn(ports, verifyPassword, input, origin),
    userSession: (token) => findUserSession(ports, token),
    signOut: (userSession) => signOut(ports, userSession),
    signOutEverywhere: ({ user }) => ports.storage.transact((tx) => deleteSessions(tx, user.id, ports.now())),
    changePassword: (userSession, input, origin) =>
      changePassword(ports, verifyPassword, userSession, input, origin),
    requestPasswordReset: (input, origin) => requestPasswordReset(ports, input, origin),
    findUserByResetLink: (token) => findUserByResetLink(ports, token),
    resetPassword: (token, input, origin) => resetPassword(ports, token, input, origin),
    workspaces: ({ user }) => ports.storage.read((tx) => listMemberships(tx, user.id)),
  }
}
