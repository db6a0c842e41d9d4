import type { Actor } from './actor.ts'
import type { Collection } from './collections.ts'
import { forbidden } from './errors.ts'

export type Operation = 'create' | 'update' | 'delete'

/** `own`: records that the member owns or that have no owner. */
type Access = 'any' | 'own' | 'none'

const RECORDS = { create: 'any', update: 'own', delete: 'own' } as const
const SHARED = { create: 'any', update: 'own', delete: 'none' } as const
const SETTINGS = { create: 'none', update: 'none', delete: 'none' } as const

/** Access of a `member` to the records of each collection. An `owner` or `admin` has access to all. */
export const MEMBER_PERMISSIONS: {
  readonly [C in Collection]?: Readonly<Record<Operation, Access>>
} = {
  people: RECORDS,
  companies: RECORDS,
  deals: RECORDS,
  tasks: RECORDS,
  activities: RECORDS,
  tags: SHARED,
  lists: SHARED,
  products: SETTINGS,
  custom_fields: SETTINGS,
  pipelines: SETTINGS,
  task_types: SETTINGS,
}

const OWNER_RULE = 'A member may set only itself or nobody as the owner.'

/** A kind of record, with its label in the error message. */
interface RecordKind {
  readonly collection: Collection
  readonly label: string
}

interface HasOwner {
  readonly owner_user_id?: string | null
}

/** True unless the role may not perform the operation on the record, whatever its fields. */
function isRecordAllowed(
  { role, userId }: Actor,
  operation: Operation,
  collection: Collection,
  before: object | undefined,
): boolean {
  if (role !== 'member') return true
  const access = MEMBER_PERMISSIONS[collection]?.[operation] ?? 'none'
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
  { collection, label }: RecordKind,
  before: object | undefined,
  fields: object = {},
  ownerField = 'owner_user_id',
): void {
  const entity = label.toLowerCase()
  if (!isRecordAllowed(actor, operation, collection, before)) throw forbidden(operation, entity)
  if (!isOwnerAllowed(actor, fields)) throw forbidden(operation, entity, { [ownerField]: OWNER_RULE })
}
