import type * as v from 'valibot'
import { findById } from '../../engine/find-by-id.ts'
import { type Listing, type PageQuery, pageQuery, toPageMeta } from '../../engine/list-query.ts'
import { type Versioned, versionOf, type WriteConditions } from '../../engine/record-version.ts'
import { validate } from '../../engine/validate.ts'
import { loadViews } from '../../engine/views.ts'
import { inWorkspace, readWorkspace, type WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Ports } from '../../ports/index.ts'
import type { MemberView } from '../../schema/views.ts'
import type { RequestOrigin } from '../mail/outgoing-mail.ts'
import { changeMe, type MeChanges } from './change-me.ts'
import { changeRole, type MemberChanges } from './change-role.ts'
import { type InvitationView, listOpenInvitations, toInvitationView } from './invitation.ts'
import {
  type IssuedInvitation,
  inviteMember,
  type NewInvitation,
  resendInvitation,
  withdrawInvitation,
} from './invite-member.ts'
import { requireManager } from './manager.ts'
import { loadMe, type Me } from './me.ts'
import { toMemberView } from './member.ts'
import { MANAGE_MEMBERS_SCOPE, MEMBERS_SCOPE } from './member-scopes.ts'
import { loadReassignment, type Reassignment } from './reassignment.ts'
import { type RemovalOptions, removalQuery, removeMember } from './remove-member.ts'

/** A member by itself. */
export interface MemberDetail extends MemberView {
  /** When the member joined. */
  readonly created_at: Instant
  /** Null for a current member. */
  readonly removed_at: Instant | null
  /** The handing over of a removed member's records; null for a current member, and if there is none. */
  readonly reassignment: Reassignment | null
}

/** The members of the actor's workspace. */
export interface MemberApi {
  /**
   * Returns a page of the current members, the latest to join first by default.
   * @throws CrmError `insufficient_scope`, `validation_error`
   */
  list(actor: Actor, query?: PageQuery): Promise<Listing<MemberView>>
  /** Returns a current or removed member. @throws CrmError `insufficient_scope`, `not_found` */
  get(actor: Actor, id: string): Promise<MemberDetail>
  /** As `get`, with the version of the member. */
  getVersioned(actor: Actor, id: string): Promise<Versioned<MemberDetail>>
  /**
   * Changes the role of another member. Only an owner gives or takes the role of owner. Sends no event. Ends what the
   * new role may not have: the webhooks of the console that the member made, and their invitations.
   * @throws CrmError `insufficient_scope`, `validation_error`, `bad_request`, `not_found`, `forbidden`,
   * `precondition_failed` for another version
   */
  update(
    actor: Actor,
    id: string,
    changes: MemberChanges,
    conditions?: WriteConditions,
  ): Promise<MemberDetail>
  /**
   * Ends a membership and every access that the member granted, at once. Sends `member_removed`. A member may remove
   * itself. With `reassign_to`, for owners and admins, the people, companies, deals and tasks of the member become those
   * of another one, also if the member was removed before: `get` tells how far that is. Each sends its `updated` event.
   * @throws CrmError `insufficient_scope`, `not_found`, `forbidden`, `validation_error`, also for the last owner
   */
  remove(actor: Actor, id: string, options?: RemovalOptions, conditions?: WriteConditions): Promise<void>
  /**
   * Returns a page of the open invitations, the latest first by default, for an owner or admin.
   * @throws CrmError `insufficient_scope`, `validation_error`, `forbidden`
   */
  invitations(actor: Actor, query?: PageQuery): Promise<Listing<InvitationView>>
  /**
   * Makes an invitation, valid for seven days, and mails its link or returns it, once. It replaces an open one of the
   * same user. Sends `member_invited`.
   * @throws CrmError `insufficient_scope`, `validation_error`, `forbidden`, `conflict` for a current member,
   * `rate_limit_exceeded`
   */
  invite(
    actor: Actor,
    input: NewInvitation,
    origin: Pick<RequestOrigin, 'language'>,
  ): Promise<InvitationWithLink>
  /**
   * Replaces the link of an open or expired invitation, which is then valid for seven more days.
   * @throws CrmError `insufficient_scope`, `not_found`, `forbidden`, `conflict` for a current member,
   * `rate_limit_exceeded`
   */
  resendInvitation(
    actor: Actor,
    id: string,
    origin: Pick<RequestOrigin, 'language'>,
  ): Promise<InvitationWithLink>
  /**
   * Makes the link of an invitation invalid.
   * @throws CrmError `insufficient_scope`, `not_found`, `forbidden`
   */
  withdrawInvitation(actor: Actor, id: string): Promise<void>
  /**
   * Returns the member whom the actor acts for, with role, workspaces and scopes. Any scope is sufficient.
   * @throws CrmError `not_found` for a member who was removed
   */
  me(actor: Actor): Promise<Me>
  /**
   * Changes the settings of the member whom the actor acts for, who is signed in to the console.
   * @throws CrmError `validation_error`, `bad_request`, `forbidden` for other apps, `not_found` for a member who was removed
   */
  updateMe(actor: Actor, changes: MeChanges): Promise<Me>
}

