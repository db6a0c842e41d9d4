import { type AnyShape, type ColumnKind, columnOf } from '@sales-crm/core/ports'
import type { TableShape } from './record-statements.ts'

export function tableOf(name: string, { columns, refersTo }: AnyShape, ofWorkspaces: boolean): TableShape {
  const own = Object.entries(columns).map(([column, declared]) => [column, columnOf(declared).kind] as const)
  return {
    name,
    ofWorkspaces,
    refersTo,
    kinds: new Map<string, ColumnKind>([['id', 'uuid'], ...own, ['created_at', 'instant'], ['updated_at', 'instant']]),
  }
}
