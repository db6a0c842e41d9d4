import { RetryLaterError } from '../../kernel/limit-errors.ts'

const RETRY_AFTER_SECONDS = 10

/**
 * Exports run one after another, in the order of their calls: a store has few places for long reads, and reports need
 * them, too. Each workspace has one export at a time.
 */
export class ExportTurns {
  /** Workspaces with an export that runs or waits. */
  readonly #workspaces = new Set<string>()
  #last: Promise<void> = Promise.resolve()

  /**
   * Waits for the turn of an export.
   * @returns ends the turn
   * @throws RetryLaterError while another export of the workspace runs or waits
   */
  async take(workspaceId: string): Promise<() => void> {
    if (this.#workspaces.has(workspaceId))
      throw new RetryLaterError(
        RETRY_AFTER_SECONDS,
        'A workspace has more than one export at once.',
        'Another export of this workspace is being made.',
      )
    this.#workspaces.add(workspaceId)
    const previous = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await previous
    return () => {
      this.#workspaces.delete(workspaceId)
      resolve()
    }
  }
}
