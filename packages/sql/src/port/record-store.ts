import type { TransactionGuard } from '@sales-crm/core/base-storage'
import type {
  AggregateQuery,
  DurationQuery,
  GroupListQuery,
  ListQuery,
  LockOptions,
  RecordGroup,
  RecordStore,
  ScannedRecord,
  ScanQuery,
} from '@sales-crm/core/ports'
import type { Dialect } from '../dialect.ts'
import { createSearchQueries } from '../paging/search-queries.ts'
import { SearchStatements } from '../paging/search-statements.ts'
import { changedColumns } from '../statements/changed-columns.ts'
import { joinReferences } from '../statements/joined-references.ts'
import { nameRowValues, RecordStatements } from '../statements/record-statements.ts'
import { createDecoder, createEncoder } from '../statements/row-codec.ts'
import type { NamedValues, Statement } from '../statements/statement.ts'
import { TableQueries } from '../statements/table-queries.ts'
import type { Conditions, StoredRecord, TableShape } from '../statements/table-shape.ts'
import { runWrite, type StoreScope, type TransactionState } from '../transaction-state.ts'
import { RecordReader, type TableContext } from './record-reader.ts'

/** Maximum number of records that one statement reads by their ids. */
const MAX_IDS = 1000

/**
 * Creates the stores of one table: one per transaction, all with the same compiled statements.
 * @param prefetch called when a read has sent a query for records, after which settings are usually read
 */
export function createRecordStores(
  table: TableShape,
  dialect: Dialect,
  prefetch: (state: TransactionState) => void = () => {},
): (scope: StoreScope) => RecordStore<StoredRecord> {
  const queries = new TableQueries(table, dialect)
  const statements = new RecordStatements(queries)
  const context: StoreContext = {
    table,
    dialect,
    statements,
    prefetch,
    decode: createDecoder(table, dialect),
    encode: createEncoder(table, dialect),
    references: table.isWorkspaceScoped ? joinReferences(table, dialect) : undefined,
    createSearch: createSearchQueries(table, new SearchStatements(queries), dialect),
  }
  return (scope) => new SqlRecordStore(context, scope)
}

interface StoreContext extends TableContext {
  readonly prefetch: (state: TransactionState) => void
  readonly encode: ReturnType<typeof createEncoder>
  readonly createSearch: ReturnType<typeof createSearchQueries>
}

/**
 * The records of one table in a transaction. The methods are arrow functions, so that a wrapper may spread the
 * store or pass its methods on.
 */
class SqlRecordStore implements RecordStore<StoredRecord> {
  readonly #context: StoreContext
  readonly #scope: StoreScope
  readonly #reader: RecordReader
  readonly #search: ReturnType<StoreContext['createSearch']>

  constructor(context: StoreContext, scope: StoreScope) {
    this.#context = context
    this.#scope = scope
    this.#reader = new RecordReader(context, scope)
    this.#search = context.createSearch(scope.state.connection, scope.workspaceId)
  }

