import type { Ports } from '../../ports/index.ts'
import type { SessionToken, Visitor } from '../accounts/account.ts'
import type { RequestOrigin } from '../mail/outgoing-mail.ts'
import { acceptInvitation, type InvitationView, loadInvitation } from './accept-invitation.ts'
import { inviteMember } from './invite-member.ts'
import { loadTeam, removeFromTeam, type Team, withdrawInvitation } from './team.ts'

/** The members and invitations of a workspace, for signed-in owners and admins. */
export interface TeamApi {
  /**
   * Returns members and open invitations.
   * @throws CrmError `not_found` if the user is not in the workspace, `forbidden` for a `member`
   */
  team(visitor: Visitor, slug: string): Promise<Team>
  /**
   * Mails an invitation, valid for seven days, and returns its id. It replaces an open one of the same user.
   * Sends `member_invited`.
   * @throws CrmError `not_found`, `forbidden`, `validation_error`, `conflict`, `rate_limit_exceeded`
   */
  invite(
    visitor: Visitor,
    slug: string,
    input: unknown,
    origin: RequestOrigin,
  ): Promise<{ readonly id: string }>
  /**
   * Makes the link of an open invitation invalid. Only an owner may withdraw that of an owner.
   * @throws CrmError `not_found`, `forbidden`
   */
  withdrawInvitation(visitor: Visitor, slug: string, invitationId: string): Promise<void>
  /**
   * Ends a membership and every access that the member granted. Sends `member_removed`. Only an owner may
   * remove an owner.
   * @throws CrmError `not_found`, `forbidden`, `validation_error` for the last owner
   */
  removeMember(visitor: Visitor, slug: string, userId: string): Promise<void>
  /** Returns undefined if the link is unknown, used or expired. Does not use up the link. */
  invitation(token: string): Promise<InvitationView | undefined>
  /**
   * Joins the workspace. A user without a password sets name and password and is signed in; any other user
   * only joins. Returns undefined if the link is unknown, used or expired.
   * @throws CrmError `validation_error`
   */
  acceptInvitation(
    token: string,
    input: unknown,
  ): Promise<{ readonly session: SessionToken | undefined } | undefined>
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
