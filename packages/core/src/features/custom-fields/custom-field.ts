import { type DeriveInput, defineResource } from '../../engine/resource.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import {
  type CustomField,
  hasNeedlessOptions,
  lacksOptions,
  NO_OPTIONS_MESSAGE,
} from '../../schema/custom-field.ts'
import { usedOptions } from './used-options.ts'

/** Maximum per workspace. Concurrent creations can exceed it. */
const MAX_FIELDS = 500

export const customFields = defineResource('custom_fields', {
  deriveFields: deriveCustomField,
  extensions: [usedOptions],
})

/**
 * Checks the number of fields and the options. Rejects a change of type or key, because records have values
 * of that type under that key.
 */
async function deriveCustomField(
  { before, fields }: DeriveInput<CustomField>,
  { stores }: WorkspaceTransaction,
  errors: Map<string, string>,
): Promise<Partial<CustomField>> {
  if (!before) {
    const { total } = await stores.custom_fields.list({
      page: 1,
      per_page: 1,
      order_by: 'created_at',
      order: 'asc',
      where: [],
    })
    if (total >= MAX_FIELDS)
      errors.set('key', `The workspace has ${MAX_FIELDS} custom fields, which is as many as it can have.`)
    return fields
  }
  for (const field of ['type', 'key'] as const) {
    if (fields[field] !== undefined && fields[field] !== before[field])
      errors.set(field, 'Cannot be changed.')
  }
  const after = { type: before.type, value: fields.value === undefined ? before.value : fields.value }
  if (lacksOptions(after)) errors.set('value', 'Required.')
  if (hasNeedlessOptions(after)) errors.set('value', NO_OPTIONS_MESSAGE)
  return fields
}
