import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { RecordBase, ScannedRecord, ScanQuery } from '@sales-crm/core/ports'

export type Row = RecordBase & Readonly<Record<string, unknown>>

/** The workspace of the shared collections. */
export const SHARED = ''

const SCHEMA = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  create table if not exists records (
    workspace text, collection text, id text, deleted_at text, value text,
    primary key (workspace, collection, id)
  ) without rowid;
  create table if not exists unique_values (
    workspace text, collection text, field text, value, id text,
    primary key (workspace, collection, field, value)
  ) without rowid;
  create index if not exists values_by_record on unique_values (workspace, collection, id);
`

/** The longest wait for another process on the same file. */
const LOCK_TIMEOUT_MS = 5_000

/** The statements, each prepared once. */
export class Database {
  readonly #connection: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(file: string) {
    this.#connection = new DatabaseSync(file, { timeout: LOCK_TIMEOUT_MS })
    this.#connection.exec(SCHEMA)
  }

  /** Runs a transaction or a savepoint. */
  async runPart<T>(begin: string, commit: string, rollback: string, work: () => Promise<T>): Promise<T> {
    this.#connection.exec(begin)
    try {
      const result = await work()
      this.#connection.exec(commit)
      return result
    } catch (error) {
      // A full disk has already rolled back.
      if (this.#connection.isTransaction) this.#connection.exec(rollback)
      throw error
    }
  }

  close(): void {
    this.#connection.close()
  }

  workspaceIds(): string[] {
    const rows = this.#prepare('select distinct workspace from records where workspace <> ?').all(SHARED)
    return rows.map(({ workspace }) => String(workspace))
  }

  findLive(workspace: string, name: string, id: string): Row | undefined {
    const sql = `select value from records where ${KEY} and deleted_at is null`
    const found = this.#prepare(sql).get(workspace, name, id)
    return found && parse(found)
  }

  has(workspace: string, name: string, id: string): boolean {
    return this.#prepare(`select 1 from records where ${KEY}`).get(workspace, name, id) !== undefined
  }

  list(workspace: string, name: string, includeDeleted: boolean): Row[] {
    const live = includeDeleted ? '' : 'and deleted_at is null'
    const sql = `select value from records where workspace = ? and collection = ? ${live}`
    return this.#prepare(sql).all(workspace, name).map(parse)
  }

  scan(
    workspace: string,
    name: string,
    state: ScanQuery['state'],
    after: string,
    limit: number,
  ): ScannedRecord<Row>[] {
    const isInState = state === 'live' ? 'deleted_at is null' : 'deleted_at is not null'
    const sql = `select value, deleted_at from records where workspace = ? and collection = ? and ${isInState} and id > ?
      order by id limit ?`
    const found = this.#prepare(sql).all(workspace, name, after, limit)
    return found.map((row) => ({ record: parse(row), deleted_at: row['deleted_at'] as string | null }))
  }

  insert(workspace: string, name: string, row: Row): void {
    const sql = 'insert into records (workspace, collection, id, value) values (?, ?, ?, ?)'
    this.#prepare(sql).run(workspace, name, row.id, JSON.stringify(row))
  }

  update(workspace: string, name: string, row: Row): void {
    this.#prepare(`update records set value = ? where ${KEY}`).run(
      JSON.stringify(row),
      workspace,
      name,
      row.id,
    )
  }

  softDelete(workspace: string, name: string, id: string, at: string): boolean {
    const sql = `update records set deleted_at = ? where ${KEY} and deleted_at is null`
    return this.#prepare(sql).run(at, workspace, name, id).changes > 0
  }

  hardDelete(workspace: string, name: string, id: string): void {
    this.#prepare(`delete from records where ${KEY}`).run(workspace, name, id)
    this.freeValues(workspace, name, id)
  }

  /** Returns false if another record has the value. */
  takeValue(workspace: string, name: string, id: string, field: string, value: unknown): boolean {
    const sql =
      'insert or ignore into unique_values (workspace, collection, field, value, id) values (?, ?, ?, ?, ?)'
    return this.#prepare(sql).run(workspace, name, field, String(value), id).changes > 0
  }

  freeValue(workspace: string, name: string, id: string, field: string): void {
    this.#prepare(`delete from unique_values where ${KEY} and field = ?`).run(workspace, name, id, field)
  }

  freeValues(workspace: string, name: string, id: string): void {
    this.#prepare(`delete from unique_values where ${KEY}`).run(workspace, name, id)
  }

  #prepare(sql: string): StatementSync {
    const prepared = this.#statements.get(sql) ?? this.#connection.prepare(sql)
    this.#statements.set(sql, prepared)
    return prepared
  }
}

const KEY = 'workspace = ? and collection = ? and id = ?'

function parse({ value }: Readonly<Record<string, unknown>>): Row {
  return JSON.parse(String(value)) as Row
}
