import type { Input } from '../../../engine/patch.ts'
import type { ImportKind } from '../columns/import-kind.ts'
import type { ImportOptions, Policy } from '../import-record.ts'

/** A record that was found, by its columns. */
type Stored = Readonly<Record<string, unknown>>

/** What is written of a record that is found. */
export interface MergeSource {
  readonly kind: ImportKind
  /** The input of a create. */
  readonly input: Input
  /** Fields whose cells are empty. */
  readonly empty: readonly string[]
  /** The id of a custom field by its key. */
  fieldId(key: string): string | undefined
}

/** Columns whose names are not those of their inputs. */
const COLUMNS: Readonly<Record<string, string>> = { tags: 'tag_ids', lists: 'list_ids', type: 'type_id' }
/** What others have put on a record stays, and what the file has is added. */
const ADDED_FIELDS = new Set(['tags', 'lists', 'external_ids'])
/** They belong to the creation of a record, or to another field. */
const CREATION_FIELDS = new Set([
  'created_at',
  'closed_at',
  'stage_entered_at',
  'currency',
  'entity',
  'entity_id',
])
/** Inputs that cannot be cleared. */
const REQUIRED_FIELDS = new Set(['full_name', 'name', 'title', 'content_html', 'pipeline_id', 'stage_id'])

/** The changes of a record that is found, by the policy of each field. Empty if it stays as it is. */
export function mergeFields(stored: Stored, source: MergeSource, options: ImportOptions): Input {
  const { kind, input, empty } = source
  const policyOf = (field: string): Policy => options.policies[`${kind}.${field}`] ?? options.policy
  const changes: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(input)) {
    if (CREATION_FIELDS.has(field) || field === 'custom_fields') continue
    const current = stored[COLUMNS[field] ?? field]
    const policy = policyOf(field)
    if (policy === 'keep') continue
    if (ADDED_FIELDS.has(field)) changes[field] = addMissing(current, value)
    else if (policy === 'overwrite' || isBlank(current)) changes[field] = value
  }
  if (changes['amount'] !== undefined || changes['price_cts'] !== undefined)
    changes['currency'] = input['currency']
  const custom = mergeCustomValues(stored, source, policyOf)
  if (options.clear_empty)
    for (const field of empty) {
      if (REQUIRED_FIELDS.has(field) || policyOf(field) !== 'overwrite') continue
      if (field.startsWith('custom_fields.'))
        custom.push({ key: field.slice('custom_fields.'.length), value: null })
      else if (field in stored && input[field] === undefined && !ADDED_FIELDS.has(field))
        changes[field] = Array.isArray(stored[field]) ? [] : null
    }
  return custom.length > 0 ? { ...changes, custom_fields: custom } : changes
}

interface CustomInput {
  readonly key: string
  readonly value: unknown
}

function mergeCustomValues(
  stored: Stored,
  { input, fieldId }: MergeSource,
  policyOf: (field: string) => Policy,
): CustomInput[] {
  const values = (stored['custom_values'] ?? {}) as Stored
  const entries = (input['custom_fields'] ?? []) as readonly CustomInput[]
  return entries.filter(({ key }) => {
    const policy = policyOf(`custom_fields.${key}`)
    const id = fieldId(key)
    return policy === 'overwrite' || (policy === 'fill' && (id === undefined || isBlank(values[id])))
  })
}

/** A number that nobody has set is 0. */
function isBlank(value: unknown): boolean {
  return value == null || value === '' || value === 0 || (Array.isArray(value) && value.length === 0)
}

function addMissing(current: unknown, added: unknown): readonly unknown[] {
  const entries = [...((current ?? []) as readonly unknown[]), ...((added ?? []) as readonly unknown[])]
  const keys = entries.map((entry) => JSON.stringify(entry))
  return entries.filter((_, index) => keys.indexOf(keys[index]!) === index)
}
