import type { From } from '../letters/letter.ts'
import { acceptInvitation, type InvitationView, invitation } from '../members/accept-invitation.ts'
import { invite } from '../members/invite.ts'
import { removeFromTeam, team, withdrawInvitation } from '../members/team.ts'
import type { Ports } from '../ports.ts'
import type { Connection, Membership, SignedIn, Team, Visitor } from './account.ts'
import { connections, disconnect } from './connections.ts'
import { membershipsOf } from './memberships.ts'
import { passwordCheck } from './password-check.ts'
import { askPasswordReset, resetPassword, userOfResetLink } from './password-reset.ts'
import { changePassword } from './passwords.ts'
import { signOut, visitor } from './sessions.ts'
import { signIn } from './sign-in.ts'

export interface AccountApi {
  /** `undefined` for a wrong e-mail or password, which are not told apart. @throws CrmError `validation_error`, `rate_limit_exceeded` */
  signIn(input: unknown, from: From): Promise<SignedIn | undefined>
  /** Who a session's token stands for; `undefined` once it is over. */
  visitor(token: string | undefined): Promise<Visitor | undefined>
  /** Signs out in this browser alone. */
  signOut(visitor: Visitor): Promise<void>
  /** Ends the user's other sessions. False when the present password is wrong. @throws CrmError `validation_error`, `rate_limit_exceeded` */
  changePassword(visitor: Visitor, input: unknown, from: From): Promise<boolean>
  /** Mails a link, if there is someone to mail it to, and never says whether. @throws CrmError `validation_error`, `rate_limit_exceeded` */
  askPasswordReset(input: unknown, from: From): Promise<void>
  /** Whom a mailed link is for; `undefined` when it is good for nothing. Changes nothing. */
  userOfResetLink(token: string): Promise<{ readonly email: string } | undefined>
  /** Signs in anew and ends all sessions before. `undefined` when the link is good for nothing. @throws CrmError `validation_error` */
  resetPassword(token: string, input: unknown, from: From): Promise<SignedIn | undefined>
  /** Those the user is a member of now, in the order of joining. */
  workspaces(visitor: Visitor): Promise<readonly Membership[]>
  /** The apps that may act for the visitor, the one used last first. */
  connections(visitor: Visitor): Promise<readonly Connection[]>
  /** Revokes all grants of the app by the user in the workspace. @throws CrmError `not_found` */
  disconnect(visitor: Visitor, input: { readonly workspace_id: string; readonly client_id: string }): Promise<void>
  /** Members and open invitations. @throws CrmError `not_found` for a workspace the user is no member of, `forbidden` for a `member` */
  team(visitor: Visitor, slug: string): Promise<Team>
  /** Mails an invitation, and gives its id. @throws CrmError `not_found`, `forbidden`, `validation_error`, `conflict`, `rate_limit_exceeded` */
  invite(visitor: Visitor, slug: string, input: unknown, from: From): Promise<{ readonly id: string }>
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
  acceptInvitation(token: string, input: unknown): Promise<{ readonly signedIn: SignedIn | undefined } | undefined>
}

export function accountApi(ports: Ports): AccountApi {
  const isPassword = passwordCheck(ports.passwords)
  return {
    signIn: (input, from) => signIn(ports, isPassword, input, from),
    visitor: (token) => visitor(ports, token),
    signOut: (visitor) => signOut(ports, visitor),
    changePassword: (visitor, input, from) => changePassword(ports, isPassword, visitor, input, from),
    askPasswordReset: (input, from) => askPasswordReset(ports, input, from),
    userOfResetLink: (token) => userOfResetLink(ports, token),
    resetPassword: (token, input, from) => resetPassword(ports, token, input, from),
    workspaces: ({ user }) => ports.storage.read((tx) => membershipsOf(tx, user.id)),
    connections: (visitor) => connections(ports, visitor),
    disconnect: (visitor, input) => disconnect(ports, visitor, input),
    team: (visitor, slug) => team(ports, visitor, slug),
    invite: (visitor, slug, input, from) => invite(ports, visitor, slug, input, from),
    withdrawInvitation: (visitor, slug, id) => withdrawInvitation(ports, visitor, slug, id),
    removeMember: (visitor, slug, userId) => removeFromTeam(ports, visitor, slug, userId),
    invitation: (token) => invitation(ports, token),
    acceptInvitation: (token, input) => acceptInvitation(ports, token, input),
  }
}
