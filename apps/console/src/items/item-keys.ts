/** Names items on the page: an item keeps its key from before the service gave it an id, also when undo adds it again. */
export class ItemKeys {
  readonly #idOfKey = new Map<string, string>()
  readonly #keyOfId = new Map<string, string>()

  setId(key: string, id: string): void {
    this.#idOfKey.set(key, id)
    this.#keyOfId.set(id, key)
  }

  idOf(key: string): string {
    return this.#idOfKey.get(key) ?? key
  }

  keyOf({ id }: { readonly id: string }): string {
    return this.#keyOfId.get(id) ?? id
  }
}

/** Undo goes on after the page was left. */
export const itemKeys = new ItemKeys()
