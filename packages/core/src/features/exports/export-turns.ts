import { CrmError } from '../../kernel/errors.ts'

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
   * @throws CrmError `rate_limit_exceeded` while another export of the workspace runs or waits
   */
  async take(workspaceId: string): Promise<() => void> {
    if (this.#workspaces.has(workspaceId))
      throw new CrmError(
        'rate_limit_exceeded',
        'Another export of this workspace is being made. Try again when it has ended.',
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
