import { prefixFields } from '../../engine/error-fields.ts'
import { resolveReferences } from '../../engine/references.ts'
import { throwIfErrors } from '../../engine/validate.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { FilteredKind } from '../../schema/saved-view.ts'
import { resolveListIds } from '../associations/associations.ts'
import { isCustomFieldKind, resolveCustomValues } from '../custom-fields/custom-values.ts'
import { resolveTagIds } from '../tags/tag.ts'
import type { RecordChange } from './bulk-input.ts'
import { resourceOf } from './bulk-kinds.ts'

/**
 * Checks that what a change names exists, so that it is not refused by each record.
 * @throws CrmError `validation_error`, its fields below `change`
 */
export async function checkChange(
  kind: FilteredKind,
  { fields, memberships }: RecordChange,
  transaction: WorkspaceTransaction,
): Promise<void> {
  const errors = new Map<string, string>()
  const { tags, lists, custom_fields } = fields as Readonly<Record<string, readonly never[] | undefined>>
  const { add_tags, add_lists } = memberships
  const added = new Map<string, string>()
  await resolveReferences(resourceOf(kind).references, fields, transaction, errors)
  await resolveTagIds(tags ?? [], transaction, errors)
  await resolveListIds(lists ?? [], transaction, errors)
  await resolveTagIds(add_tags ?? [], transaction, added)
  await resolveListIds(add_lists ?? [], transaction, added)
  if (custom_fields && isCustomFieldKind(kind))
    await resolveCustomValues(kind, custom_fields, {}, transaction, errors)
  for (const [path, message] of added) errors.set(`add_${path}`, message)
  await prefixFields('change', () => throwIfErrors(errors, { ...fields, ...memberships }))
}
