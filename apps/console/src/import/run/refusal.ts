import { CrmApiError } from '@sales-crm/client'
import type { Target } from '../columns/target.ts'
import type { RowError } from '../rows/read-rows.ts'
import type { SheetRow } from '../sheet/sheet.ts'
import type { RecordInput } from './record-input.ts'

/** The columns that a field of the API comes from. */
const KINDS: Readonly<Record<string, readonly Target['kind'][]>> = {
  full_name: ['fullName', 'firstName', 'middleName', 'lastName'],
  emails: ['email'],
  phones: ['phone'],
  position: ['position'],
  website: ['website'],
  company_id: ['company'],
  owner_user_id: ['owner'],
  tags: ['tags'],
  content_html: ['note'],
}

export interface RefusalWords {
  readonly explain: (error: unknown) => string
  /** The name of a field of the API. */
  readonly labelOf: (path: string) => string
}

/** Says which texts of a row the service refused, and why. The others are about no column. */
export function explainRefusal(
  error: unknown,
  row: SheetRow,
  targets: readonly (Target | undefined)[],
  input: RecordInput,
  { explain, labelOf }: RefusalWords,
): readonly RowError[] {
  const fields = error instanceof CrmApiError ? Object.entries(error.fields) : []
  if (fields.length === 0) return [{ column: undefined, text: '', reason: { message: explain(error) } }]
  return fields.map(([path, message]) => {
    const sent = sentText(path, input)
    const column = findColumn(path, targets, row, sent)
    if (column === undefined) return { column, text: '', reason: { message: `${labelOf(path)}: ${message}` } }
    return { column, text: sent ?? (row.cells[column] ?? '').trim(), reason: { message } }
  })
}

/** The address or number at a path such as `emails[1].email`. */
function sentText(path: string, input: RecordInput): string | undefined {
  const [, list, index] = /^(emails|phones)\[(\d+)\]/.exec(path) ?? []
  if (list === 'emails') return input.emails?.[Number(index)]?.email
  return list === 'phones' ? input.phones?.[Number(index)]?.phone : undefined
}

function findColumn(
  path: string,
  targets: readonly (Target | undefined)[],
  row: SheetRow,
  sent: string | undefined,
): number | undefined {
  const isCause = fieldTest(path)
  const columns = [...targets.keys()].filter((column) => {
    const target = targets[column]
    return target !== undefined && isCause(target) && row.cells[column]?.trim() !== ''
  })
  const exact = sent === undefined ? undefined : columns.find((column) => row.cells[column]?.includes(sent))
  return exact ?? columns[0]
}

function fieldTest(path: string): (target: Target) => boolean {
  const [, key, part] = /^custom_fields\.(\w+)(?:\.(\w+))?/.exec(path) ?? []
  if (key !== undefined)
    return (target) =>
      (target.kind === 'field' && target.field.key === key) ||
      (target.kind === 'address' && target.field.key === key && (part === undefined || target.part === part))
  const kinds = KINDS[/^\w+/.exec(path)?.[0] ?? ''] ?? []
  return ({ kind }) => kinds.includes(kind)
}
