import type * as v from 'valibot'
import { recordApi } from '../../engine/crud.ts'
import type { Engine } from '../../engine/extension.ts'
import { keyedUpdate } from '../../engine/keyed-writes.ts'
import { buildDetailView, loadForUpdate } from '../../engine/load-record.ts'
import { withCurrentRole } from '../../engine/load-role.ts'
import { hasChanges } from '../../engine/patch.ts'
import { requireVersion } from '../../engine/record-version.ts'
import { throwIfErrors, validatePatch } from '../../engine/validate.ts'
import { inWorkspace, type WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { requireScope } from '../../kernel/actor.ts'
import { conflict } from '../../kernel/errors.ts'
import { requirePermission } from '../../kernel/permissions.ts'
import type { CustomField } from '../../schema/custom-field.ts'
import { optionFacet } from '../../schema/facets.ts'
import { type CustomFieldView, customFields } from './custom-field.ts'

/** The record API of custom fields. An update cannot remove an option that a record has selected. */
export function customFieldApi(engine: Engine) {
  const { storage, now, random } = engine
  const records = recordApi(customFields, engine)

  const api: typeof records = {
    ...records,

    ...keyedUpdate<v.InferInput<typeof customFields.update>, CustomFieldView>(
      customFields,
      engine,
      async (actor, id, input, options) => {
        requireScope(actor, customFields.scopes.write)
        const changes = validatePatch(customFields.update, input)
        return storage.transact(async (tx) => {
          const unit = inWorkspace(tx, actor.workspaceId)
          const before = await loadForUpdate(customFields, id, unit)
          const at = now()
          const errors = new Map<string, string>()
          const fields = await customFields.deriveFields(
            { before, fields: changes as Partial<CustomField>, at, random },
            unit,
            errors,
          )
          throwIfErrors(errors)
          requirePermission(await withCurrentRole(actor, unit), 'update', customFields, before)
          requireVersion(before, options, engine)
          const after = hasChanges(before, fields) ? { ...before, ...fields, updated_at: at } : before
          if (after !== before) {
            await assertOptionsUnused(before, after, unit)
            await unit.stores.custom_fields.update(after)
          }
          const view = await buildDetailView(customFields, after, unit)
          await options.saveResponse?.(tx, view)
          return view
        })
      },
    ),
  }
  return api
}

/** @throws CrmError `conflict` */
async function assertOptionsUnused(
  before: CustomField,
  after: CustomField,
  { stores }: WorkspaceTransaction,
): Promise<void> {
  const remainingKeys = new Set(after.value?.select_list.map(({ key }) => key))
  const removedOptions = (before.value?.select_list ?? []).filter(({ key }) => !remainingKeys.has(key))
  // One after another: the count of an option that is held takes as long as there are records.
  for (const { key } of removedOptions) {
    const facet = optionFacet(before.id, key)
    const counts = await Promise.all(
      [stores.people, stores.companies, stores.deals].map((store) =>
        store.countByTerm('search_terms', [facet]),
      ),
    )
    const count = counts.reduce((sum, byFacet) => sum + byFacet.get(facet)!, 0)
    if (count > 0) throw conflict('value', heldOptionRule(key, count))
  }
}

function heldOptionRule(key: string, count: number): string {
  return count === 1
    ? `1 record holds the option "${key}". Change it first.`
    : `${count} records hold the option "${key}". Change them first.`
}
