import type { RecordStore } from '@sales-crm/core/ports'
import type { Dialect } from '../dialect.ts'
import { SHARED_SCOPE } from '../settings-collections.ts'
import { bindValues, compileStatement, param, type Statement } from '../statements/statement.ts'
import type { Conditions, StoredRecord } from '../statements/table-shape.ts'
import type { StoreScope, TransactionState } from '../transaction-state.ts'
import type { SettingsCache } from './settings-cache.ts'

export type ReadVersion = (session: TransactionState, scope: string) => Promise<string | undefined>

/** The version of each scope as a transaction sees it: read once, and again after a possible change. */
export function createVersionReader({ compiler, isDistributed }: Dialect): ReadVersion {
  const selectVersions = (table: string, scopes: readonly string[]) => {
    const query = compiler
      .selectFrom(table)
      .select(['scope', 'version'])
      .where('scope', 'in', scopes.map(param))
    return compileStatement(query, compiler, { isKeyLookup: true })
  }
  // The version of the settings that workspaces share must not be lost with the server of some workspace.
  const [ownVersion, sharedVersion] = [
    selectVersions('settings_versions', ['scope']),
    selectVersions('shared_settings_versions', ['shared']),
  ]
  const versions = selectVersions('settings_versions', ['scope', 'shared'])

  function selectQueries(scope: string): readonly Statement[] {
    if (!isDistributed) return [versions]
    return scope === SHARED_SCOPE ? [sharedVersion] : [ownVersion, sharedVersion]
  }

  async function read({ connection }: TransactionState, scope: string): Promise<ReadonlyMap<string, string>> {
    const readVersions = connection.readVersions?.()
    const found = readVersions?.get(scope)
    if (found) return found
    const values = { scope, shared: SHARED_SCOPE }
    const results = selectQueries(scope).map((query) => connection.query(query, bindValues(query, values)))
    const rows = (await Promise.all(results)).flat()
    const byScope = new Map(rows.map((row) => [String(row['scope']), String(row['version'])]))
    readVersions?.set(scope, byScope)
    return byScope
  }

  return async (state, scope) => {
    state.settingsVersions ??= read(state, state.workspaceId ?? SHARED_SCOPE)
    const versions = await state.settingsVersions
    if (versions.has(scope) || scope === SHARED_SCOPE) return versions.get(scope)
    return (await read(state, scope)).get(scope)
  }
}

/**
 * Reads the versions ahead of their first use, in the same round trip as the current statement, in a read
 * without a snapshot.
 */
export function createVersionPrefetch(readVersion: ReadVersion): (state: TransactionState) => void {
  return (state) => {
    if (!state.isStatementIsolated || state.workspaceId === undefined) return
    readVersion(state, state.workspaceId).catch(() => undefined)
  }
}

/** Wraps stores of settings so that reads are served from memory while the version is unchanged. */
export function createCachedStores(
  name: string,
  openStore: (storeScope: StoreScope) => RecordStore<StoredRecord>,
  readVersion: ReadVersion,
  cache: SettingsCache,
): (storeScope: StoreScope) => RecordStore<StoredRecord> {
  return (storeScope) => {
    const store = openStore(storeScope)
    const { state } = storeScope
    const cached = new CachedReads(name, store, storeScope, readVersion, cache)
    /** A write of this transaction changes the version immediately. */
    const invalidate = <T>(result: Promise<T>): Promise<T> => {
      state.settingsVersions = undefined
      return result
    }
    return {
      ...store,
      get: (id) => state.guard.read(async () => (await cached.getMany([id]))[0]),
      getMany: (ids) => state.guard.read(() => cached.getMany(ids)),
      find: (where) => state.guard.read(() => cached.find(where)),
      insert: (record) => invalidate(store.insert(record)),
      insertMany: (records) => invalidate(store.insertMany(records)),
      update: (record) => invalidate(store.update(record)),
      softDelete: (id, at) => invalidate(store.softDelete(id, at)),
      hardDelete: (id) => invalidate(store.hardDelete(id)),
    }
  }
}

class CachedReads {
  readonly #name: string
  readonly #store: RecordStore<StoredRecord>
  readonly #state: TransactionState
  readonly #scope: string
  readonly #readVersion: ReadVersion
  readonly #cache: SettingsCache

  constructor(
    name: string,
    store: RecordStore<StoredRecord>,
    { state, workspaceId = SHARED_SCOPE }: StoreScope,
    readVersion: ReadVersion,
    cache: SettingsCache,
  ) {
    this.#name = name
    this.#store = store
    this.#state = state
    this.#scope = workspaceId
    this.#readVersion = readVersion
    this.#cache = cache
  }

  async getMany(ids: readonly string[]): Promise<readonly StoredRecord[]> {
    if (ids.length === 0) return []
    const version = await this.#readVersion(this.#state, this.#scope)
    const cachedRecords: StoredRecord[] = []
    const missingIds: string[] = []
    for (const id of new Set(ids)) {
      const entry = version && this.#cache.get(this.#scope, version, this.#recordKey(id))
      if (entry) cachedRecords.push(entry[0] as StoredRecord)
      else missingIds.push(id)
    }
    if (missingIds.length === 0) return cachedRecords
    const records = await this.#readThrough(
      version,
      () => this.#store.getMany(missingIds),
      (versionRead, loaded) => {
        for (const record of loaded)
          this.#cache.set(this.#scope, versionRead, this.#recordKey(record.id), [record])
      },
    )
    return [...cachedRecords, ...records]
  }

  async find(where: Conditions): Promise<readonly StoredRecord[]> {
    if (this.#scope === SHARED_SCOPE) return this.#store.find(where)
    const version = await this.#readVersion(this.#state, this.#scope)
    const key = `${this.#name} ${JSON.stringify(where)}`
    const cachedRecords = version && this.#cache.get(this.#scope, version, key)
    if (cachedRecords) return cachedRecords as readonly StoredRecord[]
    return this.#readThrough(
      version,
      () => this.#store.find(where),
      (versionRead, records) => this.#cache.set(this.#scope, versionRead, key, records),
    )
  }

  /** A result is cached only if the version is the same before and after the read. */
  async #readThrough<T>(
    version: string | undefined,
    load: () => Promise<T>,
    save: (version: string, value: T) => void,
  ): Promise<T> {
    const loading = load()
    if (version === undefined) return loading
    this.#state.settingsVersions = undefined
    const [value, versionAfter] = await Promise.all([loading, this.#readVersion(this.#state, this.#scope)])
    if (versionAfter === version) save(version, value)
    return value
  }

  #recordKey(id: string): string {
    return `${this.#name} ${id}`
  }
}
