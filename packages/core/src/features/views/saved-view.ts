import * as v from 'valibot'
import { withCurrentRole } from '../../engine/load-role.ts'
import { type DeriveInput, defineResource } from '../../engine/resource.ts'
import type { ViewTransaction } from '../../engine/workspace-transaction.ts'
import { forbidden } from '../../kernel/errors.ts'
import { AGGREGATE_OPTIONS } from '../../schema/aggregate-options.ts'
import type { SavedView } from '../../schema/saved-view.ts'
import { fieldOrder } from '../filters/field-order.ts'
import { treeFilter } from '../filters/tree-filter.ts'
import { loadMissingFields } from './missing-fields.ts'

/** Maximum per workspace. */
const MAX_VIEWS = 100

export const savedViews = defineResource('views', {
  deriveFields: deriveView,
  loaders: { missing_fields: loadMissingFields },
})

/** Sets the owner of a new view, and checks what the view names against its kind. */
async function deriveView(
  { before, fields, at }: DeriveInput<SavedView>,
  transaction: ViewTransaction,
  errors: Map<string, string>,
): Promise<Partial<SavedView>> {
  await transaction.lock('views')
  const { service, actor } = transaction
  const all = await service.stores.views.find([])
  if (!before && all.length >= MAX_VIEWS)
    errors.set('name', `The workspace has ${MAX_VIEWS} views, which is as many as it can have.`)
  const kind = before?.kind ?? fields.kind!
  const view = { ...before, ...fields } as SavedView
  if (before && view.kind !== before.kind)
    errors.set('kind', 'Must equal the current value: it cannot be changed.')
  if (view.layout === 'board' && kind !== 'deals')
    errors.set('layout', 'Must be table: only deals have a board.')
  const groups: readonly string[] = AGGREGATE_OPTIONS[kind].groups
  if (view.group_by && !groups.includes(view.group_by))
    errors.set('group_by', `Must be one of: ${groups.join(', ')}.`)
  if (view.default_for?.length > 0 && view.shared !== 'everyone')
    errors.set(
      fields.default_for ? 'default_for' : 'shared',
      'Must be everyone: the view is the default of a role.',
    )
  if (errors.size > 0) return fields
  if (fields.filter) await treeFilter(kind).conditions(fields.filter, transaction)
  if (fields.order_by || fields.order) await checkOrder(view, transaction, errors)
  if (fields.default_for && fields.default_for.join() !== (before?.default_for ?? []).join()) {
    await requireOwner(transaction)
    await takeDefault(
      { ...view, id: before?.id ?? '', default_for: fields.default_for },
      all,
      at,
      transaction,
    )
  }
  return before ? fields : { ...fields, owner_user_id: actor.userId }
}

async function checkOrder(
  { kind, order_by, order }: SavedView,
  transaction: ViewTransaction,
  errors: Map<string, string>,
): Promise<void> {
  const listOrder = fieldOrder(kind)
  for (const [name, value] of Object.entries({ order_by: order_by ?? undefined, order })) {
    if (value === undefined) continue
    const { issues } = v.safeParse(listOrder[name as 'order_by' | 'order'], value)
    if (issues) errors.set(name, issues[0].message)
  }
  if (errors.size === 0 && order_by) await listOrder.resolve({ order_by, order }, transaction)
}

/** @throws CrmError `forbidden` */
async function requireOwner(transaction: ViewTransaction): Promise<void> {
  const { role } = await withCurrentRole(transaction.actor, transaction)
  if (role !== 'owner')
    throw forbidden('update', 'view', { default_for: 'Only an owner of the workspace sets it.' })
}

/** Takes the roles from the other views of the kind: one view is the default of a role. */
async function takeDefault(
  view: SavedView,
  all: readonly SavedView[],
  at: string,
  { service }: ViewTransaction,
): Promise<void> {
  for (const other of all) {
    const kept = other.default_for.filter((role) => !view.default_for.includes(role))
    if (other.kind !== view.kind || other.id === view.id || kept.length === other.default_for.length) continue
    await service.stores.views.update({ ...other, default_for: kept, updated_at: at })
  }
}
