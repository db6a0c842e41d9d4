/** Who sees a record that another member owns. In each case its owner, and those with whom it is shared. */
export const VISIBILITY_RULES = ['everyone', 'team', 'owner'] as const

/**
 * `everyone`: all members. `team`: also the members of the owner's teams. `owner`: also the leads of the owner's teams.
 * Owners and admins of the workspace see every record, and everybody sees one that nobody owns.
 */
export type VisibilityRule = (typeof VISIBILITY_RULES)[number]

/** The kinds of records with a rule. Activities, attachments and stage moves follow the record that they belong to. */
export const RULED_KINDS = ['people', 'companies', 'deals', 'tasks'] as const

export type RuledKind = (typeof RULED_KINDS)[number]

/** The rules of a workspace. */
export type Visibility = Readonly<Record<RuledKind, VisibilityRule>>

/** The rules of a new workspace. */
export const VISIBLE_TO_EVERYONE: Visibility = {
  people: 'everyone',
  companies: 'everyone',
  deals: 'everyone',
  tasks: 'everyone',
}

export const SHARE_ACCESS = ['read', 'write'] as const
export type ShareAccess = (typeof SHARE_ACCESS)[number]

/** A record that is shared with a member or a team, as it is stored. */
export type Share =
  | {
      readonly member_id: string
      /** When the member had joined. The share ends with that membership. */
      readonly since: string
      readonly access: ShareAccess
    }
  | { readonly team_id: string; readonly access: ShareAccess }

/** What decides who sees a record. */
export interface OwnedRecord {
  readonly owner_user_id: string | null
  readonly shares: readonly Share[]
}

/**
 * What decides which records are visible to a member, or to one of several. Where nothing bounds what a member sees, it
 * has no viewer.
 */
export interface Viewer {
  readonly visibility: Visibility
  readonly userIds: ReadonlySet<string>
  /** The members of their teams. */
  readonly teammateIds: ReadonlySet<string>
  /** The members of the teams that they lead. */
  readonly ledIds: ReadonlySet<string>
  /** Who was on the teams that they lead when removed from the workspace. */
  readonly removedIds: ReadonlySet<string>
  /** The `shareKey` of each share that is with them. */
  readonly shareKeys: ReadonlySet<string>
}

/** Rules of some kinds. */
export type VisibilityChanges = { readonly [K in RuledKind]?: VisibilityRule | undefined }

/** Kinds that are left out keep their rule. */
export function mergeVisibility(before: Visibility, changes: VisibilityChanges): Visibility {
  const { people, companies, deals, tasks } = before
  return {
    people: changes.people ?? people,
    companies: changes.companies ?? companies,
    deals: changes.deals ?? deals,
    tasks: changes.tasks ?? tasks,
  }
}

export function seesEveryone(visibility: Visibility): boolean {
  return RULED_KINDS.every((kind) => visibility[kind] === 'everyone')
}

/** True for a kind of which the viewer may not see every record. */
export function isBounded(kind: string, { visibility }: Viewer): kind is RuledKind {
  return RULED_KINDS.includes(kind as RuledKind) && visibility[kind as RuledKind] !== 'everyone'
}

/** Names with whom a record is shared. */
export function shareKey(share: Share): string {
  return 'team_id' in share ? share.team_id : `${share.member_id} ${share.since}`
}

/** The owners whose records of a kind with the rule `team` or `owner` are visible. */
export function listVisibleOwners(
  kind: RuledKind,
  { visibility, userIds, teammateIds, ledIds, removedIds }: Viewer,
): ReadonlySet<string> {
  const ofTeam = visibility[kind] === 'team' ? teammateIds : []
  return new Set([...userIds, ...ofTeam, ...ledIds, ...removedIds])
}

/**
 * Why a record is visible to a member whom a rule may bound, the strongest reason first. `unowned`: nobody owns it.
 * `lead`: as a lead of a team of its owner. `share`: it is shared with the member or with one of its teams.
 */
