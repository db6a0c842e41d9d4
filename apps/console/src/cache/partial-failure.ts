/** A change of several records that failed for some of them. */
export class PartialFailure extends Error {
  override readonly name = 'PartialFailure'
  /** The error of each record that was not changed, by id. */
  readonly errors: ReadonlyMap<string, unknown>

  constructor(errors: ReadonlyMap<string, unknown>) {
    super(`${errors.size} records were not changed.`)
    this.errors = errors
  }
}
