import type { Ports } from '../../ports/index.ts'
import type { RequestOrigin } from '../mail/outgoing-mail.ts'
import { acceptInvitation, type InvitationView, loadInvitation } from '../members/accept-invitation.ts'
import { inviteMember } from '../members/invite-member.ts'
import { loadTeam, removeFromTeam, withdrawInvitation } from '../members/team.ts'
import type { ConnectedApp, Membership, SessionToken, Team, Visitor } from './account.ts'
import { changePassword } from './change-password.ts'
import { disconnectApp, listConnectedApps } from './connected-apps.ts'
import { listMemberships } from './memberships.ts'
import { findUserByResetLink, requestPasswordReset, resetPassword } from './password-reset.ts'
import { findVisitor, signOut } from './sessions.ts'
import { signIn } from './sign-in.ts'
import { passwordVerifier } from './verify-password.ts'

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
  /** The apps that may act for the visitor, the one used last first. */
  connectedApps(visitor: Visitor): Promise<readonly ConnectedApp[]>
  /** Revokes all grants of the app by the user in the workspace. @throws CrmError `not_found` */
  disconnectApp(
    visitor: Visitor,
    input: { readonly workspace_id: string; readonly client_id: string },
  ): Promise<void>
  /** Members and open invitations. @throws CrmError `not_found` for a workspace the user is no member of, `forbidden` for a `member` */
  team(visitor: Visitor, slug: string): Promise<Team>
  /** Mails an invitation, and gives its id. @throws CrmError `not_found`, `forbidden`, `validation_error`, `conflict`, `rate_limit_exceeded` */
  invite(
    visitor: Visitor,
    slug: string,
    input: unknown,
    origin: RequestOrigin,
  ): Promise<{ readonly id: string }>
  /** @throws CrmError `not_found`, `forbidden` */
  withdrawInvitation(visitor: Visitor, slug: string, invitationId: string): Promise<void>
  /** @throws CrmError `not_found`, `forbidden`, `validation_error` for the last owner */
  removeMember(visitor: Visitor, slug: string, userId: string): Promise<void>
  /** What a mailed link offers; `undefined` when it is good for nothing. Changes nothing. */
  invitation(token: string): Promise<InvitationView | undefined>
  /**
   * Joins the workspace. Someone without a password sets a name and one, and is signed in; for someone with one, joining is all.
   * `undefined` when the link is good for nothing. @throws CrmError `validation_error`
   */
  acceptInvitation(
    token: string,
    input: unknown,
  ): Promise<{ readonly signedIn: SessionToken | undefined } | undefined>
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
    connectedApps: (visitor) => listConnectedApps(ports, visitor),
    disconnectApp: (visitor, input) => disconnectApp(ports, visitor, input),
    team: (visitor, slug) => loadTeam(ports, visitor, slug),
    invite: (visitor, slug, input, origin) => inviteMember(ports, visitor, slug, input, origin),
    withdrawInvitation: (visitor, slug, id) => withdrawInvitation(ports, visitor, slug, id),
    removeMember: (visitor, slug, userId) => removeFromTeam(ports, visitor, slug, userId),
    invitation: (token) => loadInvitation(ports, token),
    acceptInvitation: (token, input) => acceptInvitation(ports, token, input),
  }
}
