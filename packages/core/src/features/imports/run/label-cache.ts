import type { WorkspaceTransaction } from '../../../engine/workspace-transaction.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { foldName } from '../../../kernel/fold-text.ts'
import type { Transaction } from '../../../ports/storage.ts'
import type { KindWrites } from './kind-writes.ts'

/** The ids of tags or lists by their names. Those that a rolled back transaction has made are forgotten. */
export class LabelCache {
  readonly #writes: KindWrites
  #ids = new Map<string, string>()
  #added = new Map<string, string>()

  constructor(writes: KindWrites) {
    this.#writes = writes
  }

  async load(transaction: WorkspaceTransaction): Promise<void> {
    const labels = await this.#writes.store(transaction).find([])
    this.#ids = new Map(labels.map((label) => [foldName(nameOf(label)), label.id]))
    this.#added = new Map()
  }

  /** Returns the ids of the names, and makes those that are missing. */
  async resolve(
    names: readonly string[],
    actor: Actor,
    tx: Transaction,
    onCreation: (id: string) => void,
  ): Promise<readonly string[]> {
    const ids: string[] = []
    for (const name of names) {
      const folded = foldName(name)
      const known = this.#added.get(folded) ?? this.#ids.get(folded)
      if (known !== undefined) {
        ids.push(known)
        continue
      }
      const { id } = await this.#writes.create(actor, { name }, tx)
      onCreation(id)
      this.#added.set(folded, id)
      ids.push(id)
    }
    return [...new Set(ids)]
  }

  /** Keeps what the transaction has made. */
  commit(): void {
    for (const [name, id] of this.#added) this.#ids.set(name, id)
    this.#added.clear()
  }

  /** What the transaction has made so far, for `restore`. */
  snapshot(): ReadonlyMap<string, string> {
    return new Map(this.#added)
  }

  /** Forgets what was made since the snapshot. */
  restore(added: ReadonlyMap<string, string> = new Map()): void {
    this.#added = new Map(added)
  }
}

function nameOf(record: object): string {
  return String((record as { readonly name: string }).name)
}
