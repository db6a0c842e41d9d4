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

/** A kind of record, with its label in the error message. */
interface RecordKind {
  readonly collection: Collection
  readonly label: string
}

interface HasOwner {
  readonly owner_user_id?: string | null
}

/**
 * @param before undefined for a creation
 * @param fields the columns about to be written
 */
export function isAllowed(
  actor: Actor,
  operation: Operation,
  collection: Collection,
  before: object | undefined,
  fields: object,
): boolean {
  if (actor.role !== 'member') return true
  const access = MEMBER_PERMISSIONS[collection]?.[operation] ?? 'none'
  if (access === 'none') return false
  const owner = (before as HasOwner | undefined)?.owner_user_id ?? null
  if (access === 'own' && owner !== null && owner !== actor.userId) return false
  const newOwner = (fields as HasOwner).owner_user_id ?? null
  return newOwner === null || newOwner === actor.userId
}

/** @throws CrmError `forbidden` */
export function requirePermission(
  actor: Actor,
  operation: Operation,
  { collection, label }: RecordKind,
  before: object | undefined,
  fields: object = {},
): void {
  if (!isAllowed(actor, operation, collection, before, fields))
    throw forbidden(operation, label.toLowerCase())
}
