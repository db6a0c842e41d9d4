import type { ImportKind } from '../columns/import-kind.ts'

/** Companies that many rows name. */
const MAX_REMEMBERED = 50_000

/**
 * The records that the values of earlier rows have found or made. In a check, which writes nothing, the values of records
 * that would be there.
 */
export class MatchMemory {
  readonly #ids = new Map<string, string>()
  readonly #simulated = new Set<string>()
  readonly #isCheck: boolean
  #added = new Map<string, string>()

  constructor(isCheck: boolean) {
    this.#isCheck = isCheck
  }

  find(kind: ImportKind, key: string): string | undefined {
    const name = `${kind} ${key}`
    return this.#added.get(name) ?? this.#ids.get(name)
  }

  wasSimulated(kind: ImportKind, key: string): boolean {
    return this.#isCheck && this.#simulated.has(`${kind} ${key}`)
  }

  remember(kind: ImportKind, key: string, id: string): void {
    this.#added.set(`${kind} ${key}`, id)
  }

  /** The transaction has committed, or of a check has come to its end. */
  commit(): void {
    for (const [name, id] of this.#added)
      if (this.#isCheck) this.#simulated.add(name)
      else if (name.startsWith('companies ')) this.#ids.set(name, id)
    if (this.#ids.size > MAX_REMEMBERED) this.#ids.clear()
    this.#added.clear()
  }

  rollback(): void {
    this.#added.clear()
  }
}
