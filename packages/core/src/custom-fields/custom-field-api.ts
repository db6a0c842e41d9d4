import { authorize } from '../actor.ts'
import { conflict } from '../errors.ts'
import { permit } from '../permissions.ts'
import type { Ports } from '../ports.ts'
import { detailOf, existing } from '../records/existing.ts'
import { holding, optionMark } from '../records/found-by.ts'
import { throwIfAny, validatePatch } from '../records/input.ts'
import { recordApi } from '../records/records.ts'
import { changes } from '../records/sent.ts'
import { type Unit, unitOf } from '../records/unit.ts'
import { type CustomField, customFields } from './custom-field.ts'

/** Custom fields, of which no option is removed that a record holds. */
export function customFieldApi(ports: Ports) {
  const { storage, now, random } = ports
  const records = recordApi(customFields, ports)

  const api: typeof records = {
    ...records,

    async update(actor, id, input) {
      authorize(actor, customFields.scopes.write)
      const asked = validatePatch(customFields.update, input)
      return storage.transact(async (tx) => {
        const unit = unitOf(tx, actor.workspaceId)
        const before = await existing(customFields, id, unit, 'getForUpdate')
        const at = now()
        const errors = new Map<string, string>()
        const fields = await customFields.settle({ before, fields: asked as Partial<CustomField>, at, random }, unit, errors)
        throwIfAny(errors)
        permit(actor, 'update', customFields.label, before)
        if (!changes(before, fields)) return detailOf(customFields, before, unit)
        const after = { ...before, ...fields, updated_at: at }
        await refuseHeldOptions(before, after, unit)
        await unit.stores.custom_fields.update(after, before)
        return detailOf(customFields, after, unit)
      })
    },
  }
  return api
}

/** @throws CrmError `conflict` */
async function refuseHeldOptions(before: CustomField, after: CustomField, { stores }: Unit): Promise<void> {
  const kept = new Set(after.value?.select_list.map(({ key }) => key))
  const removed = (before.value?.select_list ?? []).filter(({ key }) => !kept.has(key))
  const held = await Promise.all(
    removed.flatMap(({ key }) => {
      const where = [holding<{ readonly found_by: string }>(optionMark(before.id, key))]
      return [stores.people, stores.companies, stores.deals].map((store) => store.has(where))
    }),
  )
  if (held.includes(true)) throw conflict('value', 'An option that is to be removed is still held by records.')
}
