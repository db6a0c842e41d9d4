import type { RecordStore } from '@sales-crm/core/ports'
import type { Dialect } from '../dialect.ts'
import { SHARED_SCOPE } from '../settings.ts'
import { bindValues, compileStatement, param } from '../statements/statement.ts'
import type { Conditions, StoredRecord } from '../statements/table-shape.ts'
import { assertOpen, type StoreScope, type TransactionState } from '../transaction-state.ts'
import type { SettingsCache } from './settings-cache.ts'

export type ReadVersion = (session: TransactionState, scope: string) => Promise<string | undefined>

/** The version of each scope as a transaction sees it: read once, and again after a possible change. */
export function createVersionReader({ compiler }: Dialect): ReadVersion {
  const query = compiler
    .selectFrom('settings_versions')
    .select(['scope', 'version'])
    .where('scope', 'in', [param('scope'), param('shared')])
  const versionsQuery = compileStatement(query, { isKeyLookup: true })

  async function read({ connection }: TransactionState, scope: string): Promise<ReadonlyMap<string, string>> {
    const rows = await connection.query(
      versionsQuery,
      bindValues(versionsQuery, { scope, shared: SHARED_SCOPE }),
    )
    return new Map(rows.map((row) => [String(row['scope']), String(row['version'])]))
  }

  return async (state, scope) => {
    state.settingsVersions ??= read(state, state.workspaceId ?? SHARED_SCOPE)
    const versions = await state.settingsVersions
    if (versions.has(scope) || scope === SHARED_SCOPE) return versions.get(scope)
    return (await read(state, scope)).get(scope)
  }
}

/**
 * Reads the versions ahead of their first use, in the same round trip as the current statement. Not in a
 * write, in which they may change.
 */
export function createVersionPrefetch(readVersion: ReadVersion): (state: TransactionState) => void {
  return (state) => {
    if (state.canWrite || state.workspaceId === undefined) return
    readVersion(state, state.workspaceId).catch(() => undefined)
  }
}

/** A store of settings that serves reads from memory while the version is unchanged. */
export function createCachedStores(
  name: string,
  openStore: (storeScope: StoreScope) => RecordStore<StoredRecord>,
  readVersion: ReadVersion,
  cache: SettingsCache,
): (storeScope: StoreScope) => RecordStore<StoredRecord> {
  return (storeScope) => {
    const { state, workspaceId: scope = SHARED_SCOPE } = storeScope
    const store = openStore(storeScope)
    const isShared = scope === SHARED_SCOPE

    /** A result is cached only if the version is the same before and after the read. */
    async function readThrough<T>(
      version: string | undefined,
      load: () => Promise<T>,
      save: (version: string, value: T) => void,
    ): Promise<T> {
      const loading = load()
      if (version === undefined) return loading
      state.settingsVersions = undefined
      const [value, versionAfter] = await Promise.all([loading, readVersion(state, scope)])
      if (versionAfter === version) save(version, value)
      return value
    }

    const cacheEach = (version: string, records: readonly StoredRecord[]) => {
      for (const record of records) cache.set(scope, version, `${name} ${record.id}`, [record])
    }

    async function getMany(ids: readonly string[]): Promise<readonly StoredRecord[]> {
      assertOpen(state)
      if (ids.length === 0) return []
      const version = await readVersion(state, scope)
      const cached: StoredRecord[] = []
      const missingIds: string[] = []
      for (const id of new Set(ids)) {
        const entry = version && cache.get(scope, version, `${name} ${id}`)
        if (entry) cached.push(entry[0] as StoredRecord)
        else missingIds.push(id)
      }
      if (missingIds.length === 0) return cached
      return [...cached, ...(await readThrough(version, () => store.getMany(missingIds), cacheEach))]
    }

    async function find(where: Conditions): Promise<readonly StoredRecord[]> {
      assertOpen(state)
      if (isShared) return store.find(where)
      const version = await readVersion(state, scope)
      const key = `${name} ${JSON.stringify(where)}`
      const cached = version && cache.get(scope, version, key)
      if (cached) return cached as readonly StoredRecord[]
      return readThrough(
        version,
        () => store.find(where),
        (versionRead, records) => cache.set(scope, versionRead, key, records),
      )
    }

    /** A write of this transaction changes the version immediately. */
    const invalidateAfter =
      <A extends unknown[], T>(write: (...args: A) => Promise<T>) =>
      (...args: A): Promise<T> => {
        const result = write(...args)
        state.settingsVersions = undefined
        return result
      }

    const get = async (id: string) => (await getMany([id]))[0]

    return {
      ...store,
      get,
      getMany,
      find,
      insert: invalidateAfter(store.insert),
      insertMany: invalidateAfter(store.insertMany),
      update: invalidateAfter(store.update),
      softDelete: invalidateAfter(store.softDelete),
      hardDelete: invalidateAfter(store.hardDelete),
    }
  }
}
