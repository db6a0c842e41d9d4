import type { Engine } from '../../../engine/extension.ts'
import type { Input } from '../../../engine/patch.ts'
import { inWorkspace, type WorkspaceTransaction } from '../../../engine/workspace-transaction.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { CrmError, type ErrorCode } from '../../../kernel/errors.ts'
import type { RecordBase } from '../../../kernel/record.ts'
import type { Transaction } from '../../../ports/storage.ts'
import { CELL_RULES, type CellRule } from '../cell-rules.ts'
import type { ImportKind } from '../columns/import-kind.ts'
import type { ImportOptions } from '../import-record.ts'
import { type CellProblem, versionOf } from '../row-result.ts'
import { type RecordDraft, shorten } from '../rows/record-draft.ts'
import { blankFields, fieldOfPath } from './blank-fields.ts'
import type { Directory } from './directory.ts'
import type { KindWrites, WrittenKind } from './kind-writes.ts'
import type { LabelCache } from './label-cache.ts'
import type { MatchMemory } from './match-memory.ts'
import { mergeFields } from './merge-fields.ts'
import type { Finding, RecordFinder } from './record-finder.ts'
import { resolveNames } from './resolve-names.ts'
import { type RowOutcome, RowState } from './row-state.ts'

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

/** What the refusals of the API are to cells. */
const CODES: Readonly<Partial<Record<ErrorCode, CellRule['code']>>> = {
  conflict: 'taken',
  forbidden: 'forbidden',
}

/** Writes the records of rows in a transaction of the caller. */
export class RowWriter {
  readonly #options: RowWriterOptions
  /** A record that fails alone has a savepoint. */
  readonly #isolates: boolean

  constructor(options: RowWriterOptions, isolates: boolean) {
    this.#options = options
    this.#isolates = isolates
  }

