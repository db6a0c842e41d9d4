import { BufferedTransaction } from '../../../engine/buffered-transaction.ts'
import type { Engine } from '../../../engine/extension.ts'
import type { Input } from '../../../engine/patch.ts'
import { retryWithNewCodes } from '../../../engine/prepared-writes.ts'
import { inWorkspace, type WorkspaceTransaction } from '../../../engine/workspace-transaction.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { CrmError } from '../../../kernel/errors.ts'
import type { RecordBase } from '../../../kernel/record.ts'
import type { Transaction } from '../../../ports/storage.ts'
import { CELL_RULES } from '../cell-rules.ts'
import type { ImportKind } from '../columns/import-kind.ts'
import type { ImportOptions } from '../import-record.ts'
import { versionOf } from '../row-result.ts'
import { type RecordDraft, shorten } from '../rows/record-draft.ts'
import { blankFields } from './blank-fields.ts'
import { buildInput } from './build-input.ts'
import type { Directory } from './directory.ts'
import type { MatchQuery } from './find-match.ts'
import { findFormerColumns } from './former-columns.ts'
import type { KindWrites, WrittenKind } from './kind-writes.ts'
import type { LabelCache } from './label-cache.ts'
import type { MatchMemory } from './match-memory.ts'
import { mergeFields } from './merge-fields.ts'
import type { Finding, RecordFinder } from './record-finder.ts'
import { resolveLabels } from './resolve-labels.ts'
import { resolveNames } from './resolve-names.ts'
import { type RowOutcome, RowState } from './row-state.ts'
import { toCellProblems } from './to-cell-problems.ts'

export interface RowWriterOptions {
  readonly engine: Engine
  readonly writes: Readonly<Record<WrittenKind, KindWrites>>
  readonly actor: Actor
  readonly options: ImportOptions
  readonly mainKind: ImportKind
  /** When the import began. */
  readonly startedAt: string
  /** By what each kind is found, in this order. */
  readonly matchNames: Readonly<Partial<Record<ImportKind, readonly string[]>>>
  /** The name of the column of a field, for problems. */
  columnOf(kind: ImportKind, field: string): string
  /** True if invalid cells of the columns of a field are left empty. */
  isBlank(kind: ImportKind, field: string): boolean
  readonly tags: LabelCache
  readonly lists: LabelCache
  readonly memory: MatchMemory
  readonly finder: RecordFinder
}

/** Kinds that are about others: the others are found, and never made. */
const ABOUT_OTHERS: ReadonlySet<ImportKind> = new Set(['tasks', 'activities'])

/** Writes the records of rows in a transaction of the caller. */
export class RowWriter {
  readonly #options: RowWriterOptions
  /** Each record has a savepoint, so that it fails alone. */
  readonly #isolates: boolean

  constructor(options: RowWriterOptions, isolates: boolean) {
    this.#options = options
    this.#isolates = isolates
  }

