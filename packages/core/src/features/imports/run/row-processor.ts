import type { Engine } from '../../../engine/extension.ts'
import type { Rules } from '../../../engine/rules.ts'
import type { WorkspaceTransaction } from '../../../engine/workspace-transaction.ts'
import type { Actor } from '../../../kernel/actor.ts'
import type { Transaction } from '../../../ports/storage.ts'
import type { TableRow } from '../../../ports/tables.ts'
import type { ImportKind } from '../columns/import-kind.ts'
import { type ImportColumn, type ImportRecord, isOwnFile } from '../import-record.ts'
import type { RecordDraft } from '../rows/record-draft.ts'
import { RowReader, type RowReading } from '../rows/row-reader.ts'
import { Directory } from './directory.ts'
import { listDefaultMatches } from './find-match.ts'
import { findMainKind, listKinds, targetFields } from './import-kinds.ts'
import { buildKindWrites, type KindWrites, type WrittenKind } from './kind-writes.ts'
import { LabelCache } from './label-cache.ts'
import { MatchMemory } from './match-memory.ts'
import { RecordFinder } from './record-finder.ts'
import type { RowOutcome } from './row-state.ts'
import { RowWriter } from './row-writer.ts'

export interface RowDrafts extends RowReading {
  readonly row: TableRow
}

/** Turns the rows of one import into records. What a rolled back transaction has made is forgotten. */
export class RowProcessor {
  readonly #engine: Engine
  readonly #record: ImportRecord
  readonly #writes: Readonly<Record<WrittenKind, KindWrites>>
  readonly #tags: LabelCache
  readonly #lists: LabelCache
  readonly #memory: MatchMemory
  readonly #isCheck: boolean
  readonly #writer: RowWriter
  readonly #isolatingWriter: RowWriter
  #directory: Directory | undefined
  #reader: RowReader | undefined

  constructor(engine: Engine, rules: Rules, record: ImportRecord, actor: Actor, isCheck: boolean) {
    const { options } = record
    this.#record = record
    this.#engine = engine
    this.#isCheck = isCheck
    const isInvited = (userId: string) => this.#directory?.isInvited(userId) ?? false
    this.#writes = buildKindWrites(toWritingEngine(engine, record, isCheck), rules, isInvited)
    this.#tags = new LabelCache(this.#writes.tags)
    this.#lists = new LabelCache(this.#writes.lists)
    this.#memory = new MatchMemory(isCheck)
    const columns = groupColumns(record)
    const findColumns = (kind: ImportKind, field: string) =>
      columns.get(`${kind} ${FIELD_COLUMNS[field] ?? field}`) ?? []
    const writerOptions = {
      ...{ engine, writes: this.#writes, actor, options },
      ...{ tags: this.#tags, lists: this.#lists, memory: this.#memory },
      finder: new RecordFinder(this.#writes, this.#memory, engine.parsePhone),
      startedAt: record.progress.started_at ?? '',
      mainKind: findMainKind(record),
      matchNames: findMatchNames(record),
      columnOf: (kind: ImportKind, field: string) => findColumns(kind, field).at(-1)?.name ?? field,
      isBlank(kind: ImportKind, field: string) {
        const found = findColumns(kind, field)
        return found.length > 0 && found.every(({ if_invalid }) => if_invalid === 'blank')
      },
    }
    this.#writer = new RowWriter(writerOptions, false)
    this.#isolatingWriter = new RowWriter(writerOptions, true)
  }

  /** Reads the settings that rows name. Call it again now and then, since others change them. */
  async load(transaction: WorkspaceTransaction): Promise<void> {
    const directory = await Directory.load(transaction, this.#engine.now())
    this.#directory = directory
    await this.#tags.load(transaction)
    await this.#lists.load(transaction)
    const { time_zone, currency } = directory.workspace
    this.#reader = new RowReader(this.#record.columns, {
      ...{ timeZone: time_zone, currency, customFields: directory.customFields },
      keepsHistory: this.#record.options.keep_history,
      ownFile: isOwnFile(this.#record)
        ? { format: this.#record.options.format, kind: findMainKind(this.#record) }
        : null,
    })
  }

  /** Reads rows, and cleans their texts: others would wait for that in a transaction. */
  async read(rows: readonly TableRow[]): Promise<readonly RowDrafts[]> {
    const readings = rows.map((row) => ({ row, ...this.#reader!.read(row.cells) }))
    return Promise.all(
      readings.map(async ({ drafts, ...reading }) => ({
        ...reading,
        drafts: await Promise.all(drafts.map((draft) => this.#clean(draft))),
      })),
    )
  }

  /**
   * Writes rows in a transaction. `CrmError`s are thrown unless records are isolated, which costs savepoints.
   * @throws CrmError
   */
  async write(
    rows: readonly RowDrafts[],
    tx: Transaction,
    isolates: boolean,
  ): Promise<readonly RowOutcome[]> {
    const writer = isolates ? this.#isolatingWriter : this.#writer
    const drafts = rows.map((row) => row.drafts)
    return writer.write(drafts, this.#directory!, tx)
  }

  /** The transaction has committed, or of a check was rolled back: the tags and lists that it made are gone. */
  commit(): void {
    this.#memory.commit()
    for (const cache of [this.#tags, this.#lists])
      if (this.#isCheck) cache.restore()
      else cache.commit()
  }

  rollback(): void {
    for (const cache of [this.#tags, this.#lists]) cache.restore()
    this.#memory.rollback()
  }

  async #clean(draft: RecordDraft): Promise<RecordDraft> {
    const { content_html } = draft.fields
    if (typeof content_html !== 'string') return draft
    return {
      ...draft,
      fields: { ...draft.fields, content_html: await this.#engine.sanitizeHtml(content_html) },
    }
  }
}

/** Inputs whose column has another name. */
const FIELD_COLUMNS: Readonly<Record<string, string>> = {
  ...{
    external_ids: 'external_id',
    owner_user_id: 'owner_email',
    stage_id: 'stage',
    pipeline_id: 'pipeline',
  },
}

/** The columns of each field. */
function groupColumns({ columns }: ImportRecord): ReadonlyMap<string, readonly ImportColumn[]> {
  const targeted = columns.filter(({ target }) => target !== null)
  return Map.groupBy(targeted, ({ target }) => `${target!.kind} ${target!.field.split(':')[0]}`)
}

function findMatchNames(record: ImportRecord): Readonly<Partial<Record<ImportKind, readonly string[]>>> {
  const { match } = record.options
  return Object.fromEntries(
    listKinds(record).map((kind) => {
      const chosen = match[kind]
      if (chosen !== undefined) return [kind, chosen === null ? [] : [chosen]]
      const names = listDefaultMatches(kind, targetFields(record, kind))
      // The records of an export are told apart by their ids, whatever they share.
      const hasIds = isOwnFile(record) && record.options.keep_history
      return [kind, hasIds ? names.filter((name) => name === 'external_id') : names]
    }),
  )
}

/** Texts are clean when they are written. A check sends nothing, and a run may send one event for all. */
function toWritingEngine(engine: Engine, { options }: ImportRecord, isCheck: boolean): Engine {
  const isSilent = isCheck || options.events === 'summary'
  return {
    ...engine,
    sanitizeHtml: async (html) => html,
    ...(isSilent && { prepareEvents: async () => async () => {} }),
  }
}