export function memberApi(ports: Ports): MemberApi {
  const { storage, now } = ports

  const loadDetail = (actor: Actor, id: string) =>
    readWorkspace(ports, actor, (transaction) => loadMemberDetail(transaction, id, ports))

  return {
    me: (actor) => loadMe(ports, actor),
    async updateMe(actor, changes) {
      await changeMe(ports, actor, changes)
      return loadMe(ports, actor)
    },
    async list(actor, query = {}) {
      requireScope(actor, MEMBERS_SCOPE)
      const storeQuery = validate(pageQuery, query, 'parameter')
      return readWorkspace(ports, actor, (transaction) => listMembers(transaction, storeQuery))
    },
    async get(actor, id) {
      requireScope(actor, MEMBERS_SCOPE)
      return (await loadDetail(actor, id)).data
    },
    async getVersioned(actor, id) {
      requireScope(actor, MEMBERS_SCOPE)
      return loadDetail(actor, id)
    },
    async update(actor, id, changes, conditions) {
      await changeRole(ports, actor, id, changes, conditions)
      return (await loadDetail(actor, id)).data
    },
    async remove(actor, id, options = {}, conditions = {}) {
      requireScope(actor, MANAGE_MEMBERS_SCOPE)
      const { reassign_to } = validate(removalQuery, options, 'parameter')
      await storage.transact((tx) =>
        removeMember(tx, ports, actor, { ...conditions, userId: id, inputField: 'id', reassign_to }),
      )
    },
    async invitations(actor, query = {}) {
      requireScope(actor, MANAGE_MEMBERS_SCOPE)
      const { page, per_page, order } = validate(pageQuery, query, 'parameter')
      return storage.read(async (tx) => {
        await requireManager(tx, actor, ['read', 'invitation'])
        const all = await listOpenInvitations(inWorkspace(tx, actor, ports), now())
        const ordered = order === 'asc' ? all : all.toReversed()
        const data = ordered.slice((page - 1) * per_page, page * per_page)
        return { data, meta: toPageMeta({ page, per_page }, all.length) }
      })
    },
    async invite(actor, input, { language }) {
      requireScope(actor, MANAGE_MEMBERS_SCOPE)
      return toViewWithLink(await inviteMember(ports, { ...actor, language }, input))
    },
    async resendInvitation(actor, id, { language }) {
      requireScope(actor, MANAGE_MEMBERS_SCOPE)
      return toViewWithLink(await resendInvitation(ports, { ...actor, language }, id))
    },
    async withdrawInvitation(actor, id) {
      requireScope(actor, MANAGE_MEMBERS_SCOPE)
      await storage.transact((tx) => withdrawInvitation(tx, actor, id))
    },
  }
}

/** An invitation with its link, which is a secret: undefined if it was mailed. */
export interface InvitationWithLink extends InvitationView {
  readonly link?: string
}

function toViewWithLink({ invitation, email, link }: IssuedInvitation): InvitationWithLink {
  return { ...toInvitationView(invitation, email), ...(link !== undefined && { link }) }
}

async function listMembers(
  { stores, shared }: WorkspaceTransaction,
  { page, per_page, order }: v.InferOutput<typeof pageQuery>,
): Promise<Listing<MemberView>> {
  const { rows, total } = await stores.members.list({
    page,
    per_page,
    order,
    order_by: 'created_at',
    where: [{ field: 'removed_at', is: null }],
  })
  const users = await loadViews(
    shared.users,
    rows.map(({ id }) => id),
    (user) => user,
  )
  return {
    data: rows.map((member) => toMemberView(member, users.get(member.id))),
    meta: toPageMeta({ page, per_page }, total),
  }
}

/** @throws CrmError `not_found` */
async function loadMemberDetail(
  transaction: WorkspaceTransaction,
  id: string,
  ports: Ports,
): Promise<Versioned<MemberDetail>> {
  const member = await findById(transaction.stores.members, id)
  if (!member?.has_joined) throw notFound('Member')
  const user = await transaction.shared.users.get(member.id)
  const { created_at, removed_at } = member
  const reassignment = removed_at === null ? null : await loadReassignment(member.id, transaction)
  const data = { ...toMemberView(member, user), created_at, removed_at, reassignment }
  return { data, version: versionOf(member, ports) }
}
