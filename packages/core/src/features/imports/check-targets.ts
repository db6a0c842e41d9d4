import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { type FieldErrors, validationError } from '../../kernel/errors.ts'
import { ADDRESS_PARTS } from '../../schema/address-parts.ts'
import { KINDS } from '../../schema/index.ts'
import { CUSTOM_KINDS, IMPORT_KINDS, type ImportKind } from './columns/import-kind.ts'
import { OWN_FIELDS } from './columns/own-export.ts'
import { type ColumnTarget, isNewField, isRepeatable, isShown, type KnownField } from './columns/target.ts'
import { type ImportRecord, isOwnFile } from './import-record.ts'
import { listMatchNames } from './run/find-match.ts'
import { listKinds, targetFields } from './run/import-kinds.ts'

/** Fields that are made up of others, besides the inputs of a create. */
const OTHER_FIELDS: Readonly<Partial<Record<ImportKind, readonly string[]>>> = {
  people: ['first_name', 'middle_name', 'last_name'],
  deals: ['status', 'pipeline', 'stage', 'closed_at', 'closed_at:won', 'closed_at:lost', 'stage_entered_at'],
}
const COMMON_FIELDS = ['external_id', 'created_at']
/** Inputs that a cell cannot hold, or that have another name here. */
const EXCLUDED_FIELDS = new Set([
  ...['external_ids', 'custom_fields', 'image', 'attachments', 'deals', 'entity', 'entity_id'],
  ...['owner_user_id', 'person_id', 'company_id', 'deal_id', 'pipeline_id', 'stage_id'],
])

/** The fields of a kind that a column can become. */
export function listTargetFields(kind: ImportKind, isOwnFile = false): readonly string[] {
  const inputs = Object.keys(KINDS[kind].create.entries).filter((name) => !EXCLUDED_FIELDS.has(name))
  return [...inputs, ...(OTHER_FIELDS[kind] ?? []), ...COMMON_FIELDS, ...(isOwnFile ? OWN_FIELDS : [])]
}

/**
 * @param otherErrors reported with its own
 * @throws CrmError `validation_error` for columns and rules that name what is not there
 */
export async function checkTargets(
  record: ImportRecord,
  { stores }: WorkspaceTransaction,
  otherErrors: FieldErrors = {},
): Promise<void> {
  const fields = await stores.custom_fields.find([])
  const errors: Record<string, string> = { ...otherErrors }
  const seen = new Map<string, number>()
  for (const [index, { target }] of record.columns.entries()) {
    if (!target) continue
    const path = `columns[${index}].target`
    const problem = findTargetProblem(target, fields, isOwnFile(record))
    if (problem) errors[`${path}.${problem.member}`] = problem.message
    if (isNewField(target) || isRepeatable(target)) continue
    const key = `${target.kind} ${target.field}`
    const other = seen.get(key)
    if (other !== undefined) errors[`${path}.field`] = `Is the field of column ${other} already.`
    seen.set(key, index)
  }
  Object.assign(errors, checkMatch(record))
  if (Object.keys(errors).length > 0) throw validationError(errors)
}

interface TargetProblem {
  readonly member: string
  readonly message: string
}

function findTargetProblem(
  target: ColumnTarget,
  fields: readonly KnownField[],
  isOwn: boolean,
): TargetProblem | undefined {
  if (isNewField(target)) {
    if (!CUSTOM_KINDS.some((kind) => kind === target.kind))
      return { member: 'kind', message: `Must be one of: ${CUSTOM_KINDS.join(', ')}.` }
    if (target.type === undefined) return { member: 'type', message: 'Required.' }
    if (target.label === undefined) return { member: 'label', message: 'Required.' }
    const hasOptions = target.type === 'select' || target.type === 'multi_select'
    return hasOptions && !target.options ? { member: 'options', message: 'Required.' } : undefined
  }
  const { kind, field } = target
  if (field.startsWith('custom_fields.')) {
    const [, key, part] = field.split('.')
    const custom = fields.find((each) => each.key === key && isShown(each, kind))
    if (!custom) return { member: 'field', message: 'Custom field not found.' }
    const isPart =
      part === undefined || (custom.type === 'address' && ADDRESS_PARTS.some((each) => each === part))
    return isPart
      ? undefined
      : { member: 'field', message: `Must end with one of: ${ADDRESS_PARTS.join(', ')}.` }
  }
  const names = listTargetFields(kind, isOwn)
  const [name = ''] = field.split(':')
  return names.includes(field) || ((name === 'emails' || name === 'phones') && names.includes(name))
    ? undefined
    : { member: 'field', message: `Must be one of: ${names.join(', ')}.` }
}

function checkMatch({ columns, options }: ImportRecord): FieldErrors {
  const errors: Record<string, string> = {}
  const kinds = listKinds({ columns })
  for (const [kind, name] of Object.entries(options.match)) {
    const path = `match.${kind}`
    if (!IMPORT_KINDS.some((each) => each === kind))
      errors[path] = `Must be one of: ${IMPORT_KINDS.join(', ')}.`
    else if (name !== null && kinds.includes(kind as ImportKind)) {
      const names = listMatchNames(kind as ImportKind, targetFields({ columns }, kind as ImportKind))
      if (!names.includes(name as string))
        errors[path] =
          names.length === 0
            ? 'Has no column by which it can be found.'
            : `Must be one of: ${names.join(', ')}.`
    }
  }
  return errors
}
