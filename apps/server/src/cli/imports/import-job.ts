import { setTimeout as wait } from 'node:timers/promises'
import { type Actor, CrmError, type ImportApi, type ImportChanges, type ImportDetail } from '@sales-crm/core'
import { MAX_PART_BYTES } from '@sales-crm/core/declarations'
import type { InputFile } from '../files/input-file.ts'
import { describeProblem, describeProgress } from './import-texts.ts'

/** States that end without a person. */
const WORKING = new Set<ImportDetail['state']>(['reading', 'checking', 'waiting', 'running'])
/** While a service on the same database does the work, or another import of the workspace runs. */
const POLL_MS = 200
/** Between two transactions, so that a service has its turn. */
const PAUSE_MS = 2
/** Failed steps in a row, such as those of a database that is away. */
const MAX_FAILURES = 5
const RETRY_MS = 1000

export interface ImportJobOptions {
  readonly imports: ImportApi
  readonly actor: Actor
  /** Ends the work after the step that runs. */
  readonly signal: AbortSignal
  readonly onProgress: (line: string) => void
}

/** Imports a file in this process. A service may run on the same database, and take some of the steps. */
export class ImportJob {
  readonly #imports: ImportApi
  readonly #actor: Actor
  readonly #signal: AbortSignal
  readonly #onProgress: (line: string) => void
  #failures = 0

  constructor({ imports, actor, signal, onProgress }: ImportJobOptions) {
    this.#imports = imports
    this.#actor = actor
    this.#signal = signal
    this.#onProgress = onProgress
  }

  /** Stores a file, and reads its columns. @throws Error of one line for a file that cannot be read */
  async store(file: InputFile, kind: string | undefined): Promise<ImportDetail> {
    const { name, size } = file
    const { id } = await this.#imports.create(this.#actor, { name, size, kind } as never)
    return this.orDelete(id, async () => {
      for (let offset = 0; offset < size; offset += MAX_PART_BYTES) {
        this.#signal.throwIfAborted()
        this.#onProgress(`Storing ${name}: ${Math.floor((offset / size) * 100)} %`)
        const bytes = await file.read(offset, MAX_PART_BYTES)
        await this.#imports.upload(this.#actor, id, { offset, bytes })
      }
      const stored = await this.#workOff(id)
      if (stored.state === 'ready') return stored
      throw new Error(`${name} cannot be read. ${describeProblem(stored.problem)}`)
    })
  }

  update(id: string, changes: ImportChanges): Promise<ImportDetail> {
    return this.#imports.update(this.#actor, id, changes)
  }

  /** Checks all rows, and writes nothing. */
  async check(id: string): Promise<ImportDetail> {
    await this.#imports.check(this.#actor, id)
    return this.#workOff(id)
  }

  async start(id: string, { confirmsDeliveries }: { readonly confirmsDeliveries: boolean }): Promise<void> {
    this.#signal.throwIfAborted()
    await this.#imports.run(this.#actor, id, { confirm_deliveries: confirmsDeliveries })
  }

  /** Goes on with a run that was paused, or whose process was killed. */
  async resume(id: string): Promise<void> {
    const { state } = await this.#imports.get(this.#actor, id)
    if (state === 'paused') await this.#imports.resume(this.#actor, id)
    else if (!WORKING.has(state)) throw new Error(`The import is ${state}: there is nothing to go on with.`)
  }

  /** Writes the rows. Returns the import as it ended, or was paused. */
  async finish(id: string): Promise<ImportDetail> {
    try {
      return await this.#workOff(id)
    } catch (error) {
      if (!this.#signal.aborted) throw error
      return this.#pause(id)
    }
  }

  failedRows(id: string): Promise<AsyncIterable<string>> {
    return this.#imports.failedRows(this.#actor, id)
  }

  /** Does what writes no records. The import is deleted if that fails. */
  async orDelete<T>(id: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      // The first error says more.
      await this.delete(id).catch(() => {})
      throw this.#signal.aborted ? new Error('Interrupted. Nothing was written.') : error
    }
  }

  async delete(id: string): Promise<void> {
    await this.#imports.release()
    await this.#imports.remove(this.#actor, id)
  }

  /** An import that has ended meanwhile stays as it is. */
  async #pause(id: string): Promise<ImportDetail> {
    await this.#imports.release()
    try {
      return await this.#imports.pause(this.#actor, id)
    } catch (error) {
      if (error instanceof CrmError && error.code === 'conflict') return this.#imports.get(this.#actor, id)
      throw error
    }
  }

  /** Works until the import has ended, or waits for a person. @throws the reason of the signal */
  async #workOff(id: string): Promise<ImportDetail> {
    for (;;) {
      this.#signal.throwIfAborted()
      const current = await this.#imports.get(this.#actor, id)
      if (!WORKING.has(current.state)) return current
      this.#onProgress(describeProgress(current))
      if (!(await this.#step())) await wait(POLL_MS)
    }
  }

  /** Returns false if nothing is due. */
  async #step(): Promise<boolean> {
    try {
      const hasWorked = await this.#imports.continue(async () => {
        await wait(PAUSE_MS)
        return !this.#signal.aborted
      })
      this.#failures = 0
      return hasWorked
    } catch (error) {
      this.#failures += 1
      if (this.#failures === MAX_FAILURES) throw error
      await wait(RETRY_MS)
      return true
    }
  }
}
