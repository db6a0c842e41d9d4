import type { LockOptions } from '@sales-crm/core/ports'
import type { Dialect } from '../dialect.ts'
import type { Row } from '../driver.ts'
import type { JoinedReferences } from '../statements/joined-references.ts'
import type { RecordStatements, RowLock } from '../statements/record-statements.ts'
import { bindValues, type NamedValues, type Statement } from '../statements/statement.ts'
import type { StoredRecord, TableShape } from '../statements/table-shape.ts'
import { invalidateReads, type StoreScope } from '../transaction-state.ts'

/** Maximum number of records cached per transaction; further records are read each time. */
const MAX_IDENTITY_MAP = 1000

/** The parts of a store that do not depend on the transaction. */
export interface TableContext {
  readonly table: TableShape
  readonly dialect: Dialect
  readonly statements: RecordStatements
  readonly decode: (row: Row) => StoredRecord
  /** `undefined` for a table without a workspace, or if separate statements are faster. */
  readonly references: JoinedReferences | undefined
}

/** Reads the records of one table in a transaction by id, through the transaction's identity map. */
export class RecordReader {
  readonly #context: TableContext
  readonly #scope: StoreScope

  constructor(context: TableContext, scope: StoreScope) {
    this.#context = context
    this.#scope = scope
  }

  bind(statement: Statement, values: NamedValues): unknown[] {
    const { workspaceId: workspace_id } = this.#scope
    return bindValues(statement, this.#context.table.isWorkspaceScoped ? { ...values, workspace_id } : values)
  }

  async query(statement: Statement, values: NamedValues): Promise<StoredRecord[]> {
    const { state } = this.#scope
    return (await state.connection.query(statement, this.bind(statement, values))).map(this.#context.decode)
  }

  async getMany(ids: readonly string[]): Promise<readonly StoredRecord[]> {
    const { state } = this.#scope
    const { statements, dialect, table } = this.#context
    const [cachedRecords, missingIds] = [[] as StoredRecord[], [] as string[]]
    for (const id of new Set(ids)) {
      const record = state.identityMap.get(this.#identityKey(id))
      if (record) cachedRecords.push(record)
      else missingIds.push(id)
    }
    const [first] = missingIds
    if (first === undefined) return cachedRecords
    const { identityMap } = state
    const records =
      missingIds.length === 1
        ? await this.query(statements.byId('none'), { id: first })
        : await this.query(statements.byIds(), { ids: dialect.encodeList(missingIds) })
    for (const record of records) this.#addToIdentityMap(identityMap, table.name, record)
    return cachedRecords.length === 0 ? records : [...cachedRecords, ...records]
  }

  /**
   * Without a snapshot, reads the record with its references in one statement: they are read next as a rule,
   * and each statement is a round trip.
   */
  async get(id: string): Promise<StoredRecord | undefined> {
    const { references } = this.#context
    const { state } = this.#scope
    const isCached = state.identityMap.has(this.#identityKey(id))
    return references && state.isStatementIsolated && !isCached
      ? this.#getJoined(references, id)
      : (await this.getMany([id]))[0]
  }

  async getForUpdate(id: string, options?: LockOptions): Promise<StoredRecord | undefined> {
    const { references } = this.#context
    const record =
      references && options?.lock === 'optimistic'
        ? await this.#getJoinedForUpdate(references, id)
        : await this.getLocked(id, 'update')
    if (record) this.setLockedRecord(record)
    return record
  }

  /** After waiting for a lock, the transaction must see what others have committed meanwhile. */
  async getLocked(id: string, lock: RowLock): Promise<StoredRecord | undefined> {
    invalidateReads(this.#scope.state)
    return (await this.query(this.#context.statements.byId(lock), { id }))[0]
  }

  /** A record read for update, as it is stored now. */
  lockedRecord(id: string): StoredRecord | undefined {
    return this.#scope.state.lockedRecords.get(this.#identityKey(id))
  }

  setLockedRecord(record: StoredRecord): void {
    this.#scope.state.lockedRecords.set(this.#identityKey(record.id), record)
  }

  /** Removes a record from the identity map, including from a read in progress. */
  markChanged(id: string): void {
    const { state } = this.#scope
    const key = this.#identityKey(id)
    state.changedKeys.add(key)
    state.identityMap.delete(key)
    state.lockedRecords.delete(key)
  }

  async #getJoinedForUpdate(references: JoinedReferences, id: string): Promise<StoredRecord | undefined> {
    invalidateReads(this.#scope.state)
    const lockedRows = await this.#lockOptimistically(references, id)
    if (lockedRows) return this.#decodeJoinedRow(references, lockedRows[0])
    // Two statements: the second sees what was committed while the first one waited.
    const [, record] = await Promise.all([
      this.query(this.#context.statements.lock(), { id }),
      this.#getJoined(references, id),
    ])
    return record
  }

  async #lockOptimistically(
    { versionedById: lookup }: JoinedReferences,
    id: string,
  ): Promise<readonly Row[] | undefined> {
    const { connection } = this.#scope.state
    const { rowVersion } = this.#context.dialect
    if (!rowVersion || !connection.lockOptimistically) return undefined
    const versionCheck = this.#context.statements.assertVersion(rowVersion)
    return connection.lockOptimistically(
      { statement: lookup, values: this.bind(lookup, { id }) },
      ({ row_version: version }) => ({
        statement: versionCheck,
        values: this.bind(versionCheck, { id, version }),
      }),
    )
  }

  async #getJoined(references: JoinedReferences, id: string): Promise<StoredRecord | undefined> {
    const { byId } = references
    const [row] = await this.#scope.state.connection.query(byId, this.bind(byId, { id }))
    return this.#decodeJoinedRow(references, row)
  }

  #decodeJoinedRow(
    { decodeReferences, decodeRecord }: JoinedReferences,
    row: Row | undefined,
  ): StoredRecord | undefined {
    const { identityMap } = this.#scope.state
    if (!row) return undefined
    for (const { table, record } of decodeReferences(row)) this.#addToIdentityMap(identityMap, table, record)
    return decodeRecord(row)
  }

  #addToIdentityMap(identityMap: Map<string, StoredRecord>, table: string, record: StoredRecord): void {
    const key = this.#identityKey(record.id, table)
    if (identityMap.size < MAX_IDENTITY_MAP && !this.#scope.state.changedKeys.has(key))
      identityMap.set(key, record)
  }

  #identityKey(id: string, table = this.#context.table.name): string {
    return `${table} ${this.#scope.workspaceId} ${id}`
  }
}
