import type { ReadOptions } from '@sales-crm/core/ports'

/** What a replica must have replayed. */
export interface Position {
  /** In the log of the leader. */
  readonly lsn: string
  /** The start of the leader: positions of different leaders do not compare. */
  readonly server: string
}

export type Caller = Pick<NonNullable<ReadOptions['caller']>, 'workspaceId' | 'clientId' | 'userId'>

const MAX_CALLERS = 100_000

/** The positions after the last writes of callers, as of their last calls. */
export class ReadPositions {
  readonly #positions = new Map<string, Position>()

  /** @param position undefined while the caller reads from the leader */
  set(caller: Caller, position: Position | undefined): void {
    const key = keyOf(caller)
    this.#positions.delete(key)
    if (position) this.#positions.set(key, position)
    if (this.#positions.size > MAX_CALLERS) this.#positions.delete(this.#positions.keys().next().value!)
  }

  /** Undefined for a caller that reads from the leader. */
  get(caller: Caller): Position | undefined {
    return this.#positions.get(keyOf(caller))
  }
}

function keyOf({ workspaceId, clientId, userId }: Caller): string {
  return `${workspaceId} ${clientId} ${userId}`
}
