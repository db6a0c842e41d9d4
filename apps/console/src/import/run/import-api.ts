import type { CrmClient } from '@sales-crm/client'
import { buildNoteHtml } from '../../records/composer/note-html.ts'
import type { ImportKind } from '../can-import.ts'
import type { ExistingRecord, RecordInput } from './record-input.ts'

/** What an import asks of the service. */
export interface ImportApi {
  get(id: string): Promise<ExistingRecord>
  /** @param key with which the record is created once */
  create(input: RecordInput & { readonly full_name: string }, key: string): Promise<{ readonly id: string }>
  update(id: string, changes: RecordInput): Promise<unknown>
  createCompany(name: string, key: string): Promise<{ readonly id: string }>
  hasNote(id: string, note: string): Promise<boolean>
  createNote(id: string, note: string): Promise<unknown>
}

/** The import stops, says that the connection is gone, and goes on when it is told to. */
const AT_ONCE = { maxOutageMs: 0 }

/** @param memberId author of the notes */
export function createImportApi(crm: CrmClient, kind: ImportKind, memberId: string): ImportApi {
  return {
    get: (id) => crm[kind].get(id),
    create: (input, idempotencyKey) => crm[kind].create(input, { idempotencyKey, ...AT_ONCE }),
    update: (id, changes) => crm[kind].update(id, changes, AT_ONCE),
    createCompany: (full_name, idempotencyKey) =>
      crm.companies.create({ full_name }, { idempotencyKey, ...AT_ONCE }),
    async hasNote(id, note) {
      const text = htmlText(buildNoteHtml(note))
      for await (const { content_html } of crm.activities.list({ entity: kind, id }))
        if (htmlText(content_html) === text) return true
      return false
    },
    createNote: (id, note) =>
      crm.activities.create(
        {
          entity: kind,
          entity_id: id,
          owner_user_id: memberId,
          content_html: buildNoteHtml(note),
        },
        AT_ONCE,
      ),
  }
}

function htmlText(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').body.textContent ?? ''
}
