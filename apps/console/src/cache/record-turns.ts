/** Makes a call when the turn of its record has come, and ends the turn. */
export type CallInTurn = <Result>(id: string, call: () => Promise<Result>) => Promise<Result>

export interface ChangeTurns {
  readonly call: CallInTurn
  /** Ends the turns that are left. */
  readonly end: () => void
}

/** Sends the changes of a record one after the other. Those of different records do not wait for each other. */
export class RecordTurns {
  /** Settles when the last turn of a record ends. */
  readonly #last = new Map<string, Promise<void>>()

  /** Takes the next turn of each record at once, so that the order of changes is the one in which they are made. */
  take(ids: readonly string[]): ChangeTurns {
    const turns = new Map(ids.map((id) => [id, this.#takeOne(id)]))
    return {
      async call(id, call) {
        const turn = turns.get(id)
        await turn?.begin
        try {
          return await call()
        } finally {
          turn?.end()
        }
      },
      end() {
        for (const turn of turns.values()) turn.end()
      },
    }
  }

  #takeOne(id: string): { readonly begin: Promise<void> | undefined; readonly end: () => void } {
    const begin = this.#last.get(id)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last.set(id, promise)
    return {
      begin,
      end: () =>
        void Promise.resolve(begin).then(() => {
          resolve()
          if (this.#last.get(id) === promise) this.#last.delete(id)
        }),
    }
  }
}
