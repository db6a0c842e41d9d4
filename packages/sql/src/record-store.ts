import type { RecordStore } from '@sales-crm/core/ports'
import { changedColumns } from './changed-columns.ts'
import type { Row } from './connection.ts'
import type { Dialect } from './dialect.ts'
import { type Linked, linkedTo } from './linked.ts'
import { recordFindings } from './record-findings.ts'
import { type Lock, recordStatements, type Stored, type TableShape } from './record-statements.ts'
import { forget, mayWrite, mustLast, type Session, writing } from './session.ts'
import { type Statement, valuesFor } from './statement.ts'

type Named = Readonly<Record<string, unknown>>

/** A transaction that reads more than this reads the rest as often as it asks. */
const MOST_KNOWN = 1000

/** What a transaction gives a store. */
export interface StoreScope {
  readonly session: Session
  readonly workspaceId?: string
}

/**
 * Makes the stores of one table: one for each transaction, all from the same compiled statements.
 * @param foresee told when a read has asked for records, whose reader will ask for settings next
 */
export function recordStores(
  table: TableShape,
  dialect: Dialect,
  foresee: (session: Session) => void = () => {},
): (scope: StoreScope) => RecordStore<Stored> {
  const statements = recordStatements(table, dialect)
  const encode = encoderOf(table, dialect)
  const decode = decoderOf(table, dialect)
  const findings = recordFindings(table, statements, dialect)
  const changed = changedColumns()
  const linked = table.ofWorkspaces ? linkedTo(table, dialect, (other) => decoderOf(other, dialect)) : undefined

  return ({ session, workspaceId: workspace_id }) => {
    const { connection } = session
    const finding = findings(connection, workspace_id)
    const bind = (statement: Statement, values: Named) => valuesFor(statement, table.ofWorkspaces ? { ...values, workspace_id } : values)

    const write = <T>(change: () => Promise<T>) => writing(session, dialect, change)

    async function all(statement: Statement, values: Named): Promise<Stored[]> {
      mustLast(session)
      return (await connection.rows(statement, bind(statement, values))).map(decode)
    }

    const keyOf = (id: string, name = table.name) => `${name} ${workspace_id} ${id}`

    async function held(id: string, lock: Lock): Promise<Stored | undefined> {
      mayWrite(session)
      // Who waits for others must see what they have changed meanwhile.
      forget(session)
      return (await all(statements.byId(lock), { id }))[0]
    }

    async function getToChange(id: string): Promise<Stored | undefined> {
      if (!linked) return held(id, 'update')
      mayWrite(session)
      forget(session)
      const relied = await rely(linked, id)
      if (relied) return noting(linked, relied[0])
      // In two statements: the second sees what was changed while the first one waited.
      const [, record] = await Promise.all([all(statements.lock(), { id }), withLinks(linked, id)])
      return record
    }

    async function rely({ versionedById: reading }: Linked, id: string): Promise<readonly Row[] | undefined> {
      const { rowVersion } = dialect
      if (!rowVersion || !connection.rely) return undefined
      const guard = statements.mustStand(rowVersion)
      return connection.rely({ statement: reading, values: bind(reading, { id }) }, ({ row_version: version }) => ({
        statement: guard,
        values: bind(guard, { id, version }),
      }))
    }

    async function get(id: string): Promise<Stored | undefined> {
      return (await getMany([id]))[0]
    }

    async function getMany(ids: readonly string[]): Promise<readonly Stored[]> {
      mustLast(session)
      const { known } = session
      const [there, others] = [[] as Stored[], [] as string[]]
      for (const id of new Set(ids)) {
        const record = known.get(keyOf(id))
        if (record) there.push(record)
        else others.push(id)
      }
      const [first] = others
      if (first === undefined) return there
      const some = others.length === 1 ? { id: first } : { ids: dialect.listToDriver(others) }
      const found = await all(others.length === 1 ? statements.byId('none') : statements.byIds(), some)
      for (const record of found) note(known, table.name, record)
      return there.length === 0 ? found : [...there, ...found]
    }

    async function getWithLinks(id: string): Promise<Stored | undefined> {
      mustLast(session)
      if (!linked) return get(id)
      const asked = withLinks(linked, id)
      foresee(session)
      return asked
    }

    async function withLinks(linked: Linked, id: string): Promise<Stored | undefined> {
      const { byId } = linked
      const [row] = await connection.rows(byId, bind(byId, { id }))
      return noting(linked, row)
    }

    function noting({ linksIn, recordIn }: Linked, row: Row | undefined): Stored | undefined {
      const { known } = session
      if (!row) return undefined
      for (const { table: other, record } of linksIn(row)) note(known, other, record)
      return recordIn(row)
    }

    function note(known: Map<string, Stored>, name: string, record: Stored): void {
      const key = keyOf(record.id, name)
      if (known.size < MOST_KNOWN && !session.changed.has(key)) known.set(key, record)
    }

    /** What is written here is read anew from now on, also by a read that is under way. */
    function changing(id: string): void {
      session.changed.add(keyOf(id))
      session.known.delete(keyOf(id))
    }

    function send(statement: Statement, rows: readonly Named[]): Promise<void> {
      const lists = rows.map((row) => bind(statement, row))
      return connection.write(statement, lists)
    }

    return {
      get,
      getWithLinks,
      getForUpdate: (id) => held(id, 'update'),
      getToChange,
      getForShare: (id) => held(id, 'share'),
      getMany,

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
        const found = finding.list(query)
        foresee(session)
        const { rows, total } = await found
        return { rows: rows.map(decode), total }
      },

      insert: (record) => write(() => send(statements.insert(), [encode(record)])),

      insertMany: (records) =>
        write(async () => {
          const [first] = records
          if (first && records.length === 1) return send(statements.insert(), [encode(first)])
          const rows = table.ofWorkspaces ? records.map((record) => ({ ...record, workspace_id })) : records
          const parts: Named[] = []
          for (let from = 0; from < rows.length; from += dialect.bulkRows) {
            parts.push({ rows: JSON.stringify(rows.slice(from, from + dialect.bulkRows)) })
          }
          if (parts.length > 0) await send(statements.insertMany(), parts)
        }),

      update(record, before) {
        changing(record.id)
        return write(() => send(statements.update(before && changed(record, before)), [encode(record)]))
      },

      softDelete(id, at) {
        changing(id)
        return write(async () => {
          const statement = statements.softDelete()
          return (await connection.run(statement, bind(statement, { id, at }))) > 0
        })
      },

      erase(id) {
        changing(id)
        return write(() => send(statements.erase(), [{ id }]))
      },
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
  for (const [column, convert] of special) {
    const value = copy[column]
    // A page may leave columns out.
    if (value !== null && value !== undefined) copy[column] = convert(value)
  }
  return copy
}

function byCreation(a: Stored, b: Stored): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1
  return a.id < b.id ? -1 : 1
}
