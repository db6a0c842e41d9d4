import type { CustomField, ImportColumn } from '@sales-crm/client'
import { IMPORT_KINDS, type ImportKind } from '../can-import.ts'
import { TARGET_FIELDS } from './target-fields.ts'

export type Target = NonNullable<ImportColumn['target']>

export const NEW_FIELD = 'new_custom_field'

const CUSTOM_KINDS = ['people', 'companies', 'deals'] as const satisfies readonly ImportKind[]
const ADDRESS_PARTS = [
  ...(['street', 'number', 'complement', 'district', 'city', 'state', 'postal_code', 'country'] as const),
]

/** The targets of a kind, without new custom fields. */
function listTargets(kind: ImportKind, fields: readonly CustomField[]): readonly Target[] {
  const shown = fields.filter((field) => isCustomKind(kind) && field[`show_${kind}`])
  const custom = shown.flatMap(({ key, type }) =>
    type === 'address'
      ? ADDRESS_PARTS.map((part) => `custom_fields.${key}.${part}`)
      : [`custom_fields.${key}`],
  )
  return [...Object.keys(TARGET_FIELDS[kind]), ...custom].map((field) => ({ kind, field }))
}

export interface TargetGroup {
  readonly kind: ImportKind
  readonly targets: readonly Target[]
  /** True if a column can become a new field of the kind. */
  readonly hasNewField: boolean
}

export function listTargetGroups(fields: readonly CustomField[]): readonly TargetGroup[] {
  return IMPORT_KINDS.map((kind) => ({
    kind,
    targets: listTargets(kind, fields),
    hasNewField: isCustomKind(kind),
  }))
}

function isCustomKind(kind: ImportKind): kind is (typeof CUSTOM_KINDS)[number] {
  return CUSTOM_KINDS.some((each) => each === kind)
}

/** Names a target among the choices. */
export function targetId({ kind, field }: Pick<Target, 'kind' | 'field'>): string {
  return `${kind} ${field}`
}

/** True for a field that several columns may become. */
export function isRepeatable({ field }: Pick<Target, 'field'>): boolean {
  return /^(?:emails|phones)(?::|$)/.test(field) || ['tags', 'lists', NEW_FIELD].includes(field)
}

/** How the values of a column are read, if there is a choice. */
export function valueFormat(target: Target, fields: readonly CustomField[]): 'number' | 'date' | undefined {
  const type = 'type' in target ? target.type : findCustomField(target, fields)?.type
  if (type === 'number' || type === 'date') return type
  return TARGET_FIELDS[target.kind][target.field]?.format
}

export function findCustomField(
  { field }: Pick<Target, 'field'>,
  fields: readonly CustomField[],
): CustomField | undefined {
  const [name, key] = field.split('.')
  return name === 'custom_fields' ? fields.find((each) => each.key === key) : undefined
}

const MAX_LABEL_LENGTH = 40

/** A new custom field for a column that nobody has described yet. */
export function newField(kind: ImportKind, label: string): Target {
  const short = [...label].slice(0, MAX_LABEL_LENGTH).join('').trim()
  return { kind, field: NEW_FIELD, type: 'text', label: short } as Target
}

/** Fields that belong to the creation of a record, or to which values are only added: no policy applies. */
const WITHOUT_POLICY = /^(?:created_at|closed_at.*|stage_entered_at|currency|tags|lists|external_id)$/
const INPUTS: Readonly<Record<string, string>> = {
  ...{ first_name: 'full_name', middle_name: 'full_name', last_name: 'full_name' },
  ...{ owner_email: 'owner_user_id', pipeline: 'pipeline_id', stage: 'stage_id', status: 'stage_id' },
}

/** The name under which `policies` know the field of a target: `people.phones`. Undefined if none applies. */
export function policyField({ kind, field }: Target): string | undefined {
  if (WITHOUT_POLICY.test(field) || field === NEW_FIELD) return undefined
  const [name = ''] = field.split(':')
  const [custom, key] = name.split('.')
  return `${kind}.${custom === 'custom_fields' ? `custom_fields.${key}` : (INPUTS[name] ?? name)}`
}
