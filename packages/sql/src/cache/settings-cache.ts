type CachedRecords = readonly unknown[]

/** What is remembered of one scope: a workspace, or what all share. */
interface CacheEntry {
  readonly version: string
  readonly records: Map<string, CachedRecords>
}

export interface SettingsCache {
  /** What `key` came to when the scope had this version. */
  get(scope: string, version: string, key: string): CachedRecords | undefined
  set(scope: string, version: string, key: string, records: CachedRecords): void
}

const MAX_SCOPES = 1000
const MAX_KEYS = 500
/** More records than that are read each time. */
const MAX_RECORDS = 100

/**
 * Versions never come again, so that what was read of one is right for ever; the scope used longest ago is
 * forgotten first.
 */
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
      if (entry.records.size >= MAX_KEYS) entry.records.clear()
      entry.records.set(key, records)
      scopes.delete(scope)
      scopes.set(scope, entry)
      if (scopes.size > MAX_SCOPES) scopes.delete(scopes.keys().next().value!)
    },
  }
}
