import type { RecordStore } from '@sales-crm/core/ports'
import type { Dialect } from './dialect.ts'
import type { Stored, Where } from './record-statements.ts'
import type { StoreScope } from './record-store.ts'
import { mustLast, type Session } from './session.ts'
import { type SettingsMemory, SHARED_SCOPE } from './settings.ts'
import { arg, statement, valuesFor } from './statement.ts'

export type Versions = (session: Session, scope: string) => Promise<string | undefined>

/** What version each scope has, as a transaction sees it: asked once, and again after what may have changed it. */
export function settingsVersions({ compiler }: Dialect): Versions {
  const query = compiler
    .selectFrom('settings_versions')
    .select(['scope', 'version'])
    .where('scope', 'in', [arg('scope'), arg('shared')])
  const both = statement(query, { looksUp: true })

  async function read({ connection }: Session, scope: string): Promise<ReadonlyMap<string, string>> {
    const rows = await connection.rows(both, valuesFor(both, { scope, shared: SHARED_SCOPE }))
    return new Map(rows.map((row) => [String(row['scope']), String(row['version'])]))
  }

  return async (session, scope) => {
    session.settings ??= read(session, session.workspaceId ?? SHARED_SCOPE)
    const own = await session.settings
    if (own.has(scope) || scope === SHARED_SCOPE) return own.get(scope)
    return (await read(session, scope)).get(scope)
  }
}

/** Asks for the versions before anybody wants them, in the same message as what is asked already. Who writes may change them meanwhile. */
export function foreseeing(versionOf: Versions): (session: Session) => void {
  return (session) => {
    if (session.mayWrite || session.workspaceId === undefined) return
    versionOf(session, session.workspaceId).catch(() => undefined)
  }
}

/** A store of settings that answers from memory where nothing has changed since. */
export function rememberingStores(
  name: string,
  open: (storeScope: StoreScope) => RecordStore<Stored>,
  versionOf: Versions,
  memory: SettingsMemory,
): (storeScope: StoreScope) => RecordStore<Stored> {
  return (storeScope) => {
    const { session, workspaceId: scope = SHARED_SCOPE } = storeScope
    const store = open(storeScope)
    const isShared = scope === SHARED_SCOPE

    /** What was read is of the version that stands before and after it. */
    async function read<T>(version: string | undefined, ask: () => Promise<T>, keep: (version: string, found: T) => void): Promise<T> {
      const asked = ask()
      if (version === undefined) return asked
      session.settings = undefined
      const [found, after] = await Promise.all([asked, versionOf(session, scope)])
      if (after === version) keep(version, found)
      return found
    }

    const keepEach = (version: string, found: readonly Stored[]) => {
      for (const record of found) memory.keep(scope, version, `${name} ${record.id}`, [record])
    }

    async function getMany(ids: readonly string[]): Promise<readonly Stored[]> {
      mustLast(session)
      if (ids.length === 0) return []
      const version = await versionOf(session, scope)
      const known: Stored[] = []
      const others: string[] = []
      for (const id of new Set(ids)) {
        const found = version && memory.find(scope, version, `${name} ${id}`)
        if (found) known.push(found[0] as Stored)
        else others.push(id)
      }
      if (others.length === 0) return known
      return [...known, ...(await read(version, () => store.getMany(others), keepEach))]
    }

    async function find(where: Where): Promise<readonly Stored[]> {
      mustLast(session)
      if (isShared) return store.find(where)
      const version = await versionOf(session, scope)
      const key = `${name} ${JSON.stringify(where)}`
      const known = version && memory.find(scope, version, key)
      if (known) return known as readonly Stored[]
      return read(
        version,
        () => store.find(where),
        (since, found) => memory.keep(scope, since, key, found),
      )
    }

    /** What this transaction changes has another version at once. */
    const changing =
      <A extends unknown[], T>(change: (...args: A) => Promise<T>) =>
      (...args: A): Promise<T> => {
        const changed = change(...args)
        session.settings = undefined
        return changed
      }

    const get = async (id: string) => (await getMany([id]))[0]

    return {
      ...store,
      get,
      getWithLinks: get,
      getMany,
      find,
      insert: changing(store.insert),
      insertMany: changing(store.insertMany),
      update: changing(store.update),
      softDelete: changing(store.softDelete),
      erase: changing(store.erase),
    }
  }
}