  /** @throws CrmError of the first record that is refused, if records are not isolated */
  async write(drafts: readonly RecordDraft[], directory: Directory, tx: Transaction): Promise<RowOutcome> {
    const row = new RowState()
    const transaction = inWorkspace(tx, this.#options.actor, this.#options.engine)
    for (const draft of drafts) {
      const work = (each: RecordDraft) => this.#writeRecord(each, row, { directory, tx, transaction })
      if (!this.#isolates) await work(draft)
      else await this.#isolate(draft, row, (each) => tx.savepoint(() => work(each)))
    }
    return row
  }

  /** A record that is refused leaves nothing behind. */
  async #isolate(
    draft: RecordDraft,
    row: RowState,
    work: (draft: RecordDraft) => Promise<void>,
  ): Promise<void> {
    const { tags, lists } = this.#options
    const [before, ...labels] = [row.written.length, tags.snapshot(), lists.snapshot()] as const
    const blankCells = row.blankCells.length
    try {
      await work(draft)
    } catch (error) {
      if (!(error instanceof CrmError)) throw error
      row.written.length = before
      tags.restore(labels[0])
      lists.restore(labels[1])
      row.blankCells.length = blankCells
      const problems = this.#toProblems(draft, error)
      const paths = error.code === 'validation_error' ? Object.keys(error.fields ?? {}) : []
      const rest = blankFields(draft, paths, this.#options.isBlank)
      if (!rest) return row.leaveOut(draft, problems)
      row.blankCells.push(...problems)
      await this.#isolate(rest, row, work)
    }
  }

  async #writeRecord(draft: RecordDraft, row: RowState, context: WriteContext): Promise<void> {
    if (draft.problems.length > 0) return row.leaveOut(draft, draft.problems)
    const { mainKind } = this.#options
    if (ABOUT_OTHERS.has(mainKind) && draft.kind !== mainKind) return this.#findOnly(draft, row, context)
    if (row.missing && draft.kind === mainKind) return row.leaveOut(draft, [row.missing])
    const { fields, problems, blankCells } = resolveNames(draft, this.#options, context.directory)
    row.blankCells.push(...blankCells)
    if (problems.length > 0) return row.leaveOut(draft, problems)
    const input = { ...this.#buildInput(draft, row), ...fields }
    if (await this.#isAboutMissing(input, row, context)) return row.leaveOut(draft, [row.missing!])
    const names = this.#options.matchNames[draft.kind] ?? []
    const finding = await this.#options.finder.find(draft, names, context.transaction)
    if (finding.isTwin)
      return row.add({ kind: draft.kind, action: 'unchanged', input, id: undefined, isTwin: true })
    const labels = await this.#resolveLabels(draft, row, context)
    if (finding.record) await this.#update(draft, finding.record, { ...input, ...labels }, row, context)
    else await this.#create(draft, finding, { ...input, ...labels }, row, context)
  }

  async #findOnly(draft: RecordDraft, row: RowState, context: WriteContext): Promise<void> {
    const names = [...(this.#options.matchNames[draft.kind] ?? []), 'name']
    const { record } = await this.#options.finder.find(draft, names, context.transaction)
    if (record) return row.link(draft.kind, record.id)
    const field = draft.kind === 'deals' ? 'name' : 'full_name'
    const missing = {
      ...{ kind: this.#options.mainKind, column: this.#options.columnOf(draft.kind, field) },
      ...{ value: shorten(String(draft.fields[field] ?? '')), ...CELL_RULES.record },
    }
    if (this.#options.isBlank(draft.kind, field)) row.blankCells.push(missing)
    else row.missing = missing
  }

  #buildInput(draft: RecordDraft, row: RowState): Input {
    const {
      kind,
      fields: { id: _id, ...fields },
      customValues,
    } = draft
    const entries = Object.entries(customValues).map(([key, value]) => ({ key, value }))
    return {
      ...fields,
      ...row.linksOf(kind),
      ...(entries.length > 0 && { custom_fields: entries }),
    }
  }

  async #resolveLabels(draft: RecordDraft, row: RowState, { tx }: WriteContext): Promise<Input> {
    const { actor, options, tags, lists } = this.#options
    if (draft.kind !== 'people' && draft.kind !== 'companies' && draft.kind !== 'deals') return {}
    const tagNames = [...options.tags, ...(draft.names['tags'] ?? [])]
    const listNames = [...(options.list === null ? [] : [options.list]), ...(draft.names['lists'] ?? [])]
    const made = (kind: 'tags' | 'lists') => (id: string) =>
      row.written.push({ kind, id, action: 'created', version: null })
    return {
      ...(tagNames.length > 0 && { tags: await tags.resolve(tagNames, actor, tx, made('tags')) }),
      ...(listNames.length > 0 && { lists: await lists.resolve(listNames, actor, tx, made('lists')) }),
    }
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
    { tx, transaction }: WriteContext,
  ): Promise<void> {
    const { writes, actor, memory, finder, options } = this.#options
    const { kind } = draft
    const ownId = options.keep_history ? await finder.findFreeId(draft, transaction) : undefined
    const { id } = await writes[kind].create(actor, input, tx, ownId)
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

  #toProblems({ kind }: RecordDraft, error: CrmError): readonly CellProblem[] {
    const fields = Object.entries(error.fields ?? {})
    const code = CODES[error.code] ?? 'invalid_value'
    if (fields.length === 0) return [{ kind, column: '', value: '', code, message: error.message }]
    return fields.map(([path, message]) => ({
      ...{ kind, column: this.#options.columnOf(kind, fieldOfPath(path)) },
      ...{ value: '', code, message },
    }))
  }
}

interface WriteContext {
  readonly directory: Directory
  readonly tx: Transaction
  readonly transaction: WorkspaceTransaction
}

/** The columns that an update has changed, as they were. */
function findFormerColumns(before: RecordBase, after: RecordBase): Readonly<Record<string, unknown>> {
  const now = after as object as Readonly<Record<string, unknown>>
  const changed = Object.entries(before).filter(
    ([name, value]) =>
      name !== 'updated_at' && name !== 'search_terms' && JSON.stringify(value) !== JSON.stringify(now[name]),
  )
  return Object.fromEntries(changed)
}
