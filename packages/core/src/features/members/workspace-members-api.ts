import { validate } from '../../engine/validate.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { SessionToken, UserSession } from '../accounts/account.ts'
import type { RequestOrigin } from '../mail/outgoing-mail.ts'
import { acceptInvitation, loadInvitation, type ReceivedInvitation } from './accept-invitation.ts'
import { invitationInput, inviteMember, withdrawInvitation } from './invite-member.ts'
import type { MemberIdentity } from './manager.ts'
import { removeMember } from './remove-member.ts'
import { loadManagedWorkspace, loadWorkspaceMembers, type WorkspaceMembers } from './workspace-members.ts'

/** The members and invitations of a workspace, for signed-in owners and admins. */
export interface WorkspaceMembersApi {
  /**
   * Returns members and open invitations.
   * @throws CrmError `not_found` if the user is not in the workspace, `forbidden` for a `member`
   */
  members(userSession: UserSession, slug: string): Promise<WorkspaceMembers>
  /**
   * Makes an invitation, valid for seven days, and mails its link or returns it. It replaces an open one of the same
   * user. Sends `member_invited`.
   * @throws CrmError `not_found`, `forbidden`, `validation_error`, `conflict`, `rate_limit_exceeded`
   */
  invite(
    userSession: UserSession,
    slug: string,
    input: unknown,
    origin: Pick<RequestOrigin, 'language'>,
  ): Promise<{ readonly id: string; readonly link: string | undefined }>
  /**
   * Makes the link of an open invitation invalid. Only an owner may withdraw that of an owner.
   * @throws CrmError `not_found`, `forbidden`
   */
  withdrawInvitation(userSession: UserSession, slug: string, invitationId: string): Promise<void>
  /**
   * Ends a membership and every access that the member granted. Sends `member_removed`. Only an owner may
   * remove an owner.
   * @throws CrmError `not_found`, `forbidden`, `validation_error` for the last owner
   */
  removeMember(userSession: UserSession, slug: string, userId: string): Promise<void>
  /** Returns undefined if the link is unknown, used or expired. Does not use up the link. */
  invitation(token: string): Promise<ReceivedInvitation | undefined>
  /**
   * Joins the workspace. A user without a password sets name and password and is signed in; any other user
   * only joins. Returns undefined if the link is unknown, used or expired.
   * @param userSession of who opened the link; a link that was not mailed lets an existing account join only if it is
   * signed in
   * @throws CrmError `validation_error`, `forbidden`
   */
  acceptInvitation(
    token: string,
    input: unknown,
    userSession?: UserSession,
  ): Promise<{ readonly session: SessionToken | undefined } | undefined>
}

export function workspaceMembersApi(ports: Ports): WorkspaceMembersApi {
  const { storage } = ports

  /** @throws CrmError `not_found`, `forbidden` */
  async function findManager(
    tx: Transaction,
    userSession: UserSession,
    slug: string,
  ): Promise<MemberIdentity> {
    const { id } = await loadManagedWorkspace(tx, userSession, slug)
    return { workspaceId: id, userId: userSession.user.id }
  }

  return {
    members: (userSession, slug) => loadWorkspaceMembers(ports, userSession, slug),
    async invite(userSession, slug, input, { language }) {
      validate(invitationInput, input)
      const inviter = await storage.read((tx) => findManager(tx, userSession, slug))
      const { invitation, link } = await inviteMember(ports, { ...inviter, language }, input)
      return { id: invitation.id, link }
    },
    withdrawInvitation: (userSession, slug, id) =>
      storage.transact(async (tx) => withdrawInvitation(tx, await findManager(tx, userSession, slug), id)),
    removeMember: (userSession, slug, userId) =>
      storage.transact(async (tx) =>
        removeMember(tx, ports, await findManager(tx, userSession, slug), { userId, inputField: 'user' }),
      ),
    invitation: (token) => loadInvitation(ports, token),
    acceptInvitation: (token, input, userSession) => acceptInvitation(ports, token, input, userSession),
  }
}
