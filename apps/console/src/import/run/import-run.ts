import type { ImportKind } from '../can-import.ts'
import type { Target } from '../columns/target.ts'
import type { Draft } from '../rows/draft.ts'
import type { RowReading } from '../rows/read-rows.ts'
import { asCompanyError, endsRun, isTemporary, retryDelay } from './failures.ts'
import { companyKey, draftKeys } from './identity.ts'
import type { ImportApi } from './import-api.ts'
import type { Pace } from './pace.ts'
import { isDone, type Outcome, type Progress, type SavedOutcome } from './progress.ts'
import { type Additions, buildChanges, buildNew, type RecordInput } from './record-input.ts'
import { explainRefusal, type RefusalWords } from './refusal.ts'

export type RunStatus = 'running' | 'paused' | 'stopped' | 'done'

export interface RunState {
  readonly status: RunStatus
  readonly progress: Progress
  /** The rows that are done, of all that are to be brought in. */
  readonly done: number
  readonly total: number
  /** Seconds until the end at the pace of the writes. */
  readonly secondsLeft: number
  /** Why it stopped by itself. */
  readonly error?: string
}

interface RecordIds {
  idOf(key: string): string | undefined
  add(key: string, id: string): void
  lookFor(keys: readonly string[]): Promise<void>
}

export interface RunOptions extends RefusalWords {
  /** Part of the keys with which records are created once. */
  readonly id: string
  readonly kind: ImportKind
  readonly rows: readonly RowReading[]
  readonly targets: readonly (Target | undefined)[]
  readonly updates: boolean
  readonly additions: Additions
  readonly progress: Progress
  readonly api: ImportApi
  readonly records: RecordIds
  readonly companies: RecordIds
  readonly pace: Pace
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly saveProgress: (progress: Progress) => void
}

/** Brings the rows of a file in, one after the other. It pauses while there is no connection. */
export class ImportRun {
  readonly #options: RunOptions
  readonly #listeners = new Set<() => void>()
  readonly #abort = new AbortController()
  readonly #rows: readonly RowReading[]
  readonly #outcomes: Map<number, Outcome>
  #newCompanies: number
  #state: RunState

  constructor(options: RunOptions) {
    this.#options = options
    this.#rows = options.rows.filter(({ errors }) => errors.length === 0)
    this.#outcomes = new Map(options.progress.outcomes)
    this.#newCompanies = options.progress.newCompanies
    this.#state = this.#describe('running')
  }

  readonly getState = (): RunState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Resolves when it is done or stopped. */
  async start(): Promise<void> {
    try {
      await this.#lookForRecords()
      for (const row of this.#pendingRows()) {
        this.#abort.signal.throwIfAborted()
        await this.#bringIn(row)
      }
      this.#setStatus('done')
    } catch (error) {
      this.#setStatus('stopped', this.#abort.signal.aborted ? undefined : this.#options.explain(error))
    }
  }

  /** Ends it after the call that is being sent. */
  stop(): void {
    this.#abort.abort()
  }

