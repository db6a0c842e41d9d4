import type { Extension } from '../../engine/extension.ts'
import { type DeriveInput, defineResource } from '../../engine/resource.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { conflict } from '../../kernel/errors.ts'
import { foldText } from '../../kernel/fold-text.ts'
import type { Instant } from '../../kernel/instant.ts'
import { type LostReason, MAX_LOST_REASONS } from '../../schema/lost-reason.ts'
import { placeReasons } from './place-reasons.ts'

/** Fills the gap that a deleted reason leaves. */
const reasonOrder: Extension<LostReason> = {
  async beforeDelete({ id }, transaction, at) {
    const reasons = await lockReasons(transaction)
    await savePositions(placeReasons(reasons.filter((each) => each.id !== id)), at, transaction)
  },
}

export const lostReasons = defineResource('lost_reasons', {
  deriveFields: deriveReason,
  extensions: [reasonOrder],
  retire: (reason, at) => ({ ...reason, removed_at: at, updated_at: at }),
})

/**
 * Checks the number of reasons and the name, and moves the others to make place.
 * @throws CrmError `conflict` for a name that another reason has
 */
async function deriveReason(
  { before, fields, at }: DeriveInput<LostReason>,
  transaction: WorkspaceTransaction,
  errors: Map<string, string>,
): Promise<Partial<LostReason>> {
  const reasons = await lockReasons(transaction)
  const others = reasons.filter(({ id }) => id !== before?.id)
  if (!before && others.length >= MAX_LOST_REASONS) {
    const rule = `The workspace has ${MAX_LOST_REASONS} lost reasons, which is as many as it can have.`
    errors.set('name', rule)
    return fields
  }
  if (fields.name !== undefined) requireFreeName(fields.name, others)
  if (before && fields.position === undefined) return fields
  const position = Math.min(fields.position ?? others.length, others.length)
  await savePositions(placeReasons(others, position), at, transaction)
  return { ...fields, position }
}

/** The reasons that can be chosen, which nobody else changes until the transaction ends. */
async function lockReasons(transaction: WorkspaceTransaction): Promise<readonly LostReason[]> {
  await transaction.lock('lost_reasons')
  return transaction.stores.lost_reasons.find([])
}

function requireFreeName(name: string, others: readonly LostReason[]): void {
  const folded = foldText(name)
  const holder = others.find((each) => foldText(each.name) === folded)
  if (holder) throw conflict('name', undefined, { existingIds: [holder.id] })
}

async function savePositions(
  reasons: readonly LostReason[],
  at: Instant,
  { stores }: WorkspaceTransaction,
): Promise<void> {
  for (const reason of reasons) await stores.lost_reasons.update({ ...reason, updated_at: at })
}
