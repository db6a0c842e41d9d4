import type { RecordStore } from '@sales-crm/core/ports'
import { changedColumns } from './changed-columns.ts'
import type { Row } from './connection.ts'
import type { Dialect } from './dialect.ts'
import { recordFindings } from './record-findings.ts'
import { type Lock, recordStatements, type Stored, type TableShape } from './record-statements.ts'
import { mayWrite, mustLast, type Session, writing } from './session.ts'
import { type Statement, valuesFor } from './statement.ts'

type Named = Readonly<Record<string, unknown>>

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
  const changed = changedColumns()
  const bulk = dialect.bulkInsert(table.name, stored)

  return ({ session, workspaceId: workspace_id }) => {
    const { connection } = session
    const finding = findings({ connection, workspaceId: workspace_id })
    const bind = (statement: Statement, values: Named) => valuesFor(statement, table.ofWorkspaces ? { ...values, workspace_id } : values)

    const write = <T>(change: () => Promise<T>) => writing(session, dialect, change)

    async function all(statement: Statement, values: Named): Promise<Stored[]> {
      mustLast(session)
      return (await connection.rows(statement, bind(statement, values))).map(decode)
    }

    async function one(id: string, lock: Lock): Promise<Stored | undefined> {
      if (lock !== 'none') mayWrite(session)
      const [row] = await all(statements.byId(lock), { id })
      return row
    }

    function send(statement: Statement, rows: readonly Named[]): Promise<void> {
      const lists = rows.map((row) => bind(statement, row))
      return connection.write(statement, lists)
    }

    return {
      get: (id) => one(id, 'none'),
      getForUpdate: (id) => one(id, 'update'),
      getForShare: (id) => one(id, 'share'),

      async getMany(ids) {
        mustLast(session)
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
        mustLast(session)
        const statement = statements.has(where)
        return (await connection.rows(statement, bind(statement, finding.bound(where)))).length > 0
      },

      async tally(field, words) {
        mustLast(session)
        return finding.tally(field, words)
      },

      async summarize(query) {
        mustLast(session)
        return finding.summarize(query)
      },

      async medianSpan(query) {
        mustLast(session)
        return finding.medianSpan(query)
      },

      async list(query) {
        mustLast(session)
        const { rows, total } = await finding.list(query)
        return { rows: rows.map(decode), total }
      },

      insert: (record) => write(() => send(statements.insert(), [encode(record)])),

      insertMany: (records) =>
        write(async () => {
          if (records.length === 0) return
          if (!bulk) return send(statements.insert(), records.map(encode))
          const rows = table.ofWorkspaces ? records.map((record) => ({ ...record, workspace_id })) : records
          return send(bulk, [{ rows: JSON.stringify(rows) }])
        }),

      update: (record, before) => write(() => send(statements.update(before && changed(record, before)), [encode(record)])),

      softDelete: (id, at) =>
        write(async () => {
          const statement = statements.softDelete()
          return (await connection.run(statement, bind(statement, { id, at }))) > 0
        }),

      erase: (id) => write(() => send(statements.erase(), [{ id }])),
    }
  }
}

function encoderOf({ kinds }: TableShape, { toDriver }: Dialect): (record: Stored) => Named {
  const special = [...kinds].flatMap(([column, kind]) => (toDriver[kind] ? [[column, toDriver[kind]] as const] : []))
  return (record) => converted(record, special)
}

export function decoderOf({ kinds }: TableShape, { fromDriver }: Dialect): (row: Row) => Stored {
  const special = [...kinds].flatMap(([column, kind]) => (fromDriver[kind] ? [[column, fromDriver[kind]] as const] : []))
  return (row) => converted(row, special) as Stored
}

function converted(row: Named, special: readonly (readonly [string, (value: unknown) => unknown])[]): Named {
  if (special.length === 0) return row
  const copy: Record<string, unknown> = { ...row }
  for (const [column, convert] of special) if (copy[column] !== null) copy[column] = convert(copy[column])
  return copy
}

function byCreation(a: Stored, b: Stored): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1
  return a.id < b.id ? -1 : 1
}
