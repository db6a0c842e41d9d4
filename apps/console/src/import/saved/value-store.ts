const STORE = 'values'

/** Values of any size that the browser keeps, by key. */
export class ValueStore {
  readonly #database: Promise<IDBDatabase>

  constructor(name: string) {
    this.#database = openDatabase(name)
  }

  async read<Value>(key: string): Promise<Value | undefined> {
    const store = await this.#open('readonly')
    return (await settle(store.get(key))) as Value | undefined
  }

  async write(key: string, value: unknown): Promise<void> {
    const store = await this.#open('readwrite')
    await settle(store.put(value, key))
  }

  async delete(key: string): Promise<void> {
    const store = await this.#open('readwrite')
    await settle(store.delete(key))
  }

  async clear(): Promise<void> {
    const store = await this.#open('readwrite')
    await settle(store.clear())
  }

  async #open(mode: IDBTransactionMode): Promise<IDBObjectStore> {
    return (await this.#database).transaction(STORE, mode).objectStore(STORE)
  }
}

function openDatabase(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name)
  request.onupgradeneeded = () => request.result.createObjectStore(STORE)
  return settle(request)
}

function settle<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
