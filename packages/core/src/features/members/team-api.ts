import type { Ports } from '../../ports/index.ts'
import type { SessionToken, Visitor } from '../accounts/account.ts'
import type { RequestOrigin } from '../mail/outgoing-mail.ts'
import { acceptInvitation, type InvitationView, loadInvitation } from './accept-invitation.ts'
import { inviteMember } from './invite-member.ts'
import { loadTeam, removeFromTeam, type Team, withdrawInvitation } from './team.ts'

/** The members and invitations of a workspace, for its owners and admins who signed in. */
export interface TeamApi {
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

export function teamApi(ports: Ports): TeamApi {
  return {
    team: (visitor, slug) => loadTeam(ports, visitor, slug),
    invite: (visitor, slug, input, origin) => inviteMember(ports, visitor, slug, input, origin),
    withdrawInvitation: (visitor, slug, id) => withdrawInvitation(ports, visitor, slug, id),
    removeMember: (visitor, slug, userId) => removeFromTeam(ports, visitor, slug, userId),
    invitation: (token) => loadInvitation(ports, token),
    acceptInvitation: (token, input) => acceptInvitation(ports, token, input),
  }
}
