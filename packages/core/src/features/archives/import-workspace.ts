import { CrmError } from '../../kernel/errors.ts'
import type { ScannedRecord } from '../../kernel/record-queries.ts'
import type { RecordStore } from '../../kernel/record-store.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction, WorkspaceStores } from '../../ports/storage.ts'
import type { Workspace } from '../../schema/workspace.ts'
import { damagedArchive } from './archive-error.ts'
import { parseLine } from './archive-lines.ts'
import { collectionOf } from './archive-parts.ts'
import type { ArchiveEntry, ArchiveReader, ReportProgress } from './archive-ports.ts'
import { ArchivedAccounts } from './archived-accounts.ts'
import type { ArchivedUser, Row } from './archived-collections.ts'
import type { ArchiveSummary } from './export-workspace.ts'
import { assertEntries, MANIFEST_NAME, type Manifest, readManifest } from './manifest.ts'
import { readParts } from './read-parts.ts'

/** From where and how a workspace is imported. */
export interface ImportOptions {
  readonly reader: ArchiveReader
  /** The version of the tables. */
  readonly schema: number
  readonly onProgress?: ReportProgress | undefined
}

type RequiredPorts = Pick<Ports, 'storage' | 'newId'>

/**
 * Writes the workspace of an archive in one transaction: all of it, or nothing.
 * @throws CrmError `bad_request` for an archive that is damaged or of another schema, `conflict` for a workspace whose
 * id or slug is taken
 */
export async function importWorkspace(
  { storage, newId }: RequiredPorts,
  { reader, schema, onProgress }: ImportOptions,
): Promise<ArchiveSummary> {
  const manifest = await readManifest(reader, schema)
  const { workspace, records } = manifest
  await storage.transact(async (tx) => {
    // The second import of a workspace finds it.
    await tx.lock(`import of workspace ${workspace.id}`)
    await assertAbsent(tx, workspace)
    await new ArchiveInsertion(tx, manifest, newId).run(reader, onProgress)
  })
  return { workspace, records }
}

async function assertAbsent(tx: Transaction, { id, slug }: Manifest['workspace']): Promise<void> {
  const [sameId, sameSlug] = await Promise.all([
    tx.workspaces.get(id),
    tx.workspaces.find([{ field: 'slug', is: slug }]),
  ])
  const existing = sameId ?? sameSlug[0]
  if (!existing) return
  const reason = sameId ? 'This workspace is here already' : 'Another workspace has this slug'
  throw new CrmError('conflict', `${reason}: ${existing.slug}. Import the archive into another database.`)
}

/** The writes of one import, within its transaction. */
class ArchiveInsertion {
  readonly #tx: Transaction
  readonly #manifest: Manifest
  readonly #stores: WorkspaceStores
  readonly #accounts: ArchivedAccounts

  constructor(tx: Transaction, manifest: Manifest, newId: () => string) {
    const { id } = manifest.workspace
    this.#tx = tx
    this.#manifest = manifest
    this.#stores = tx.workspace(id)
    this.#accounts = new ArchivedAccounts(tx, id, newId)
  }

  async run(reader: ArchiveReader, onProgress: ReportProgress | undefined): Promise<void> {
    const inserted: Record<string, number> = {}
    const read: Manifest['entries'] = []
    for await (const entry of reader.entries()) {
      if (entry.name === MANIFEST_NAME) break
      const collection = collectionOf(entry.name)
      read.push({ name: entry.name, sha256: reader.sha256(entry.content) })
      const done = (inserted[collection] ?? 0) + (await this.#insertEntry(collection, entry))
      inserted[collection] = done
      onProgress?.(collection, done, this.#manifest.records[collection] ?? done)
    }
    // The file may have changed since it was checked.
    assertEntries(this.#manifest, read)
    await this.#accounts.save()
    await this.#compareStored(reader)
  }

  /** A savepoint settles with its writes: the next entry is not read before, so that memory stays flat. */
  async #insertEntry(collection: string, { content }: ArchiveEntry): Promise<number> {
    const lines = content.split('\n').slice(0, -1)
    const rows = lines.map((line) => parseLine(collection, line))
    await this.#tx.savepoint(() => this.#insertRows(collection, rows))
    return rows.length
  }

  async #insertRows(collection: string, rows: readonly ScannedRecord<Row>[]): Promise<void> {
    const records = rows.map(({ record }) => record)
    if (collection === 'workspaces') return this.#insertWorkspace(records as unknown as readonly Workspace[])
    if (collection === 'users') return this.#accounts.add(records as unknown as readonly ArchivedUser[])
    const store = this.#stores[collection as keyof WorkspaceStores] as unknown as RecordStore<Row>
    const stored = rows.map((row) => ({ ...row, record: this.#accounts.toStored(collection, row.record) }))
    // One after the other: two deleted records may have had the same unique value.
    for (const { record, deleted_at } of stored) {
      if (deleted_at === null) continue
      await store.insert(record)
      await store.softDelete(record.id, deleted_at)
    }
    await store.insertMany(stored.flatMap(({ record, deleted_at }) => (deleted_at === null ? [record] : [])))
  }

  async #insertWorkspace([workspace, ...others]: readonly Workspace[]): Promise<void> {
    const { id, slug } = this.#manifest.workspace
    if (!workspace || others.length > 0 || workspace.id !== id || workspace.slug !== slug)
      throw damagedArchive('has another workspace than its manifest')
    await this.#tx.workspaces.insert(workspace)
  }

  /** Reads the workspace as an export would, and compares it with the manifest. */
  async #compareStored(reader: ArchiveReader): Promise<void> {
    const stored: Manifest['entries'] = []
    const counts = Object.fromEntries(Object.keys(this.#manifest.records).map((name) => [name, 0]))
    const toArchived = this.#accounts.toArchived.bind(this.#accounts)
    for await (const part of readParts(this.#tx, this.#manifest.workspace.id, toArchived)) {
      stored.push({ name: part.name, sha256: reader.sha256(part.content) })
      counts[part.collection] = (counts[part.collection] ?? 0) + part.records
    }
    assertEntries(this.#manifest, stored)
    const wrong = Object.entries(counts).find(([name, count]) => count !== this.#manifest.records[name])
    if (wrong) throw damagedArchive(`has another number of ${wrong[0]} than its manifest`)
  }
}
