import type * as v from 'valibot'
import { validate } from '../../engine/validate.ts'
import { CrmError } from '../../kernel/errors.ts'
import { object } from '../../kernel/object-schemas.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { RecordStore } from '../../kernel/record-store.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { Workspace } from '../../schema/workspace.ts'
import { runOnce } from '../exports/run-once.ts'
import { findWorkspaceBySlug, slug } from '../workspaces/workspace.ts'
import type { ArchiveWriter, ReportProgress } from './archive-ports.ts'
import { ARCHIVED_COLLECTIONS, ARCHIVED_SHAPES } from './archived-collections.ts'
import { ARCHIVE_FORMAT, MANIFEST_NAME, type Manifest } from './manifest.ts'
import { readParts } from './read-parts.ts'

const exportInput = object({ workspace: slug })

/** Where and how a workspace is exported. */
export interface ExportOptions {
  readonly writer: ArchiveWriter
  /** The version of the tables. */
  readonly schema: number
  readonly onProgress?: ReportProgress | undefined
}

/** What an archive has, as `operator.exportWorkspace` and `operator.importWorkspace` return it. */
export type ArchiveSummary = Pick<Manifest, 'workspace' | 'records'>

/**
 * Writes a workspace to an archive, as it is at one moment.
 * @throws CrmError `validation_error`, `not_found`, `conflict` while deliveries or background work are pending,
 * `rate_limit_exceeded` if the database has ended the snapshot
 */
export async function exportWorkspace(
  { storage }: Pick<Ports, 'storage'>,
  input: v.InferInput<typeof exportInput>,
  options: ExportOptions,
): Promise<ArchiveSummary> {
  const fields = validate(exportInput, input)
  return storage.read(
    runOnce(async (tx: Transaction) =>
      writeArchive(tx, await findWorkspaceBySlug(tx, fields.workspace), options),
    ),
    { workload: 'report' },
  )
}

/** @throws CrmError `conflict` while deliveries or background work are pending, which an archive does not have */
export async function assertNothingPending(tx: Transaction, workspaceId: string): Promise<void> {
  const deliveries = await countRecords(tx.workspace(workspaceId).deliveries, {
    field: 'status',
    is: 'pending',
  })
  if (deliveries > 0)
    throw pendingError(
      `Deliveries to webhooks are pending (${deliveries}). Let the service run until they are sent, or delete their webhooks, and export again.`,
    )
  const runs = await tx.runs.find([{ field: 'workspace_id', is: workspaceId }])
  if (runs.some(({ due_at }) => due_at !== null))
    throw pendingError(
      'Records are being changed in the background, for a removed member or another time zone. Let the service run until they are done, and export again.',
    )
}

function pendingError(message: string): CrmError {
  return new CrmError('conflict', message)
}

/** Writes the workspace in a read. @throws CrmError `conflict` while deliveries or background work are pending */
export async function writeArchive(
  tx: Transaction,
  { id, slug, name }: Workspace,
  { writer, schema, onProgress }: ExportOptions,
): Promise<ArchiveSummary> {
  await assertNothingPending(tx, id)
  const totals = await countAll(tx, id)
  const records = Object.fromEntries([...ARCHIVED_SHAPES.keys()].map((collection) => [collection, 0]))
  const entries: Manifest['entries'] = []
  for await (const { collection, content, ...part } of readParts(tx, id)) {
    await writer.write({ name: part.name, content })
    entries.push({ name: part.name, sha256: writer.sha256(content) })
    const done = records[collection]! + part.records
    records[collection] = done
    onProgress?.(collection, done, Math.max(done, totals.get(collection) ?? 0))
  }
  const workspace = { id, slug, name }
  const manifest: Manifest = { format: ARCHIVE_FORMAT, schema, workspace, records, entries }
  await writer.write({ name: MANIFEST_NAME, content: `${JSON.stringify(manifest)}\n` })
  return { workspace, records }
}

/** The numbers of live records, for the progress. */
async function countAll(tx: Transaction, workspaceId: string): Promise<ReadonlyMap<string, number>> {
  const stores = tx.workspace(workspaceId) as unknown as Readonly<Record<string, RecordStore<RecordBase>>>
  const totals = new Map<string, number>()
  for (const collection of ARCHIVED_COLLECTIONS)
    totals.set(collection, await countRecords(stores[collection]!))
  return totals
}

async function countRecords<R extends RecordBase>(
  store: RecordStore<R>,
  ...where: Parameters<RecordStore<R>['list']>[0]['where']
): Promise<number> {
  const page = { page: 1, per_page: 1, order_by: 'created_at', order: 'asc' } as const
  return (await store.list({ ...page, where })).total
}
