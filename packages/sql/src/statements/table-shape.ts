import {
  type AnyShape,
  type ColumnKind,
  type Condition,
  parseColumn,
  type RecordBase,
  SHAPES,
  toCollection,
} from '@sales-crm/core/ports'

export function toTableShape(
  name: string,
  { columns, foreignKeys }: AnyShape,
  isWorkspaceScoped: boolean,
): TableShape {
  const ownColumns = Object.entries(columns).map(
    ([column, declaration]) => [column, parseColumn(declaration).kind] as const,
  )
  return {
    name,
    isWorkspaceScoped,
    foreignKeys,
    kinds: new Map<string, ColumnKind>([
      ['id', 'uuid'],
      ...ownColumns,
      ['created_at', 'instant'],
      ['updated_at', 'instant'],
    ]),
  }
}

const relatedTables = new Map<string, TableShape>()

/** The table of a workspace collection, for conditions that name it. */
export function relatedTable(collection: string): TableShape {
  let table = relatedTables.get(collection)
  if (!table) {
    table = toTableShape(collection, SHAPES[toCollection(collection)] as AnyShape, true)
    relatedTables.set(collection, table)
  }
  return table
}

/** The columns of one table, and whether its rows belong to workspaces. */
export interface TableShape {
  readonly name: string
  readonly isWorkspaceScoped: boolean
  /** Every field of a record, in the order of responses. */
  readonly kinds: ReadonlyMap<string, ColumnKind>
  /** Columns with an id of the same workspace, by the referenced table. */
  readonly foreignKeys: AnyShape['foreignKeys']
}

/** A record in a generic store, which knows its columns only by name. */
export type StoredRecord = RecordBase & Readonly<Record<string, unknown>>

export type Conditions = readonly Condition<StoredRecord>[]
