import type { Me, Share } from '@sales-crm/client'
import { findGrantedChange, type GrantedChange, isBounded, type Viewer } from '@sales-crm/core/browser'
import type { CreatableKind } from '../records/kinds.ts'
import type { Texts } from '../texts/en.ts'
import { isAdmin } from './console-context.ts'

export interface OwnedRecord {
  readonly id: string
  /** Null for nobody, and for a member who has left. */
  readonly owner?: { readonly id: string; readonly name: string } | null
  /** In lists only if it is included. */
  readonly shared_with?: readonly Share[]
}

type Identity = Pick<Me, 'id' | 'role'> & {
  /** What bounds the records that the member sees; undefined if nothing does. */
  readonly viewer?: Viewer | undefined
}

type ChangedKind = CreatableKind | 'activities'

/** `all`: changing and deleting. `lead`, `write`: changing, as a lead of the owner's team or by a share. */
type Right = 'all' | GrantedChange

function findRight(me: Identity, kind: ChangedKind, { owner, shared_with = [] }: OwnedRecord): Right {
  if (isAdmin(me)) return 'all'
  if (kind === 'products') return 'none'
  if (!owner || owner.id === me.id) return 'all'
  if (!me.viewer || !isBounded(kind, me.viewer)) return 'none'
  // Shares that are shown hold now.
  const shares = shared_with.map((share) => ({ ...share, since: MEMBER_SINCE }))
  return findGrantedChange({ owner_user_id: owner.id, shares }, me.viewer)
}

/** Stands for the time since which the member has belonged to the workspace, which pages do not know. */
export const MEMBER_SINCE = ''

/** What a list includes besides `names`, so that its rows show what the member may change. */
export function includeInRows(
  { viewer }: Identity,
  kind: CreatableKind,
  ...names: readonly string[]
): { readonly include?: string } {
  const all = viewer && isBounded(kind, viewer) ? [...names, 'shared_with'] : names
  return all.length > 0 ? { include: all.join() } : {}
}

/** True if the member may create records of a kind. */
export function canCreate(me: Identity, kind: CreatableKind): boolean {
  return isAdmin(me) || kind !== 'products'
}

/** True if the member may update a record. */
export function canChange(me: Identity, kind: ChangedKind, record: OwnedRecord): boolean {
  return findRight(me, kind, record) !== 'none'
}

/** True if the member may delete a record. */
export function canDelete(me: Identity, kind: ChangedKind, record: OwnedRecord): boolean {
  return findRight(me, kind, record) === 'all'
}

/** True if the member may share a record and give it to another one: not by a share alone. */
export function canShare(me: Identity, kind: CreatableKind, record: OwnedRecord): boolean {
  return ['all', 'lead'].includes(findRight(me, kind, record))
}

/**
 * True if the member may make another one the owner of records, or nobody.
 * @param records none for one that is created
 */
export function canAssign(
  me: Identity,
  owner: { readonly id: string } | null,
  kind: CreatableKind,
  records: readonly OwnedRecord[] = [],
): boolean {
  if (isAdmin(me)) return true
  const { viewer } = me
  const isLed = (each: { readonly id: string } | null | undefined) =>
    Boolean(each && viewer && isBounded(kind, viewer) && viewer.ledIds.has(each.id))
  const isFree = owner === null || owner.id === me.id
  if (records.length === 0) return isFree
  return records.every((record) => {
    const right = findRight(me, kind, record)
    if (right === 'all') return isFree || (isLed(owner) && isLed(record.owner))
    return right === 'lead' && isLed(owner)
  })
}

interface Reader {
  readonly me: Identity
  readonly texts: Texts
}

/** Says why the member may not change all of the records. @returns undefined if the member may */
export function explainReadOnly(
  { me, texts }: Reader,
  kind: CreatableKind,
  records: readonly OwnedRecord[],
): string | undefined {
  const others = records.filter((record) => !canChange(me, kind, record))
  const [other] = others
  if (!other) return undefined
  if (kind === 'products') return texts.readOnly.products
  if (records.length === 1 && other.owner && me.viewer && isBounded(kind, me.viewer))
    return texts.readOnly.bounded(other.owner.name)
  return records.length === 1 && other.owner
    ? texts.readOnly[kind](other.owner.name)
    : texts.readOnly.selected(others.length, records.length)
}

/** Says why the member may not give all of the records to another one. @returns undefined if the member may */
export function explainUnassignable(
  reader: Reader,
  kind: CreatableKind,
  records: readonly OwnedRecord[],
): string | undefined {
  return explainRefused(reader, kind, records, canShare, reader.texts.readOnly.unassignable)
}

/** Says why the member may not delete all of the records. @returns undefined if the member may */
export function explainUndeletable(
  reader: Reader,
  kind: CreatableKind,
  records: readonly OwnedRecord[],
): string | undefined {
  return explainRefused(reader, kind, records, canDelete, reader.texts.readOnly.undeletable)
}

/** Says why not all of the records may be changed; if they may, why not all are allowed what needs more than that. */
function explainRefused(
  reader: Reader,
  kind: CreatableKind,
  records: readonly OwnedRecord[],
  isAllowed: (me: Identity, kind: CreatableKind, record: OwnedRecord) => boolean,
  explain: (others: number, selected: number) => string,
): string | undefined {
  const readOnly = explainReadOnly(reader, kind, records)
  if (readOnly !== undefined) return readOnly
  const others = records.filter((record) => !isAllowed(reader.me, kind, record))
  return others.length > 0 ? explain(others.length, records.length) : undefined
}
