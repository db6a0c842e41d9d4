import type { Actor } from './actor.ts'
import { forbidden } from './errors.ts'

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

/** A kind of record, with its label in the error message. */
interface RecordKind {
  readonly memberAccess: MemberAccess
  readonly label: string
}

interface HasOwner {
  readonly owner_user_id?: string | null
}

/** True unless the role may not perform the operation on the record, whatever its fields. */
function isRecordAllowed(
  { role, userId }: Actor,
  operation: Operation,
  memberAccess: MemberAccess,
  before: object | undefined,
): boolean {
  if (role !== 'member') return true
  const access: Access = MEMBER_ACCESS[memberAccess][operation]
  if (access !== 'own') return access === 'any'
  const owner = (before as HasOwner | undefined)?.owner_user_id ?? null
  return owner === null || owner === userId
}

function isOwnerAllowed({ role, userId }: Actor, fields: object): boolean {
  const owner = (fields as HasOwner).owner_user_id ?? null
  return role !== 'member' || owner === null || owner === userId
}

/**
 * @param before undefined for a creation
 * @param fields the columns about to be written
 * @param ownerField the caller's name for the owner
 * @throws CrmError `forbidden`
 */
export function requirePermission(
  actor: Actor,
  operation: Operation,
  { memberAccess, label }: RecordKind,
  before: object | undefined,
  fields: object = {},
  ownerField = 'owner_user_id',
): void {
  const entity = label.toLowerCase()
  if (!isRecordAllowed(actor, operation, memberAccess, before)) throw forbidden(operation, entity)
  if (!isOwnerAllowed(actor, fields)) throw forbidden(operation, entity, { [ownerField]: OWNER_RULE })
}
