import type {
  Invitation,
  InvitationListItem,
  Member,
  MemberChanges,
  MemberListItem,
  NewInvitation,
  PageQuery,
} from './api-types.ts'
import type { CallOptions } from './call-options.ts'
import { encodeId } from './check.ts'
import type { RecordCalls } from './record-calls.ts'
import type { RecordList } from './record-list.ts'

/** The members of the workspace. Scopes `members:read` to read, `members:manage` for everything else. */
export interface MemberCollection {
  /** Lists the current members. */
  list(query?: PageQuery, options?: CallOptions): RecordList<MemberListItem>
  /** Returns a current or removed member. */
  get(id: string, options?: CallOptions): Promise<Member>
  /** Changes the role of another member. */
  update(id: string, changes: MemberChanges, options?: CallOptions): Promise<Member>
  /**
   * Removes a member, or the member who granted the token. `reassign_to` hands over its records in the background:
   * `get` tells how far that is.
   */
  remove(id: string, removal?: MemberRemoval, options?: CallOptions): Promise<void>
  /** The invitations to the workspace. */
  readonly invitations: InvitationCollection
}

/** Options of `members.remove`. */
export interface MemberRemoval {
  /** Id of the member who takes over the people, companies, deals and tasks. */
  readonly reassign_to?: string | undefined
}

/**
 * Invitations that are neither accepted nor expired. A call whose response is lost is not repeated, because the
 * response may have the only copy of a `link`.
 */
export interface InvitationCollection {
  /** Lists the invitations. */
  list(query?: PageQuery, options?: CallOptions): RecordList<InvitationListItem>
  /** Makes an invitation. It has its `link` only where the service has no mail server. */
  create(input: NewInvitation, options?: CallOptions): Promise<Invitation>
  /** Replaces the link, which is then valid for seven more days. */
  resend(id: string, options?: CallOptions): Promise<Invitation>
  /** Makes the link invalid. */
  remove(id: string, options?: CallOptions): Promise<void>
}

const INVITATIONS = 'members/invitations'

export function createMemberCollection(calls: RecordCalls): MemberCollection {
  const pathOf = (id: string) => `members/${encodeId('id', id)}`
  const invitationPath = (id: string) => `${INVITATIONS}/${encodeId('id', id)}`
  return {
    list: (query, options) => calls.list('members', query, options),
    get: async (id, options) => calls.get(pathOf(id), options),
    update: async (id, changes, options) => calls.patch(pathOf(id), changes, options, { isRepeatable: true }),
    remove: async (id, removal, options) => calls.delete(pathOf(id), options, removal),
    invitations: {
      list: (query, options) => calls.list(INVITATIONS, query, options),
      create: async (input, options) => calls.post(INVITATIONS, input, options),
      resend: async (id, options) => calls.post(`${invitationPath(id)}/resend`, {}, options),
      remove: async (id, options) => calls.delete(invitationPath(id), options),
    },
  }
}
