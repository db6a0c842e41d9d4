/** Remembers the ids of processed events. `Transaction` is what the handlers write with. */
export interface IdStore<Transaction> {
  /**
   * Runs `process` unless the id was processed before, and stores the id. Of concurrent calls with one id the
   * first runs and the others wait for it. If `process` rejects, the id stays unprocessed.
   * @returns false if the id was processed before
   * @throws what `process` rejects with, or an error of the database
   */
  runOnce(id: string, process: (transaction: Transaction) => Promise<void>): Promise<boolean>
}
