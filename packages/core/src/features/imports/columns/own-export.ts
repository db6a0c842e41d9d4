import { KINDS } from '../../../schema/index.ts'
import { listIncludes } from '../../../schema/responses.ts'
import { exportColumns } from '../../exports/columns.ts'
import { isFailuresFile } from './failures-column.ts'
import { IMPORT_KINDS, type ImportKind } from './import-kind.ts'
import { OWN_SYSTEM } from './systems.ts'
import { type ColumnProposal, type ColumnTarget, isShown, type KnownField } from './target.ts'

/** Columns that every export has. */
const MARKS = ['id', 'created_at', 'external_ids']

/** Records of other kinds, by the columns of their titles and ids. */
const LINKED: Readonly<Record<string, ColumnTarget>> = {
  company: { kind: 'companies', field: 'full_name' },
  company_id: { kind: 'companies', field: 'id' },
  person: { kind: 'people', field: 'full_name' },
  person_id: { kind: 'people', field: 'id' },
  deal: { kind: 'deals', field: 'name' },
  deal_id: { kind: 'deals', field: 'id' },
}
/** Columns whose fields have other names. */
const RENAMED: Readonly<Record<string, string>> = { owner: 'owner_email', task_type: 'type' }
const FIELDS = ['id', 'created_at', 'closed_at', 'stage_entered_at', 'pipeline', 'stage', 'tags', 'lists']
/** Inputs that a file does not hold, or that others stand for. */
const LEFT_OUT = new Set([
  ...['deals', 'image', 'attachments', 'owner_user_id', 'pipeline_id', 'stage_id', 'lost_reason_id'],
  ...['amount_source', 'people', 'companies'],
])

/** The fields that columns of such files become, besides those of others. */
export const OWN_FIELDS: readonly string[] = ['id', 'external_ids', 'custom_fields', 'entity', 'entity_id']

/** Finds the kind of which a file is an export of this service, by the names of all columns. */
export function findOwnKind(names: readonly string[]): ImportKind | undefined {
  if (!MARKS.every((name) => names.includes(name))) return undefined
  const exported = isFailuresFile(names) ? names.slice(0, -1) : names
  return IMPORT_KINDS.find((kind) => {
    const own = new Set(listNames(kind))
    return exported.every((name) => own.has(name) || name.startsWith('custom_fields.'))
  })
}

/** The columns of an export of the kind, as CSV and as NDJSON. */
function listNames(kind: ImportKind): readonly string[] {
  const columns = exportColumns(kind, { include: listIncludes(kind), customFields: [] })
  return [...columns.flatMap(({ names }) => names), ...Object.keys(KINDS[kind].fields)]
}

/** Proposes that each column becomes what it was. Others than those of the file are derived from them. */
export function proposeOwnColumns(
  names: readonly string[],
  kind: ImportKind,
  customFields: readonly KnownField[],
): readonly ColumnProposal[] {
  return names.map((header, column) => {
    const target = findTarget(header, kind, customFields)
    return target
      ? { column, header, target, reason: { code: 'header', header, system: OWN_SYSTEM } }
      : { column, header, target: null, reason: { code: 'derived', header } }
  })
}

function findTarget(
  name: string,
  kind: ImportKind,
  customFields: readonly KnownField[],
): ColumnTarget | undefined {
  const linked = LINKED[name]
  if (linked) return linked
  if (name.startsWith('custom_fields.')) {
    const [, key = ''] = name.split('.')
    return customFields.some((field) => field.key === key && isShown(field, kind))
      ? { kind, field: name }
      : undefined
  }
  const field = RENAMED[name] ?? name
  const [base = ''] = field.split(':')
  const isInput = Object.hasOwn(KINDS[kind].create.entries, base) && !LEFT_OUT.has(base)
  return isInput || FIELDS.includes(field) ? { kind, field } : undefined
}
