import type * as v from 'valibot'
import { type Actor, authorize } from '../actor.ts'
import { permit } from '../permissions.ts'
import type { Ports } from '../ports.ts'
import { detailOf, removeRecord } from '../records/existing.ts'
import { throwIfAny, validate } from '../records/input.ts'
import { type Listing, metaOf, storeQuery } from '../records/query.ts'
import { recordApi } from '../records/records.ts'
import { resolveReferences } from '../records/references.ts'
import { ownerFaults, withoutNulls } from '../records/sent.ts'
import { unitOf } from '../records/unit.ts'
import { emitChange, subscribersTo } from '../webhooks/emit.ts'
import { type Activity, type ActivityDetail, type ActivityItem, activitiesAt, activityQuery } from './activity.ts'
import { linkedTo } from './activity-link.ts'
import { newAttachments, readAttachments, removeAttachments } from './attach.ts'

/** An activity is made together with its attachments, which it keeps, and is listed with others of one entity. */
export function activityApi(ports: Ports) {
  const { storage, now, newId, random } = ports
  const activities = activitiesAt(ports.issuer, ports.cleanHtml)
  const { label, scopes } = activities
  const records = recordApi(activities, ports)

  return {
    get: records.get,
    update: records.update,

    /** @throws CrmError `insufficient_scope`, `validation_error` */
    async list(actor: Actor, query: v.InferInput<typeof activityQuery>): Promise<Listing<ActivityItem>> {
      authorize(actor, scopes.read)
      const asked = validate(activityQuery, query, 'parameter')
      return storage.read(async (tx) => {
        const unit = unitOf(tx, actor.workspaceId)
        const entity = await unit.stores[asked.entity].get(asked.id)
        const wanted = await storeQuery<Activity>(asked, activities.filters, unit)
        if (!entity || !wanted) return { data: [], meta: metaOf(asked, 0) }
        const where = [linkedTo(asked.entity, entity.id), ...wanted.where]
        const { rows, total } = await unit.stores.activities.list({ ...wanted, where })
        return { data: await activities.listView(rows, unit), meta: metaOf(asked, total) }
      })
    },

    /** @throws CrmError `insufficient_scope`, `validation_error`, `forbidden` */
    async create(actor: Actor, input: v.InferInput<typeof activities.create>): Promise<ActivityDetail> {
      authorize(actor, scopes.write)
      const { contents, faults } = await readAttachments(input, ports.files)
      const noted = { ...faults, ...ownerFaults(withoutNulls(input)) }
      const { attachments, ...own } = validate(activities.create, input, 'field', noted)
      return storage.transact(async (tx) => {
        const unit = unitOf(tx, actor.workspaceId)
        const at = now()
        const errors = new Map<string, string>()
        const [fields, webhooks] = await Promise.all([
          resolveReferences(activities.references, withoutNulls(own), unit, errors),
          subscribersTo(activities, unit),
        ])
        const settled = await activities.settle({ before: undefined, fields, at, random }, unit, errors)
        throwIfAny(errors)
        permit(actor, 'create', label, undefined, settled)
        const counted = { attachments_count: attachments?.length ?? 0 }
        const activity: Activity = { id: newId(), ...activities.blank, ...settled, ...counted, created_at: at, updated_at: null }
        const made = newAttachments(activity, attachments ?? [], contents, { newId, random })
        const { stores } = unit
        await Promise.all([
          stores.activities.insert(activity),
          stores.files.insertMany(made.files),
          stores.attachments.insertMany(made.attachments),
        ])
        const view = await detailOf(activities, activity, unit)
        await emitChange(activities, { after: async () => view }, webhooks, unit, { at, newId })
        return view
      })
    },

    /** Its files are gone for good. @throws CrmError `insufficient_scope`, `not_found`, `forbidden` */
    async remove(actor: Actor, id: string): Promise<void> {
      authorize(actor, scopes.write)
      await removeRecord(activities, ports, actor, id, (activity, unit, at) => removeAttachments(activity.id, at, unit))
    },
  }
}