  async #lookForRecords(): Promise<void> {
    const { kind, updates, records, companies } = this.#options
    const pending = this.#pendingRows()
    if (updates)
      await this.#retry(() => records.lookFor(pending.flatMap(({ draft }) => draftKeys(kind, draft))))
    const names = pending.flatMap(({ draft }) => (draft.company ? [companyKey(draft.company)] : []))
    if (names.length > 0) await this.#retry(() => companies.lookFor(names))
  }

  async #bringIn({ row, draft }: RowReading): Promise<void> {
    let input: RecordInput = {}
    try {
      const saved = this.#findSaved(row.number)
      if (saved) return await this.#addNote(row.number, saved, draft)
      const companyId = await this.#findCompany(draft, row.number)
      const existing = this.#findExisting(draft)
      input = await this.#buildInput(draft, companyId, existing)
      const outcome = await this.#save(input, row.number, existing)
      for (const key of draftKeys(this.#options.kind, draft)) this.#options.records.add(key, outcome.id)
      await this.#addNote(row.number, outcome, draft)
    } catch (error) {
      if (this.#abort.signal.aborted || endsRun(error)) throw error
      const { targets } = this.#options
      this.#record(row.number, {
        status: 'refused',
        errors: explainRefusal(error, row, targets, input, this.#options),
      })
    }
  }

  #findSaved(row: number): SavedOutcome | undefined {
    const outcome = this.#outcomes.get(row)
    return outcome?.status === 'refused' ? undefined : outcome
  }

  #findExisting(draft: Draft): string | undefined {
    const { kind, updates, records } = this.#options
    if (!updates) return undefined
    return draftKeys(kind, draft)
      .map((key) => records.idOf(key))
      .find((id) => id !== undefined)
  }

  async #buildInput(
    draft: Draft,
    companyId: string | undefined,
    existing: string | undefined,
  ): Promise<RecordInput> {
    const { api, additions } = this.#options
    if (existing === undefined) return buildNew(draft, companyId, additions)
    return buildChanges(draft, companyId, additions, await this.#retry(() => api.get(existing)))
  }

  async #save(input: RecordInput, row: number, existing: string | undefined): Promise<SavedOutcome> {
    const { id, api } = this.#options
    if (existing !== undefined) {
      if (Object.keys(input).length > 0) await this.#write(() => api.update(existing, input))
      return { status: 'updated', id: existing, isNotePending: true }
    }
    const { full_name = '' } = input
    const created = await this.#write(() => api.create({ ...input, full_name }, `${id}.${row}`))
    return { status: 'created', id: created.id, isNotePending: true }
  }

  async #findCompany({ company }: Draft, row: number): Promise<string | undefined> {
    if (company === undefined) return undefined
    const { id, api, companies } = this.#options
    const found = companies.idOf(companyKey(company))
    if (found !== undefined) return found
    const created = await this.#write(() => api.createCompany(company, `${id}.${row}`)).catch((error) => {
      throw asCompanyError(error)
    })
    companies.add(companyKey(company), created.id)
    this.#newCompanies += 1
    return created.id
  }

  /** The service takes no idempotency key for a note, so that of an earlier attempt is looked for. */
  async #addNote(row: number, saved: SavedOutcome, { note }: Draft): Promise<void> {
    if (note !== undefined) {
      const { api } = this.#options
      this.#record(row, saved)
      if (!(await this.#retry(() => api.hasNote(saved.id, note))))
        await this.#write(() => api.createNote(saved.id, note))
    }
    this.#record(row, { ...saved, isNotePending: false })
  }

  async #write<Result>(call: () => Promise<Result>): Promise<Result> {
    return this.#retry(async () => {
      await this.#options.pace.take(this.#abort.signal)
      return call()
    })
  }

  /** Repeats a call until the service has decided about it. */
  async #retry<Result>(call: () => Promise<Result>): Promise<Result> {
    for (let failures = 1; ; failures++)
      try {
        const result = await call()
        if (this.#state.status === 'paused') this.#setStatus('running')
        return result
      } catch (error) {
        if (!isTemporary(error, failures)) throw error
        this.#setStatus('paused')
        await this.#options.wait(retryDelay(error), this.#abort.signal)
      }
  }

  #record(row: number, outcome: Outcome): void {
    this.#outcomes.set(row, outcome)
    this.#setStatus('running')
    this.#options.saveProgress(this.#state.progress)
  }

  #setStatus(status: RunStatus, error?: string): void {
    this.#state = this.#describe(status, error)
    for (const listener of this.#listeners) listener()
  }

  #pendingRows(): readonly RowReading[] {
    return this.#rows.filter(({ row }) => !isDone(this.#outcomes.get(row.number)))
  }

  #countWrites(pending: readonly RowReading[]): number {
    const notes = pending.filter(({ draft }) => draft.note !== undefined).length
    const names = pending.flatMap(({ draft }) => (draft.company ? [companyKey(draft.company)] : []))
    const newCompanies = [...new Set(names)].filter(
      (name) => this.#options.companies.idOf(name) === undefined,
    )
    return pending.length + notes + newCompanies.length
  }

  #describe(status: RunStatus, error?: string): RunState {
    const progress = { outcomes: new Map(this.#outcomes), newCompanies: this.#newCompanies }
    const pending = this.#pendingRows()
    return {
      status,
      progress,
      done: this.#rows.length - pending.length,
      total: this.#rows.length,
      secondsLeft: Math.round(this.#options.pace.estimateMs(this.#countWrites(pending)) / 1000),
      ...(error !== undefined && { error }),
    }
  }
}
