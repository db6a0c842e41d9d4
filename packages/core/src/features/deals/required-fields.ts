import type { Extension, ProposedChange } from '../../engine/extension.ts'
import { findMemberId } from '../../engine/references.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { type FieldErrors, validationError } from '../../kernel/errors.ts'
import { CUSTOM_PREFIX, type CustomField } from '../../schema/custom-field.ts'
import type { Deal } from '../../schema/deal.ts'
import type { KindName } from '../../schema/index.ts'
import { REQUIRABLE_FIELDS, readCustomKey } from '../pipelines/requirable-fields.ts'

/** Refuses a deal that comes into a stage without the fields that it requires. */
export const requiredFields: Extension<Deal> = { check: checkEntry }

/** @throws CrmError `validation_error` with each missing field */
async function checkEntry({ before, after }: ProposedChange<Deal>, transaction: WorkspaceTransaction) {
  if (before?.stage_id === after.stage_id) return
  const { stores } = transaction
  const { required_fields: names = [] } = (await stores.stages.get(after.stage_id)) ?? {}
  if (names.length === 0) return
  const keys = names.flatMap((name) => readCustomKey(name) ?? [])
  const customFields =
    keys.length === 0
      ? []
      : await stores.custom_fields.find([
          { field: 'key', oneOf: keys },
          { field: 'show_deals', is: true },
        ])
  const missing = findMissingFields(names, await dropDeletedLinks(names, after, transaction), customFields)
  if (Object.keys(missing).length > 0) throw validationError(missing)
}

/**
 * Returns the rule for each required field that the deal has not, by the name of its input. A custom field that was
 * deleted since is not required.
 */
export function findMissingFields(
  names: readonly string[],
  deal: Deal,
  customFields: readonly Pick<CustomField, 'id' | 'key'>[],
): FieldErrors {
  const missing = names.flatMap((name) => {
    const field = REQUIRABLE_FIELDS.get(name)
    if (field) return isEmpty(deal[field.column as keyof Deal], field.empty) ? [field.input] : []
    const custom = customFields.find(({ key }) => key === readCustomKey(name))
    return custom && deal.custom_values[custom.id] === undefined ? [`${CUSTOM_PREFIX}${custom.key}`] : []
  })
  return Object.fromEntries(missing.map((input) => [input, 'Required in this stage.']))
}

function isEmpty(value: unknown, empty: unknown): boolean {
  return value === null || value === empty || (Array.isArray(value) && value.length === 0)
}

/** The deal without the links whose records were deleted, and without an owner who was removed: views show none. */
async function dropDeletedLinks(
  names: readonly string[],
  deal: Deal,
  { stores }: WorkspaceTransaction,
): Promise<Deal> {
  const links = names.flatMap((name) => {
    const { column, kind } = REQUIRABLE_FIELDS.get(name) ?? {}
    const id = deal[column as keyof Deal]
    return kind !== undefined && typeof id === 'string'
      ? [{ column: column!, kind: kind as KindName, id }]
      : []
  })
  const isLive = ({ kind, id }: { readonly kind: KindName; readonly id: string }) =>
    kind === 'members' ? findMemberId(id, { stores }) : stores[kind].get(id)
  const found = await Promise.all(links.map(isLive))
  const deleted = links.filter((_, index) => found[index] === undefined).map(({ column }) => [column, null])
  return { ...deal, ...Object.fromEntries(deleted) }
}
