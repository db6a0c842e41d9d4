import type { Extension } from '../../engine/extension.ts'
import { type DeriveInput, defineResource } from '../../engine/resource.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { conflict, validationError } from '../../kernel/errors.ts'
import { MAX_TARGETS, type Target } from '../../schema/target.ts'

/** Checked once the actor may set targets: the refusals tell of targets that a member may not see. */
const oneOfEach: Extension<Target> = {
  async check({ before, after }, transaction) {
    if (!before) await requireFree(after, transaction)
  },
}

export const targets = defineResource('targets', { deriveFields: deriveTarget, extensions: [oneOfEach] })

/** Fills in the currency of a new target, and keeps what tells targets apart. */
async function deriveTarget(
  { before, fields }: DeriveInput<Target>,
  { shared, workspaceId }: WorkspaceTransaction,
  errors: Map<string, string>,
): Promise<Partial<Target>> {
  if (before) {
    for (const name of ['month', 'owner_id', 'currency'] as const)
      if (fields[name] !== undefined && fields[name] !== before[name])
        errors.set(name, 'Must equal the current value: it cannot be changed.')
    return fields
  }
  const currency = fields.currency ?? (await shared.workspaces.get(workspaceId))!.currency
  return { ...fields, currency }
}

/** @throws CrmError `conflict` for a target that exists, `validation_error` if the workspace can have no more */
async function requireFree(
  { month, owner_id, currency }: Target,
  { lock, stores }: WorkspaceTransaction,
): Promise<void> {
  await lock('targets')
  const [[same], [total]] = await Promise.all([
    stores.targets.find([
      { field: 'month', is: month },
      { field: 'owner_id', is: owner_id },
      { field: 'currency', is: currency },
    ]),
    stores.targets.aggregate({ where: [], groupBy: [], order: 'count', limit: 1 }),
  ])
  if (same) {
    const rule = 'The member has a target for this month in this currency.'
    throw conflict('month', rule, { existingIds: [same.id] })
  }
  if (total && total.count >= MAX_TARGETS)
    throw validationError({
      month: `The workspace has ${MAX_TARGETS} targets, which is as many as it can have.`,
    })
}
