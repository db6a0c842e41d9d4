import { type CancelSignal, type ReadOptions, RetryLaterError } from '@sales-crm/core/ports'

/** Reads of one workspace that wait: as many as it may call lists in some seconds. */
const MAX_WAITING = 100
const RETRY_AFTER_SECONDS = 5

interface Job<Slot> {
  readonly work: (slot: Slot) => Promise<unknown>
  readonly signal: CancelSignal | undefined
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/**
 * Gives long reads one of several slots, such as threads or connections. Workspaces take turns, and one of them
 * leaves the last slot to others.
 */
export class WorkspaceTurns<Slot> {
  readonly #idleSlots: Slot[]
  readonly #maxPerWorkspace: number
  /** The waiting reads by workspace; the first workspace is next. */
  readonly #waiting = new Map<string, Job<Slot>[]>()
  readonly #running = new Map<string, number>()
  #idle: PromiseWithResolvers<void> | undefined

  /** @param slots at least two */
  constructor(slots: readonly Slot[]) {
    this.#idleSlots = [...slots]
    this.#maxPerWorkspace = slots.length - 1
  }

  /**
   * Work whose signal is aborted by then is not begun.
   * @throws RetryLaterError if very many reads of the workspace wait
   */
  async run<T>(work: (slot: Slot) => Promise<T>, caller: ReadOptions['caller']): Promise<T> {
    const { workspaceId, signal } = caller ?? { workspaceId: '' }
    if ((this.#waiting.get(workspaceId)?.length ?? 0) >= MAX_WAITING)
      throw new RetryLaterError(RETRY_AFTER_SECONDS, 'A workspace has too many long reads at once.')
    return new Promise<T>((resolve, reject) => {
      const jobs = this.#waiting.get(workspaceId) ?? []
      jobs.push({ work, signal, resolve: resolve as Job<Slot>['resolve'], reject })
      this.#waiting.set(workspaceId, jobs)
      this.#startJobs()
    })
  }

  /** Resolves once nothing runs or waits. */
  async waitUntilIdle(): Promise<void> {
    if (this.#running.size === 0) return
    this.#idle ??= Promise.withResolvers()
    await this.#idle.promise
  }

  #startJobs(): void {
    while (this.#idleSlots.length > 0) {
      const workspaceId = this.#nextWorkspace()
      if (workspaceId === undefined) return
      void this.#runJob(this.#takeJob(workspaceId), workspaceId, this.#idleSlots.shift()!)
    }
  }

  #nextWorkspace(): string | undefined {
    for (const workspaceId of this.#waiting.keys())
      if ((this.#running.get(workspaceId) ?? 0) < this.#maxPerWorkspace) return workspaceId
    return undefined
  }

  /** The workspace comes last from then on. */
  #takeJob(workspaceId: string): Job<Slot> {
    const jobs = this.#waiting.get(workspaceId)!
    const job = jobs.shift()!
    this.#waiting.delete(workspaceId)
    if (jobs.length > 0) this.#waiting.set(workspaceId, jobs)
    return job
  }

  async #runJob(
    { work, signal, resolve, reject }: Job<Slot>,
    workspaceId: string,
    slot: Slot,
  ): Promise<void> {
    this.#running.set(workspaceId, (this.#running.get(workspaceId) ?? 0) + 1)
    try {
      signal?.throwIfAborted()
      resolve(await work(slot))
    } catch (error) {
      reject(error)
    } finally {
      this.#endJob(workspaceId, slot)
    }
  }

  #endJob(workspaceId: string, slot: Slot): void {
    const count = this.#running.get(workspaceId)! - 1
    if (count > 0) this.#running.set(workspaceId, count)
    else this.#running.delete(workspaceId)
    this.#idleSlots.push(slot)
    this.#startJobs()
    if (this.#running.size === 0) this.#idle?.resolve()
  }
}
