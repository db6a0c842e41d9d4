/**
 * Kinds of record that nearly every call reads and few change: what was read of them is remembered as long as nobody changed any. One that is
 * added needs a migration that makes its triggers: without them its version never changes.
 */
export const SETTINGS: readonly string[] = ['members', 'pipelines', 'stages', 'task_types', 'custom_fields', 'webhooks']
/** Of those that all workspaces share. Nobody asks for one that is not there, so that a new one makes nothing remembered wrong. */
export const SHARED_SETTINGS: readonly string[] = ['users', 'workspaces']
/** Where the version of shared settings stands, among the ids of workspaces. */
export const SHARED_SCOPE = '00000000-0000-0000-0000-000000000000'

type Found = readonly unknown[]

/** What is remembered of one scope: a workspace, or what all share. */
interface Remembered {
  readonly version: string
  readonly found: Map<string, Found>
}

export interface SettingsMemory {
  /** What `key` came to when the scope had this version. */
  find(scope: string, version: string, key: string): Found | undefined
  keep(scope: string, version: string, key: string, found: Found): void
}

const MOST_SCOPES = 1000
const MOST_KEYS = 500
/** More records than that are read each time. */
const MOST_RECORDS = 100

/** Versions never come again, so that what was read of one is right for ever; the scope used longest ago is forgotten first. */
export function settingsMemory(): SettingsMemory {
  const scopes = new Map<string, Remembered>()

  return {
    find(scope, version, key) {
      const remembered = scopes.get(scope)
      return remembered?.version === version ? remembered.found.get(key) : undefined
    },
    keep(scope, version, key, found) {
      if (found.length > MOST_RECORDS) return
      let remembered = scopes.get(scope)
      if (remembered?.version !== version) remembered = { version, found: new Map() }
      if (remembered.found.size >= MOST_KEYS) remembered.found.clear()
      remembered.found.set(key, found)
      scopes.delete(scope)
      scopes.set(scope, remembered)
      if (scopes.size > MOST_SCOPES) scopes.delete(scopes.keys().next().value!)
    },
  }
}
