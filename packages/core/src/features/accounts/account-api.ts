import type { Ports } from '../../ports/index.ts'
import type { RequestOrigin } from '../mail/outgoing-mail.ts'
import type { Membership, SessionToken, Visitor } from './account.ts'
import { changePassword } from './change-password.ts'
import { listMemberships } from './memberships.ts'
import { findUserByResetLink, requestPasswordReset, resetPassword } from './password-reset.ts'
import { findVisitor, signOut } from './sessions.ts'
import { signIn } from './sign-in.ts'
import { passwordVerifier } from './verify-password.ts'

/** Sign-in, sessions and passwords of people. */
export interface AccountApi {
  /** `undefined` for a wrong e-mail or password, which are not told apart. @throws CrmError `validation_error`, `rate_limit_exceeded` */
  signIn(input: unknown, origin: RequestOrigin): Promise<SessionToken | undefined>
  /** Who a session's token stands for; `undefined` once it is over. */
  visitor(token: string | undefined): Promise<Visitor | undefined>
  /** Signs out in this browser alone. */
  signOut(visitor: Visitor): Promise<void>
  /** Ends the user's other sessions. False when the present password is wrong. @throws CrmError `validation_error`, `rate_limit_exceeded` */
  changePassword(visitor: Visitor, input: unknown, origin: RequestOrigin): Promise<boolean>
  /** Mails a link, if there is someone to mail it to, and never says whether. @throws CrmError `validation_error`, `rate_limit_exceeded` */
  requestPasswordReset(input: unknown, origin: RequestOrigin): Promise<void>
  /** Whom a mailed link is for; `undefined` when it is good for nothing. Changes nothing. */
  findUserByResetLink(token: string): Promise<{ readonly email: string } | undefined>
  /** Signs in anew and ends all sessions before. `undefined` when the link is good for nothing. @throws CrmError `validation_error` */
  resetPassword(token: string, input: unknown, origin: RequestOrigin): Promise<SessionToken | undefined>
  /** Those the user is a member of now, in the order of joining. */
  workspaces(visitor: Visitor): Promise<readonly Membership[]>
}

export function accountApi(ports: Ports): AccountApi {
  const verifyPassword = passwordVerifier(ports.passwords)
  return {
    signIn: (input, origin) => signIn(ports, verifyPassword, input, origin),
    visitor: (token) => findVisitor(ports, token),
    signOut: (visitor) => signOut(ports, visitor),
    changePassword: (visitor, input, origin) => changePassword(ports, verifyPassword, visitor, input, origin),
    requestPasswordReset: (input, origin) => requestPasswordReset(ports, input, origin),
    findUserByResetLink: (token) => findUserByResetLink(ports, token),
    resetPassword: (token, input, origin) => resetPassword(ports, token, input, origin),
    workspaces: ({ user }) => ports.storage.read((tx) => listMemberships(tx, user.id)),
  }
}
