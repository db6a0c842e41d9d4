import { type AnyShape, type ColumnKind, parseColumn } from '@sales-crm/core/ports'
import type { TableShape } from './record-statements.ts'

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
    foreignKeys: foreignKeys,
    kinds: new Map<string, ColumnKind>([
      ['id', 'uuid'],
      ...ownColumns,
      ['created_at', 'instant'],
      ['updated_at', 'instant'],
    ]),
  }
}