export type VisibleBy = 'everyone' | 'unowned' | 'owner' | 'lead' | 'team' | 'share'

/** @returns undefined if the record is not visible */
export function findVisibleBy(
  kind: RuledKind,
  { owner_user_id: owner, shares }: OwnedRecord,
  { visibility, userIds, teammateIds, ledIds, removedIds, shareKeys }: Viewer,
): VisibleBy | undefined {
  if (owner === null) return 'unowned'
  if (userIds.has(owner)) return 'owner'
  if (visibility[kind] === 'everyone') return 'everyone'
  if (ledIds.has(owner) || removedIds.has(owner)) return 'lead'
  if (visibility[kind] === 'team' && teammateIds.has(owner)) return 'team'
  return shares.some((share) => shareKeys.has(shareKey(share))) ? 'share' : undefined
}

export function isVisible(kind: RuledKind, record: OwnedRecord, viewer: Viewer): boolean {
  return findVisibleBy(kind, record, viewer) !== undefined
}

/** A member of the workspace, for the rule. */
export interface RuledMember {
  readonly id: string
  /** When the member joined. */
  readonly created_at: string
}

/** A team, for the rule. */
export interface RuledTeam {
  readonly id: string
  readonly members: readonly { readonly id: string; readonly lead: boolean }[]
  /** Who was on the team when removed from the workspace. */
  readonly removed_member_ids: readonly string[]
}

/** What bounds a member who is neither an owner nor an admin of the workspace; undefined for one who was removed. */
export function buildViewer(
  visibility: Visibility,
  member: RuledMember | undefined,
  teams: readonly RuledTeam[],
): Viewer {
  const own = member ? teams.filter(({ members }) => members.some(({ id }) => id === member.id)) : []
  const led = own.filter(({ members }) => members.some(({ id, lead }) => lead && id === member?.id))
  const memberKeys = member
    ? [shareKey({ member_id: member.id, since: member.created_at, access: 'read' })]
    : []
  return {
    visibility,
    userIds: new Set(member ? [member.id] : []),
    teammateIds: listMemberIds(own),
    ledIds: listMemberIds(led),
    removedIds: new Set(led.flatMap(({ removed_member_ids }) => removed_member_ids)),
    shareKeys: new Set([...memberKeys, ...own.map(({ id }) => id)]),
  }
}

function listMemberIds(teams: readonly RuledTeam[]): ReadonlySet<string> {
  return new Set(teams.flatMap(({ members }) => members.map(({ id }) => id)))
}

/**
 * What one of several members of a workspace sees; of none, what everybody does. Undefined if one of them sees
 * everything.
 */
export function mergeViewers(
  visibility: Visibility,
  viewers: readonly (Viewer | undefined)[],
): Viewer | undefined {
  const bounded = viewers.filter((viewer) => viewer !== undefined)
  if (bounded.length < viewers.length) return undefined
  const unite = (part: 'userIds' | 'teammateIds' | 'ledIds' | 'removedIds' | 'shareKeys') =>
    new Set(bounded.flatMap((viewer) => [...viewer[part]]))
  return {
    visibility,
    userIds: unite('userIds'),
    teammateIds: unite('teammateIds'),
    ledIds: unite('ledIds'),
    removedIds: unite('removedIds'),
    shareKeys: unite('shareKeys'),
  }
}

/** What a member may change of a record beside what the role allows. */
export type GrantedChange = 'lead' | 'write' | 'none'

/** `lead`: as a lead of a team of the owner. `write`: because the record is shared so. */
export function findGrantedChange(
  { owner_user_id: owner, shares }: OwnedRecord,
  viewer: Viewer,
): GrantedChange {
  if (owner === null) return 'none'
  if (viewer.ledIds.has(owner) || viewer.removedIds.has(owner)) return 'lead'
  const isWritable = shares.some((share) => share.access === 'write' && viewer.shareKeys.has(shareKey(share)))
  return isWritable ? 'write' : 'none'
}