  /**
   * Writes rows, which have their outcomes in the same order.
   * @throws CrmError of a record that is refused after it has written something, if records are not isolated
   */
  async write(
    rows: readonly (readonly RecordDraft[])[],
    directory: Directory,
    inner: Transaction,
  ): Promise<readonly RowOutcome[]> {
    const { actor, engine, finder } = this.#options
    const buffered = new BufferedTransaction(inner, actor.workspaceId)
    const { tx } = buffered
    const transaction = inWorkspace(tx, actor, engine)
    const queries = new Map<RecordDraft, readonly MatchQuery[]>()
    for (const draft of rows.flat())
      if (draft.problems.length === 0)
        queries.set(draft, await finder.buildQueries(draft, this.#matchNamesOf(draft), transaction))
    await finder.prepare([...queries], buffered, transaction)
    const context: WriteContext = { directory, buffered, tx, transaction, queries }
    const outcomes: RowOutcome[] = []
    for (const drafts of rows) outcomes.push(await this.#writeRow(drafts, context))
    await buffered.flush()
    return outcomes
  }

  async #writeRow(drafts: readonly RecordDraft[], context: WriteContext): Promise<RowOutcome> {
    const row = new RowState()
    for (const draft of drafts) await this.#tryRecord(draft, row, context)
    return row
  }

  /** A record that is refused leaves nothing behind. Without isolation it may not have written anything. */
  async #tryRecord(draft: RecordDraft, row: RowState, context: WriteContext): Promise<void> {
    const { tags, lists } = this.#options
    const { buffered, tx, queries } = context
    const { writes } = buffered
    const [written, blankCells] = [row.written.length, row.blankCells.length]
    const labels = [tags.snapshot(), lists.snapshot()] as const
    const restore = () => {
      row.written.length = written
      row.blankCells.length = blankCells
      tags.restore(labels[0])
      lists.restore(labels[1])
    }
    const work = () => this.#writeRecord(draft, row, context)
    const isolate = () => {
      restore()
      return tx.savepoint(work)
    }
    try {
      await (this.#isolates ? retryWithNewCodes(draft.fields, isolate) : work())
    } catch (error) {
      if (!(error instanceof CrmError) || (!this.#isolates && buffered.writes > writes)) throw error
      restore()
      const problems = toCellProblems(draft.kind, error, this.#options)
      const paths = error.code === 'validation_error' ? Object.keys(error.fields ?? {}) : []
      const rest = blankFields(draft, paths, this.#options.isBlank)
      if (!rest) return row.leaveOut(draft, problems)
      row.blankCells.push(...problems)
      queries.set(rest, queries.get(draft) ?? [])
      await this.#tryRecord(rest, row, context)
    }
  }

  #matchNamesOf({ kind }: RecordDraft): readonly string[] {
    const names = this.#options.matchNames[kind] ?? []
    return this.#isOnlyFound(kind) ? [...names, 'name'] : names
  }

  #isOnlyFound(kind: ImportKind): boolean {
    const { mainKind } = this.#options
    return ABOUT_OTHERS.has(mainKind) && kind !== mainKind
  }

  async #writeRecord(draft: RecordDraft, row: RowState, context: WriteContext): Promise<void> {
    if (draft.problems.length > 0) return row.leaveOut(draft, draft.problems)
    const { mainKind } = this.#options
    if (this.#isOnlyFound(draft.kind)) return this.#findOnly(draft, row, context)
    if (row.missing && draft.kind === mainKind) return row.leaveOut(draft, [row.missing])
    const { fields, problems, blankCells } = resolveNames(draft, this.#options, context.directory)
    row.blankCells.push(...blankCells)
    if (problems.length > 0) return row.leaveOut(draft, problems)
    const input = { ...buildInput(draft, row), ...fields }
    if (await this.#isAboutMissing(input, row, context)) return row.leaveOut(draft, [row.missing!])
    const finding = await this.#find(draft, context)
    if (finding.isTwin)
      return row.add({ kind: draft.kind, action: 'unchanged', input, id: undefined, isTwin: true })
    const labels = await resolveLabels(draft, row, this.#options, context.tx)
    if (finding.record) await this.#update(draft, finding.record, { ...input, ...labels }, row, context)
    else await this.#create(draft, finding, { ...input, ...labels }, row, context)
  }

  async #findOnly(draft: RecordDraft, row: RowState, context: WriteContext): Promise<void> {
    const { record } = await this.#find(draft, context)
    if (record) return row.link(draft.kind, record.id)
    const field = draft.kind === 'deals' ? 'name' : 'full_name'
    const missing = {
      ...{ kind: this.#options.mainKind, column: this.#options.columnOf(draft.kind, field) },
      ...{ value: shorten(String(draft.fields[field] ?? '')), ...CELL_RULES.record },
    }
    if (this.#options.isBlank(draft.kind, field)) row.blankCells.push(missing)
    else row.missing = missing
  }

  #find(draft: RecordDraft, { queries, transaction }: WriteContext): Promise<Finding> {
    return this.#options.finder.find(draft, queries.get(draft) ?? [], transaction)
  }

  /** An exported activity names what it is about by its id. */
  async #isAboutMissing(
    { entity, entity_id }: Input,
    row: RowState,
    { transaction }: WriteContext,
  ): Promise<boolean> {
    if (typeof entity !== 'string' || typeof entity_id !== 'string') return false
    const writes = this.#options.writes[entity as WrittenKind] as KindWrites | undefined
    if (await writes?.store(transaction).get(entity_id)) return false
    row.missing = {
      ...{ kind: this.#options.mainKind, column: 'entity_id', value: entity_id },
      ...CELL_RULES.record,
    }
    return true
  }

  async #create(
    draft: RecordDraft,
    { queries }: Finding,
    input: Input,
    row: RowState,
    { buffered, tx, transaction }: WriteContext,
  ): Promise<void> {
    const { writes, actor, memory, finder, options } = this.#options
    const { kind } = draft
    const ownId = options.keep_history ? await finder.findFreeId(draft, transaction) : undefined
    const { id } = await writes[kind].create(actor, input, tx, ownId)
    if (this.#isolates) await buffered.flush()
    const record = await writes[kind].store(transaction).get(id)
    row.written.push({ kind, id, action: 'created', version: versionOf(record) })
    for (const { key } of queries) memory.remember(kind, key, id)
    row.add({ kind, action: 'created', input, id, isTwin: false })
  }

  async #update(
    draft: RecordDraft,
    before: RecordBase,
    input: Input,
    row: RowState,
    { directory, tx, transaction }: WriteContext,
  ): Promise<void> {
    const { kind, empty } = draft
    const { writes, actor, options } = this.#options
    const fieldId = (key: string) => directory.customFields.get(key)?.id
    const changes = mergeFields({ ...before }, { kind, input, empty, fieldId }, options)
    if (Object.keys(changes).length > 0) await writes[kind].update(actor, before.id, changes, tx)
    const after = await writes[kind].store(transaction).get(before.id)
    const isChanged = after !== undefined && versionOf(after) !== versionOf(before)
    if (isChanged)
      row.written.push({
        ...{ kind, id: before.id, action: 'updated', version: versionOf(after) },
        before: findFormerColumns(before, after),
        ...((versionOf(before) ?? '') >= this.#options.startedAt && { isRepeated: true }),
      })
    const action = isChanged ? 'updated' : 'unchanged'
    row.add({ kind, action, input: isChanged ? changes : {}, id: before.id, isTwin: false })
  }
}

interface WriteContext {
  readonly directory: Directory
  readonly buffered: BufferedTransaction
  /** That of `buffered`. */
  readonly tx: Transaction
  readonly transaction: WorkspaceTransaction
  /** By what the records of drafts are found. */
  readonly queries: Map<RecordDraft, readonly MatchQuery[]>
}
