import { conflict, type RecordStore } from '@sales-crm/core/ports'
import type { Connection, Row } from './connection.ts'
import type { Dialect } from './dialect.ts'
import { recordFindings } from './record-findings.ts'
import { type Lock, recordStatements, type Stored, type TableShape } from './record-statements.ts'
import { type Statement, valuesFor } from './statement.ts'

type Named = Readonly<Record<string, unknown>>

/** What the stores of one transaction share. */
export interface Session {
  readonly connection: Connection
  /** False in a read. */
  readonly mayWrite: boolean
  /** Every write, so that `transact` or `attempt` hears of one that fails. */
  writes: Promise<unknown>[]
  /** Whether those who listen are called once it is committed. */
  woken: boolean
  over: boolean
}

/** What a transaction gives a store. */
export interface Lines {
  readonly session: Session
  readonly workspaceId?: string
}

/** Makes the stores of one table: one for each transaction, all from the same compiled statements. */
export function recordStores(table: TableShape, dialect: Dialect): (lines: Lines) => RecordStore<Stored> {
  const statements = recordStatements(table, dialect)
  const encode = encoderOf(table, dialect)
  const decode = decoderOf(table, dialect)
  const stored = table.ofWorkspaces ? ['workspace_id', ...table.kinds.keys()] : [...table.kinds.keys()]
  const findings = recordFindings(table, statements, dialect)
  const bulk = dialect.bulkInsert(table.name, stored)

  return ({ session, workspaceId: workspace_id }) => {
    const { connection } = session
    const finding = findings({ connection, workspaceId: workspace_id })
    const bind = (statement: Statement, values: Named) => valuesFor(statement, table.ofWorkspaces ? { ...values, workspace_id } : values)

    async function all(statement: Statement, values: Named): Promise<Stored[]> {
      mustLast()
      return (await connection.rows(statement, bind(statement, values))).map(decode)
    }

    async function one(id: string, lock: Lock): Promise<Stored | undefined> {
      if (lock !== 'none') mayWrite()
      const [row] = await all(statements.byId(lock), { id })
      return row
    }

    async function attempted<T>(change: () => Promise<T>): Promise<T> {
      mayWrite()
      return refusingTaken(dialect, change)
    }

    function writing<T>(change: () => Promise<T>): Promise<T> {
      const write = attempted(change)
      if (session.over) return write
      session.writes.push(write)
      // Where nobody waits for it, `transact` still does.
      write.catch(() => undefined)
      return write
    }

    function send(statement: Statement, rows: readonly Named[]): Promise<void> {
      const lists = rows.map((row) => bind(statement, row))
      return connection.write(statement, lists)
    }

    function mustLast(): void {
      if (session.over) throw new Error('The transaction is over.')
    }

    function mayWrite(): void {
      mustLast()
      if (!session.mayWrite) throw new Error('A read neither writes nor holds.')
    }

    return {
      get: (id) => one(id, 'none'),
      getForUpdate: (id) => one(id, 'update'),
      getForShare: (id) => one(id, 'share'),

      async getMany(ids) {
        mustLast()
        const [first, ...others] = ids
        if (first === undefined) return []
        if (others.length === 0) return all(statements.byId('none'), { id: first })
        return all(statements.byIds(), { ids: dialect.listToDriver(ids) })
      },

      // Put in order here: asked to, a planner may walk the whole workspace in that order instead of using the condition's index.
      async find(where) {
        return (await all(statements.find(where), finding.bound(where))).sort(byCreation)
      },

      async has(where) {
        mustLast()
        const statement = statements.has(where)
        return (await connection.rows(statement, bind(statement, finding.bound(where)))).length > 0
      },

      async tally(field, words) {
        mustLast()
        return finding.tally(field, words)
      },

      async list(query) {
        mustLast()
        const { rows, total } = await finding.list(query)
        return { rows: rows.map(decode), total }
      },

      insert: (record) => writing(() => send(statements.insert(), [encode(record)])),

      insertMany: (records) =>
        writing(async () => {
          if (records.length === 0) return
          if (!bulk) return send(statements.insert(), records.map(encode))
          const rows = table.ofWorkspaces ? records.map((record) => ({ ...record, workspace_id })) : records
          return send(bulk, [{ rows: JSON.stringify(rows) }])
        }),

      update: (record, before) => writing(() => send(statements.update(before && changedColumns(record, before)), [encode(record)])),

      softDelete: (id, at) =>
        writing(async () => {
          const statement = statements.softDelete()
          return (await connection.run(statement, bind(statement, { id, at }))) > 0
        }),

      erase: (id) => writing(() => send(statements.erase(), [{ id }])),
    }
  }
}

export async function refusingTaken<T>(dialect: Dialect, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const field = dialect.takenField(error)
    throw field === undefined ? error : conflict(field)
  }
}

function encoderOf({ kinds }: TableShape, { toDriver }: Dialect): (record: Stored) => Named {
  const special = [...kinds].flatMap(([column, kind]) => (toDriver[kind] ? [[column, toDriver[kind]] as const] : []))
  return (record) => converted(record, special)
}

function decoderOf({ kinds }: TableShape, { fromDriver }: Dialect): (row: Row) => Stored {
  const special = [...kinds].flatMap(([column, kind]) => (fromDriver[kind] ? [[column, fromDriver[kind]] as const] : []))
  return (row) => converted(row, special) as Stored
}

function converted(row: Named, special: readonly (readonly [string, (value: unknown) => unknown])[]): Named {
  if (special.length === 0) return row
  const copy: Record<string, unknown> = { ...row }
  for (const [column, convert] of special) if (copy[column] !== null) copy[column] = convert(copy[column])
  return copy
}

/** A statement is kept for each set of columns, so only small sets are told apart. */
const TOLD_APART = 4

/** The columns that differ, since a database checks and indexes anew what it is told to write; `undefined` for many. */
function changedColumns(record: Stored, before: Stored): string[] | undefined {
  const changed = Object.keys(record).filter((column) => record[column] !== before[column])
  return changed.length > 0 && changed.length <= TOLD_APART ? changed : undefined
}

function byCreation(a: Stored, b: Stored): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1
  return a.id < b.id ? -1 : 1
}
