import { readDomain } from '../../contacts/read-domain.ts'
import type { ImportKind } from '../columns/import-kind.ts'
import { joinName } from '../values/person-name.ts'
import type { DraftBuilder, RecordDraft } from './record-draft.ts'

/** Fields that alone make no record: they describe one. */
const DESCRIBING_FIELDS = new Set(['currency', 'created_at', 'id'])

/** The record of a row once all its cells are read; none if they only describe one. */
export function finishDraft(kind: ImportKind, draft: DraftBuilder): readonly RecordDraft[] {
  if (kind === 'people') {
    const name = joinName(draft.nameParts)
    if (name !== '') draft.set('full_name', name)
  }
  const record = draft.build()
  return isRecord(record) ? [withFallbackName(record)] : []
}

/** A currency or an owner alone makes no record. */
function isRecord({ fields, customValues, problems }: RecordDraft): boolean {
  const own = Object.keys(fields).filter((name) => !DESCRIBING_FIELDS.has(name))
  return own.length + Object.keys(customValues).length + problems.length > 0
}

/** A person without a name is called by the address or number, a company by its domain. */
function withFallbackName(record: RecordDraft): RecordDraft {
  const { kind, fields } = record
  if ((kind !== 'people' && kind !== 'companies') || fields['full_name'] !== undefined) return record
  const [email] = (fields['emails'] ?? []) as readonly { readonly email: string }[]
  const [phone] = (fields['phones'] ?? []) as readonly { readonly phone: string }[]
  const host = readDomain(String(fields['website'] ?? ''))
  const name = kind === 'people' ? (email?.email ?? phone?.phone) : (host ?? email?.email ?? phone?.phone)
  return name === undefined ? record : { ...record, fields: { ...fields, full_name: name.slice(0, 70) } }
}
