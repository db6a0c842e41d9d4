import {
  type ColumnKind,
  columnOf,
  type DeclaredColumn,
  SHAPES,
  SHARED_SHAPES,
  type Storage,
  type Transaction,
  type WorkspaceStores,
} from '@sales-crm/core/ports'
import type { Connection, Database } from './connection.ts'
import type { Dialect } from './dialect.ts'
import type { TableShape } from './record-statements.ts'
import { type Lines, recordStores, refusingTaken } from './record-store.ts'

type Stores = ReturnType<typeof recordStores>

/** The core's storage over any database that a driver and a dialect are given for. */
export function sqlStorage(database: Database, dialect: Dialect): Storage {
  const shared = lazily(storesOf(SHARED_SHAPES, false, dialect))
  const ofWorkspace = lazily(storesOf(SHAPES, true, dialect))

  function transactionOn(connection: Connection, mayWrite: boolean): Transaction {
    const workspace = (workspaceId: string) => ofWorkspace({ connection, mayWrite, workspaceId }) as unknown as WorkspaceStores
    return Object.assign(shared({ connection, mayWrite }), { workspace }) as unknown as Transaction
  }

  return {
    transact: (work) => refusingTaken(dialect, () => database.transact((connection) => work(transactionOn(connection, true)))),
    read: (work) => database.read((connection) => work(transactionOn(connection, false))),
    check: () => database.check(),
    close: () => database.close(),
  }
}

function storesOf(shapes: object, ofWorkspaces: boolean, dialect: Dialect): ReadonlyMap<string, Stores> {
  return new Map(tablesOf(shapes, ofWorkspaces).map((table) => [table.name, recordStores(table, dialect)]))
}

function tablesOf(shapes: object, ofWorkspaces: boolean): TableShape[] {
  return Object.entries(shapes).map(([name, { columns }]: [string, { columns: Record<string, DeclaredColumn> }]) => {
    const own = Object.entries(columns).map(([column, declared]) => [column, columnOf(declared).kind] as const)
    return {
      name,
      ofWorkspaces,
      kinds: new Map<string, ColumnKind>([['id', 'uuid'], ...own, ['created_at', 'instant'], ['updated_at', 'instant']]),
    }
  })
}

/** An object that opens each store when it is first used: a transaction touches few of them. */
function lazily(stores: ReadonlyMap<string, Stores>): (lines: Lines) => object {
  const getters: PropertyDescriptorMap = {}
  for (const [name, open] of stores) {
    getters[name] = {
      get(this: { readonly lines: Lines }) {
        return open(this.lines)
      },
    }
  }
  const prototype = Object.create(null, getters)
  return (lines) => Object.assign(Object.create(prototype), { lines })
}
