import type { Actor } from './actor.ts'
import { forbidden } from './errors.ts'
import {
  findGrantedChange,
  type GrantedChange,
  isBounded,
  type OwnedRecord,
  type Viewer,
} from './visibility.ts'

export type Operation = 'create' | 'update' | 'delete'

/** `own`: records that the member owns or that have no owner. */
type Access = 'any' | 'own' | 'none'

/** What a `member` may do with the records of a kind. An `owner` or `admin` may do everything. */
const MEMBER_ACCESS = {
  /** Records of the work. */
  records: { create: 'any', update: 'own', delete: 'own' },
  /** What everyone puts on records. */
  labels: { create: 'any', update: 'own', delete: 'none' },
  /** What owners and admins set up. */
  settings: { create: 'none', update: 'none', delete: 'none' },
} as const satisfies Readonly<Record<string, Readonly<Record<Operation, Access>>>>

export type MemberAccess = keyof typeof MEMBER_ACCESS

const OWNER_RULE = 'A member may set only itself or nobody as the owner.'
const LEAD_RULE = 'A lead of a team may set only a member of the team as the owner.'
const SHARE_RULE = 'Only whoever may change the record without the share may set its owner.'

/** A member who is about to write. */
export interface Writer extends Pick<Actor, 'role' | 'userId'> {
  /** What decides which records the member sees; undefined if nothing bounds them. */
  readonly viewer?: Viewer | undefined
}

/** A kind of record, with its label in the error message. */
interface RecordKind {
  readonly collection: string
  readonly memberAccess: MemberAccess
  readonly label: string
}

interface HasOwner {
  readonly owner_user_id?: string | null
}

/** True unless the role may not perform the operation on the record, whatever its fields. */
function isRecordAllowed(
  { role, userId }: Writer,
  operation: Operation,
  memberAccess: MemberAccess,
  before: object | undefined,
): boolean {
  if (role !== 'member') return true
  const access: Access = MEMBER_ACCESS[memberAccess][operation]
  if (access !== 'own') return access === 'any'
  const owner = ownerOf(before)
  return owner === null || owner === userId
}

function ownerOf(record: object | undefined): string | null {
  return (record as HasOwner | undefined)?.owner_user_id ?? null
}

/** Returns the rule that a member breaks with the owner it sets; undefined if there is none. */
function findOwnerError(
  { role, userId, viewer }: Writer,
  { collection }: RecordKind,
  before: object | undefined,
  fields: object,
  granted: GrantedChange,
): string | undefined {
  const owner = ownerOf(fields)
  if (role !== 'member' || !('owner_user_id' in fields)) return undefined
  const isSame = before !== undefined && owner === ownerOf(before)
  const isLed = (id: string | null) =>
    id !== null && viewer !== undefined && isBounded(collection, viewer) && viewer.ledIds.has(id)
  if (granted === 'write') return isSame ? undefined : SHARE_RULE
  if (granted === 'lead') return isSame || isLed(owner) ? undefined : LEAD_RULE
  const isWithinTeam = before !== undefined && isLed(ownerOf(before)) && isLed(owner)
  return owner === null || owner === userId || isWithinTeam ? undefined : OWNER_RULE
}

/** What teams and shares permit of an update that the role does not. */
function findGranted(
  { viewer }: Writer,
  operation: Operation,
  { collection }: RecordKind,
  before: object | undefined,
): GrantedChange {
  if (operation !== 'update' || !viewer || !isBounded(collection, viewer)) return 'none'
  return findGrantedChange(before as OwnedRecord, viewer)
}

/**
 * @param before undefined for a creation
 * @param fields the columns about to be written
 * @param ownerField the caller's name for the owner
 * @throws CrmError `forbidden`
 */
export function requirePermission(
  writer: Writer,
  operation: Operation,
  kind: RecordKind,
  before: object | undefined,
  fields: object = {},
  ownerField = 'owner_user_id',
): void {
  const entity = kind.label.toLowerCase()
  const isAllowed = isRecordAllowed(writer, operation, kind.memberAccess, before)
  const granted = isAllowed ? 'none' : findGranted(writer, operation, kind, before)
  if (!isAllowed && granted === 'none') throw forbidden(operation, entity)
  if (granted === 'write' && 'shares' in fields) throw forbidden(operation, entity)
  const ownerError = findOwnerError(writer, kind, before, fields, granted)
  if (ownerError !== undefined) throw forbidden(operation, entity, { [ownerField]: ownerError })
}
