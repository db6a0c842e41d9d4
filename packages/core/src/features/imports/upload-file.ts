import { validate } from '../../engine/validate.ts'
import { asService } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import { badRequest, CrmError, stateConflict } from '../../kernel/errors.ts'
import { addSeconds, DAY } from '../../kernel/instant.ts'
import type { Ports } from '../../ports/index.ts'
import { type FileFormat, importKey } from '../../schema/import.ts'
import { isAbandoned, NO_BACKGROUND } from './background-problem.ts'
import { PART_BYTES } from './file/read-file.ts'
import { DEFAULT_OPTIONS, NEW_PROGRESS } from './import-defaults.ts'
import { type ImportInput, uploadQuery } from './import-input.ts'
import { type ImportRecord, toImportRecord } from './import-record.ts'
import { IMPORT_SCOPES, loadImport } from './load-import.ts'

type UploadPorts = Pick<Ports, 'storage' | 'now' | 'newId' | 'tables'>

/** Days until an import can no longer be reverted. */
export const DEFAULT_IMPORT_DAYS = 30

/**
 * Begins an import, whose file is to follow.
 * @throws CrmError `conflict` where no process does background work
 */
export async function createImport(
  actor: Actor,
  { name, size, format, kind }: ImportInput,
  { storage, now, newId }: UploadPorts,
  days: number,
): Promise<ImportRecord> {
  const at = now()
  const record: ImportRecord = {
    id: newId(),
    workspace_id: actor.workspaceId,
    user_id: actor.userId,
    ...{ name, size, received: 0, parts: 0, chunks: 0, state: 'uploading' },
    options: { ...DEFAULT_OPTIONS, format: format ?? findFormat(name), kind: kind ?? null },
    ...{ columns: [], progress: NEW_PROGRESS, report: null, problem: null, due_at: null },
    expires_at: addSeconds(at, days * DAY),
    ...{ created_at: at, updated_at: at },
  }
  await storage.transact(async (tx) => {
    const { rows } = await tx.imports.list({
      ...{ page: 1, per_page: 20, order_by: 'due_at', order: 'asc' },
      where: [{ field: 'due_at', to: at }],
    })
    if (rows.some((row) => isAbandoned(toImportRecord(row), at)))
      throw new CrmError('conflict', NO_BACKGROUND.message)
    await tx.imports.insert(record)
  })
  return record
}

function findFormat(name: string): FileFormat {
  if (/\.(?:ndjson|jsonl|json)$/i.test(name)) return 'ndjson'
  return /\.tsv$/i.test(name) ? 'tsv' : 'csv'
}

/**
 * Appends a part of the file, which begins where the parts before it end. With the last one the file is read.
 * @throws CrmError `not_found`, `bad_request`, `conflict` with the offset that is next
 */
export async function uploadPart(
  actor: Actor,
  id: string,
  { bytes, ...query }: { readonly offset: number; readonly bytes: Uint8Array },
  { storage, now, newId, tables }: UploadPorts,
): Promise<ImportRecord> {
  requireScope(actor, IMPORT_SCOPES.write)
  const { offset } = validate(uploadQuery, query, 'parameter')
  if (bytes.length === 0) throw badRequest('The body must have at least one byte of the file.')
  return storage.transact(async (tx) => {
    const record = await loadImport(actor, id, tx, 'for update')
    const { received, size, parts } = record
    if (record.state !== 'uploading') throw stateConflict('offset', 'The file has arrived as a whole.')
    if (offset !== received) throw stateConflict('offset', `Must be ${received}, where the file goes on.`)
    if (received + bytes.length > size)
      throw stateConflict('size', `The file has ${size} bytes, and this part goes beyond them.`)
    const at = now()
    const contents = splitIntoParts(bytes)
    await asService(tx, actor.workspaceId).stores.import_parts.insertMany(
      contents.map((content, index) => ({
        id: newId(),
        key: importKey(record.id, parts + index),
        content: tables!.encode(content),
        ...{ created_at: at, updated_at: at },
      })),
    )
    const isWhole = received + bytes.length === size
    const next: ImportRecord = {
      ...record,
      received: received + bytes.length,
      parts: parts + contents.length,
      ...(isWhole && { state: 'reading', due_at: at }),
      updated_at: at,
    }
    await tx.imports.update(next)
    return next
  })
}

function splitIntoParts(bytes: Uint8Array): readonly Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / PART_BYTES) }, (_, index) =>
    bytes.subarray(index * PART_BYTES, (index + 1) * PART_BYTES),
  )
}
