type CachedRecords = readonly unknown[]

/** Cached reads of one scope: a workspace, or the shared settings. */
interface CacheEntry {
  readonly version: string
  readonly records: Map<string, CachedRecords>
}

export interface SettingsCache {
  /** Results by key, valid for this version of the scope. */
  get(scope: string, version: string, key: string): CachedRecords | undefined
  set(scope: string, version: string, key: string, records: CachedRecords): void
}

const MAX_SCOPES = 1000
const MAX_KEYS = 1000
/** A result with more records is not cached. */
const MAX_RECORDS = 100

/** An LRU cache by scope. A version is never reused, so a result cached under its version stays valid. */
export function createSettingsCache(): SettingsCache {
  const scopes = new Map<string, CacheEntry>()

  return {
    get(scope, version, key) {
      const entry = scopes.get(scope)
      return entry?.version === version ? entry.records.get(key) : undefined
    },
    set(scope, version, key, records) {
      if (records.length > MAX_RECORDS) return
      let entry = scopes.get(scope)
      if (entry?.version !== version) entry = { version, records: new Map() }
      if (entry.records.size >= MAX_KEYS) entry.records.delete(entry.records.keys().next().value!)
      entry.records.set(key, records)
      scopes.delete(scope)
      scopes.set(scope, entry)
      if (scopes.size > MAX_SCOPES) scopes.delete(scopes.keys().next().value!)
    },
  }
}
