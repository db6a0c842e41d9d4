import { backgroundActor } from '../../../engine/background-actor.ts'
import type { Engine } from '../../../engine/extension.ts'
import { loadRole } from '../../../engine/load-role.ts'
import { asService, type WorkspaceTransaction } from '../../../engine/workspace-transaction.ts'
import type { Actor } from '../../../kernel/actor.ts'
import type { Transaction } from '../../../ports/storage.ts'
import { importKey } from '../../../schema/import.ts'
import type { ImportRecord, Reversal } from '../import-record.ts'
import type { KeptRecord, RowResult, WrittenRecord } from '../row-result.ts'
import type { ImportContext, ImportLease, ImportSession } from '../run/import-session.ts'
import { buildKindWrites, type KindWrites, type WrittenKind } from '../run/kind-writes.ts'
import { isLabel, revertRecord } from './revert-record.ts'

/** Takes back what an import has written, the last chunk first, one in each transaction. */
export class RevertSession implements ImportSession {
  readonly importId: string
  readonly #engine: Engine
  readonly #lease: ImportLease
  readonly #writes: Readonly<Record<WrittenKind, KindWrites>>

  constructor(record: ImportRecord, lease: ImportLease, { engine, rules }: ImportContext) {
    this.importId = record.id
    this.#engine = engine
    this.#lease = lease
    this.#writes = buildKindWrites(engine, rules)
  }

  async step(): Promise<boolean> {
    let until: string | null = null
    const goesOn = await this.#engine.storage.transact(async (tx) => {
      const record = await this.#lease.lock(tx)
      const reversal = record?.progress.reversal
      if (record?.state !== 'reverting' || !reversal) return false
      const isEnd = reversal.chunks >= record.chunks
      const next = isEnd ? reversal : await this.#revertChunk(record, reversal, tx)
      const ended = isEnd ? ({ state: 'reverted', due_at: null } as const) : {}
      until = await this.#lease.save(
        { ...record, ...ended, progress: { ...record.progress, reversal: next } },
        tx,
      )
      return !isEnd
    })
    this.#lease.extend(until)
    return goesOn
  }

  close(): Promise<void> {
    return this.#lease.release()
  }

  async #revertChunk(record: ImportRecord, reversal: Reversal, tx: Transaction): Promise<Reversal> {
    const transaction = asService(tx, record.workspace_id)
    const actor = await loadActor(reversal.user_id, transaction)
    const key = importKey(record.id, record.chunks - 1 - reversal.chunks)
    const [chunk] = await transaction.stores.import_chunks.find([{ field: 'key', is: key }])
    const written = ((chunk?.results ?? []) as readonly RowResult[]).flatMap(({ records }) => records)
    const records = written.filter(({ kind }) => !isLabel(kind)).length
    let next: Reversal = { ...reversal, chunks: reversal.chunks + 1, done: reversal.done + records }
    for (const each of written.toReversed()) {
      const version = next.versions[each.id]
      const expected = version === undefined ? each : { ...each, version }
      const result = await revertRecord(expected, this.#writes, actor, tx, transaction)
      if ('reason' in result)
        await this.#keep({ ...each, number: next.kept, reason: result.reason }, record, transaction)
      next = addResult(next, each, result)
    }
    return next
  }

  async #keep(kept: KeptRecord, { id }: ImportRecord, { stores }: WorkspaceTransaction): Promise<void> {
    const at = this.#engine.now()
    await stores.import_chunks.insert({
      id: this.#engine.newId(),
      key: keptKey(id, kept.number),
      results: [kept],
      created_at: at,
      updated_at: at,
    })
  }
}

/** The key of a record that a reversal has left. */
export function keptKey(importId: string, number: number): string {
  return `${importId}/kept/${number}`
}

type RevertResult = Awaited<ReturnType<typeof revertRecord>>

function addResult(reversal: Reversal, written: WrittenRecord, result: RevertResult): Reversal {
  if ('reason' in result) return { ...reversal, kept: reversal.kept + 1 }
  if (result.done === 'deleted') return { ...reversal, deleted: reversal.deleted + 1 }
  if (result.done === 'nothing') return reversal
  const versions = written.isRepeated
    ? { ...reversal.versions, [written.id]: result.version }
    : reversal.versions
  return { ...reversal, restored: reversal.restored + 1, versions }
}

/** The member who takes the import back, with all scopes: the API has checked those of the token. */
export async function loadActor(userId: string, transaction: WorkspaceTransaction): Promise<Actor> {
  const role = (await loadRole({ userId }, transaction)) ?? 'member'
  const { workspaceId } = transaction
  return backgroundActor({ workspaceId, userId, role })
}