  readonly get = (id: string): Promise<StoredRecord | undefined> =>
    this.#guard.read(() => {
      const record = this.#reader.get(id)
      this.#context.prefetch(this.#scope.state)
      return record
    })

  readonly getForUpdate = (id: string, options?: LockOptions): Promise<StoredRecord | undefined> =>
    this.#guard.lock(() => this.#reader.getForUpdate(id, options))

  readonly getForShare = (id: string): Promise<StoredRecord | undefined> =>
    this.#guard.lock(() => this.#reader.getLocked(id, 'share'))

  readonly getMany = (ids: readonly string[]): Promise<readonly StoredRecord[]> =>
    this.#guard.read(() => this.#reader.getMany(ids))

  /**
   * Sorts the records here: with `order by` a planner may scan the whole workspace in that order instead of
   * using the condition's index.
   */
  readonly find = (where: Conditions): Promise<readonly StoredRecord[]> =>
    this.#guard.read(async () => {
      const statement = this.#context.statements.find(where)
      const records = await this.#reader.query(statement, this.#search.bindConditions(where))
      return records.sort(compareByCreation)
    })

  readonly has = (where: Conditions): Promise<boolean> =>
    this.#guard.read(async () => {
      const statement = this.#context.statements.has(where)
      const values = this.#reader.bind(statement, this.#search.bindConditions(where))
      return (await this.#scope.state.connection.query(statement, values)).length > 0
    })

  readonly countByTerm = (field: string, terms: readonly string[]): Promise<ReadonlyMap<string, number>> =>
    this.#guard.read(() => this.#search.countByTerm(field, terms))

  readonly aggregate = (query: AggregateQuery<StoredRecord>) =>
    this.#guard.read(() => this.#search.aggregate(query))

  readonly listGroups = (query: GroupListQuery<StoredRecord>): Promise<RecordGroup<StoredRecord>[]> =>
    this.#guard.read(async () => {
      const groups = await this.#search.groups(query)
      const ids = groups.flatMap((group) => group.ids)
      const batches = splitIntoBatches(ids, MAX_IDS).map((batch) => this.#reader.getMany(batch))
      const records = new Map((await Promise.all(batches)).flat().map((record) => [record.id, record]))
      return groups.map(({ key, sums, ids: first }) => ({
        key,
        sums,
        rows: first.map((id) => records.get(id)!),
      }))
    })

  readonly medianDuration = (query: DurationQuery<StoredRecord>): Promise<number | undefined> =>
    this.#guard.read(() => this.#search.medianDuration(query))

  readonly list = (query: ListQuery<StoredRecord>) =>
    this.#guard.read(async () => {
      const page = this.#search.list(query)
      this.#context.prefetch(this.#scope.state)
      const { rows, total } = await page
      return { rows: rows.map(this.#context.decode), total }
    })

  readonly scan = (query: ScanQuery): Promise<ScannedRecord<StoredRecord>[]> =>
    this.#guard.read(async () => {
      const statement = this.#context.statements.scan(query)
      const values = this.#reader.bind(statement, { ...query })
      const rows = await this.#scope.state.connection.query(statement, values)
      return rows.map(({ deleted_at, ...row }) => ({
        record: this.#context.decode(row),
        deleted_at: deleted_at as string | null,
      }))
    })

  readonly insert = (record: StoredRecord): Promise<void> => {
    const { statements, encode } = this.#context
    return this.#write(() => this.#execute(statements.insert(), [encode(record)]))
  }

  readonly insertMany = (records: readonly StoredRecord[]): Promise<void> => {
    const { statements, encode, dialect } = this.#context
    return this.#write(async () => {
      const [first] = records
      if (!first) return
      if (records.length === 1) return this.#execute(statements.insert(), [encode(first)])
      if (!dialect.bulkInsert) return this.#insertValues(records.map(encode))
      const batches = splitIntoBatches(this.#withWorkspaceId(records), dialect.maxBulkRows)
      const values = batches.map((batch) => ({ rows: JSON.stringify(batch) }))
      return this.#execute(statements.insertMany(), values)
    })
  }

  readonly update = (record: StoredRecord): Promise<void> => {
    const { statements, encode } = this.#context
    const before = this.#reader.lockedRecord(record.id)
    this.#reader.markChanged(record.id)
    if (before) this.#reader.setLockedRecord(record)
    return this.#write(() =>
      this.#execute(statements.update(before && changedColumns(record, before)), [encode(record)]),
    )
  }

  readonly softDelete = (id: string, at: string): Promise<boolean> => {
    this.#reader.markChanged(id)
    return this.#write(async () => {
      const statement = this.#context.statements.softDelete()
      const values = this.#reader.bind(statement, { id, at })
      return (await this.#scope.state.connection.execute(statement, values)) > 0
    })
  }

  readonly hardDelete = (id: string): Promise<void> => {
    this.#reader.markChanged(id)
    return this.#write(() => this.#execute(this.#context.statements.hardDelete(), [{ id }]))
  }

  get #guard(): TransactionGuard {
    return this.#scope.state.guard
  }

  #write<T>(write: () => Promise<T>): Promise<T> {
    return runWrite(this.#scope.state, this.#context.dialect, write)
  }

  #execute(statement: Statement, rows: readonly NamedValues[]): Promise<void> {
    const valueLists = rows.map((row) => this.#reader.bind(statement, row))
    return this.#scope.state.connection.executeMany(statement, valueLists)
  }

  async #insertValues(rows: readonly NamedValues[]): Promise<void> {
    const { statements, dialect } = this.#context
    let start = 0
    while (start < rows.length) {
      // Sizes are powers of two, so that few statements serve all numbers of rows.
      const size = Math.min(dialect.maxBulkRows, 2 ** Math.floor(Math.log2(rows.length - start)))
      const batch = rows.slice(start, start + size)
      await this.#execute(statements.insertValues(size), [nameRowValues(batch)])
      start += size
    }
  }

  #withWorkspaceId(records: readonly StoredRecord[]): readonly NamedValues[] {
    const { workspaceId: workspace_id } = this.#scope
    return this.#context.table.isWorkspaceScoped
      ? records.map((record) => ({ ...record, workspace_id }))
      : records
  }
}

function splitIntoBatches<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}

function compareByCreation(a: StoredRecord, b: StoredRecord): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1
  return a.id < b.id ? -1 : 1
}
