import type { Me } from '@sales-crm/client'
import type { CreatableKind } from '../records/kinds.ts'
import type { Texts } from '../texts/en.ts'
import { isAdmin } from './console-context.ts'

export interface OwnedRecord {
  readonly id: string
  /** Null for nobody, and for a member who has left. */
  readonly owner?: { readonly id: string; readonly name: string } | null
}

type Identity = Pick<Me, 'id' | 'role'>

/** True if the member may create records of a kind. */
export function canCreate(me: Identity, kind: CreatableKind): boolean {
  return isAdmin(me) || kind !== 'products'
}

/** True if the member may update and delete a record. */
export function canChange(me: Identity, kind: CreatableKind | 'activities', { owner }: OwnedRecord): boolean {
  if (isAdmin(me)) return true
  return kind !== 'products' && (!owner || owner.id === me.id)
}

/** True if the member may make another member the owner of a record. Everybody may make nobody the owner. */
export function canAssign(me: Identity, owner: { readonly id: string }): boolean {
  return isAdmin(me) || owner.id === me.id
}

/** Says why the member may not change all of the records. @returns undefined if the member may */
export function explainReadOnly(
  { me, texts }: { readonly me: Identity; readonly texts: Texts },
  kind: CreatableKind,
  records: readonly OwnedRecord[],
): string | undefined {
  const others = records.filter((record) => !canChange(me, kind, record))
  const [other] = others
  if (!other) return undefined
  if (kind === 'products') return texts.readOnly.products
  return records.length === 1 && other.owner
    ? texts.readOnly[kind](other.owner.name)
    : texts.readOnly.selected(others.length, records.length)
}
