import type Database from 'better-sqlite3'

type Versions = ReadonlyMap<string, string>

/** Scopes that are remembered at most. */
const MAX_SCOPES = 10_000

/** Settings versions that a connection without writes has read, while no other one has committed. */
export class SnapshotVersions {
  readonly #dataVersion: Database.Statement
  readonly #byScope = new Map<string, Versions>()
  #snapshot: unknown

  constructor(db: Database.Database) {
    this.#dataVersion = db.prepare('pragma data_version').pluck()
  }

  /** Those of the snapshot that the present transaction reads; begins it if nothing has. */
  read(): Map<string, Versions> {
    const snapshot = this.#dataVersion.get()
    if (snapshot !== this.#snapshot || this.#byScope.size >= MAX_SCOPES) this.#byScope.clear()
    this.#snapshot = snapshot
    return this.#byScope
  }
}
