import { mayManage, type Role } from './role.ts'
import {
  buildViewer,
  findGrantedChange,
  findVisibleBy,
  type OwnedRecord,
  type RuledKind,
  type RuledMember,
  type RuledTeam,
  type ShareAccess,
  shareKey,
  type Visibility,
} from './visibility.ts'

/**
 * Why a member sees a record, the order of the list. `owner`, `lead`, `team`: it owns the record, leads a team of the
 * owner, or is on one. `workspace_owner`, `admin`: its role. `share`: the record is shared with it or with one of its
 * teams. `linked_record`: it owns the record that a task is linked to. `everyone`: the rule of the kind. `unowned`: nobody
 * owns the record.
 */
export const VIEW_REASONS = [
  'owner',
  'workspace_owner',
  'admin',
  'lead',
  'team',
  'share',
  'linked_record',
  'everyone',
  'unowned',
] as const

export type ViewReason = (typeof VIEW_REASONS)[number]

/** A member who sees a record. */
export interface RecordViewer {
  readonly member_id: string
  readonly reason: ViewReason
  /** The team that the member leads, or is on, with the owner; null for other reasons. */
  readonly team_id: string | null
  /** `write` for a member who may change fields of the record. */
  readonly access: ShareAccess
}

/** Who is in a workspace, and its rules. */
export interface RuledWorkspace {
  readonly visibility: Visibility
  readonly members: readonly (RuledMember & { readonly role: Role })[]
  readonly teams: readonly RuledTeam[]
}

/**
 * Lists the members who see a record, by the order of `VIEW_REASONS`, and then as in `members`.
 * @param linkedOwnerIds the owners of the records that a task is linked to
 */
export function listRecordViewers(
  kind: RuledKind,
  record: OwnedRecord,
  { visibility, members, teams }: RuledWorkspace,
  linkedOwnerIds: ReadonlySet<string> = new Set(),
): readonly RecordViewer[] {
  const owner = record.owner_user_id
  const ownerTeams = teams.filter((team) => hasMember(team, owner) || hasRemoved(team, owner))
  const sharedTeams = teams.filter(({ id }) => record.shares.some((share) => shareKey(share) === id))
  const isOwnerGone = !members.some(({ id }) => id === owner)

  const explain = (member: RuledWorkspace['members'][number]): RecordViewer | undefined => {
    const viewer = buildViewer(visibility, member, [...ownerTeams, ...sharedTeams])
    const visibleBy =
      findVisibleBy(kind, record, viewer) ?? (linkedOwnerIds.has(member.id) && 'linked_record')
    const reason = (owner !== member.id && findRoleReason(member.role)) || visibleBy
    if (!reason) return undefined
    const team = ownerTeams.find(({ members }) =>
      members.some(({ id, lead }) => id === member.id && (reason === 'lead' ? lead : reason === 'team')),
    )
    const mayChange =
      WRITE_REASONS.has(reason) ||
      (reason === 'everyone' ? isOwnerGone : findGrantedChange(record, viewer) !== 'none')
    return { member_id: member.id, reason, team_id: team?.id ?? null, access: mayChange ? 'write' : 'read' }
  }
  return members
    .flatMap((member) => explain(member) ?? [])
    .toSorted((a, b) => VIEW_REASONS.indexOf(a.reason) - VIEW_REASONS.indexOf(b.reason))
}

const WRITE_REASONS: ReadonlySet<ViewReason> = new Set([
  'owner',
  'workspace_owner',
  'admin',
  'lead',
  'unowned',
])

function findRoleReason(role: Role): ViewReason | undefined {
  if (!mayManage(role)) return undefined
  return role === 'owner' ? 'workspace_owner' : 'admin'
}

function hasMember({ members }: RuledTeam, memberId: string | null): boolean {
  return members.some(({ id }) => id === memberId)
}

function hasRemoved({ removed_member_ids }: RuledTeam, memberId: string | null): boolean {
  return memberId !== null && removed_member_ids.includes(memberId)
}
