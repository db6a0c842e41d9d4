import type { GetOptions, LockOptions, RecordStore } from '@sales-crm/core/ports'
import type { Dialect } from '../dialect.ts'
import type { Row } from '../driver.ts'
import { createSearchQueries } from '../paging/search-queries.ts'
import { createColumnDiff } from '../statements/changed-columns.ts'
import { type JoinedReferences, joinReferences } from '../statements/joined-references.ts'
import { RecordStatements, type RowLock } from '../statements/record-statements.ts'
import { createDecoder, createEncoder } from '../statements/row-codec.ts'
import { bindValues, type NamedValues, type Statement } from '../statements/statement.ts'
import type { StoredRecord, TableShape } from '../statements/table-shape.ts'
import {
  assertOpen,
  assertWritable,
  invalidateReads,
  type StoreScope,
  type TransactionState,
  trackWrite,
} from '../transaction-state.ts'

/** Maximum number of records cached per transaction; further records are read each time. */
const MAX_IDENTITY_MAP = 1000

/**
 * Creates the stores of one table: one per transaction, all with the same compiled statements.
 * @param prefetch called when a read has sent a query for records, after which settings are usually read
 */
export function createRecordStores(
  table: TableShape,
  dialect: Dialect,
  prefetch: (state: TransactionState) => void = () => {},
): (scope: StoreScope) => RecordStore<StoredRecord> {
  const statements = new RecordStatements(table, dialect)
  const encode = createEncoder(table, dialect)
  const decode = createDecoder(table, dialect)
  const createSearch = createSearchQueries(table, statements, dialect)
  const diffColumns = createColumnDiff()
  const references = table.isWorkspaceScoped
    ? joinReferences(table, dialect, (otherTable) => createDecoder(otherTable, dialect))
    : undefined

  return ({ state, workspaceId: workspace_id }) => {
    const { connection } = state
    const search = createSearch(connection, workspace_id)
    const bind = (statement: Statement, values: NamedValues) =>
      bindValues(statement, table.isWorkspaceScoped ? { ...values, workspace_id } : values)

    const runWrite = <T>(change: () => Promise<T>) => trackWrite(state, dialect, change)

    async function queryRecords(statement: Statement, values: NamedValues): Promise<StoredRecord[]> {
      assertOpen(state)
      return (await connection.query(statement, bind(statement, values))).map(decode)
    }

    const identityKey = (id: string, name = table.name) => `${name} ${workspace_id} ${id}`

    async function getLocked(id: string, lock: RowLock): Promise<StoredRecord | undefined> {
      assertWritable(state)
      // After waiting for a lock, the transaction must see what others have committed meanwhile.
      invalidateReads(state)
      return (await queryRecords(statements.byId(lock), { id }))[0]
    }

    async function getForUpdate(id: string, options?: LockOptions): Promise<StoredRecord | undefined> {
      if (!references || options?.lock !== 'optimistic') return getLocked(id, 'update')
      assertWritable(state)
      invalidateReads(state)
      const lockedRows = await lockOptimistically(references, id)
      if (lockedRows) return decodeJoinedRow(references, lockedRows[0])
      // Two statements: the second sees what was committed while the first one waited.
      const [, record] = await Promise.all([
        queryRecords(statements.lock(), { id }),
        getJoined(references, id),
      ])
      return record
    }

    async function lockOptimistically(
      { versionedById: lookup }: JoinedReferences,
      id: string,
    ): Promise<readonly Row[] | undefined> {
      const { rowVersion } = dialect
      if (!rowVersion || !connection.lockOptimistically) return undefined
      const versionCheck = statements.assertVersion(rowVersion)
      return connection.lockOptimistically(
        { statement: lookup, values: bind(lookup, { id }) },
        ({ row_version: version }) => ({
          statement: versionCheck,
          values: bind(versionCheck, { id, version }),
        }),
      )
    }

    async function get(id: string, options?: GetOptions): Promise<StoredRecord | undefined> {
      return options?.include === 'references' ? getWithReferences(id) : (await getMany([id]))[0]
    }

    async function getMany(ids: readonly string[]): Promise<readonly StoredRecord[]> {
      assertOpen(state)
      const { identityMap } = state
      const [cachedRecords, missingIds] = [[] as StoredRecord[], [] as string[]]
      for (const id of new Set(ids)) {
        const record = identityMap.get(identityKey(id))
        if (record) cachedRecords.push(record)
        else missingIds.push(id)
      }
      const [first] = missingIds
      if (first === undefined) return cachedRecords
      const values = missingIds.length === 1 ? { id: first } : { ids: dialect.encodeList(missingIds) }
      const records = await queryRecords(
        missingIds.length === 1 ? statements.byId('none') : statements.byIds(),
        values,
      )
      for (const record of records) addToIdentityMap(identityMap, table.name, record)
      return cachedRecords.length === 0 ? records : [...cachedRecords, ...records]
    }

    async function getWithReferences(id: string): Promise<StoredRecord | undefined> {
      assertOpen(state)
      if (!references) return (await getMany([id]))[0]
      const record = getJoined(references, id)
      prefetch(state)
      return record
    }

    async function getJoined(references: JoinedReferences, id: string): Promise<StoredRecord | undefined> {
      const { byId } = references
      const [row] = await connection.query(byId, bind(byId, { id }))
      return decodeJoinedRow(references, row)
    }

    function decodeJoinedRow(
      { decodeReferences, decodeRecord }: JoinedReferences,
      row: Row | undefined,
    ): StoredRecord | undefined {
      const { identityMap } = state
      if (!row) return undefined
      for (const { table, record } of decodeReferences(row)) addToIdentityMap(identityMap, table, record)
      return decodeRecord(row)
    }

    function addToIdentityMap(
      identityMap: Map<string, StoredRecord>,
      name: string,
      record: StoredRecord,
    ): void {
      const key = identityKey(record.id, name)
      if (identityMap.size < MAX_IDENTITY_MAP && !state.changedKeys.has(key)) identityMap.set(key, record)
    }

    /** Removes a record from the cache, including from a read that is in progress. */
    function markChanged(id: string): void {
      state.changedKeys.add(identityKey(id))
      state.identityMap.delete(identityKey(id))
    }

    function executeWrites(statement: Statement, rows: readonly NamedValues[]): Promise<void> {
      const valueLists = rows.map((row) => bind(statement, row))
      return connection.executeMany(statement, valueLists)
    }

    return {
      get,
      getForUpdate,
      getForShare: (id) => getLocked(id, 'share'),
      getMany,

      // Sorted here: with `order by` a planner may scan the whole workspace in that order instead of using
      // the condition's index.
      async find(where) {
        return (await queryRecords(statements.find(where), search.bindConditions(where))).sort(
          compareByCreation,
        )
      },

      async has(where) {
        assertOpen(state)
        const statement = statements.has(where)
        return (await connection.query(statement, bind(statement, search.bindConditions(where)))).length > 0
      },

      async countByTerm(field, terms) {
        assertOpen(state)
        return search.countByTerm(field, terms)
      },

      async aggregate(query) {
        assertOpen(state)
        return search.aggregate(query)
      },

      async medianDuration(query) {
        assertOpen(state)
        return search.medianDuration(query)
      },

      async list(query) {
        assertOpen(state)
        const page = search.list(query)
        prefetch(state)
        const { rows, total } = await page
        return { rows: rows.map(decode), total }
      },

      insert: (record) => runWrite(() => executeWrites(statements.insert(), [encode(record)])),

      insertMany: (records) =>
        runWrite(async () => {
          const [first] = records
          if (first && records.length === 1) return executeWrites(statements.insert(), [encode(first)])
          const rows = table.isWorkspaceScoped
            ? records.map((record) => ({ ...record, workspace_id }))
            : records
          const batches: NamedValues[] = []
          for (let from = 0; from < rows.length; from += dialect.maxBulkRows) {
            batches.push({ rows: JSON.stringify(rows.slice(from, from + dialect.maxBulkRows)) })
          }
          if (batches.length > 0) await executeWrites(statements.insertMany(), batches)
        }),

      update(record, before) {
        markChanged(record.id)
        return runWrite(() =>
          executeWrites(statements.update(before && diffColumns(record, before)), [encode(record)]),
        )
      },

      softDelete(id, at) {
        markChanged(id)
        return runWrite(async () => {
          const statement = statements.softDelete()
          return (await connection.execute(statement, bind(statement, { id, at }))) > 0
        })
      },

      hardDelete(id) {
        markChanged(id)
        return runWrite(() => executeWrites(statements.hardDelete(), [{ id }]))
      },
    }
  }
}

function compareByCreation(a: StoredRecord, b: StoredRecord): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1
  return a.id < b.id ? -1 : 1
}
