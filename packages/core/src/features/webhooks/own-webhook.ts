import { findById } from '../../engine/find-by-id.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Webhook } from '../../schema/webhook.ts'

/** Allows all operations on webhooks. */
export const MANAGE_SCOPE = 'webhooks:manage'
/** Allows reads, as `MANAGE_SCOPE` does too. */
export const READ_SCOPE = 'webhooks:read'

/** Returns the condition that limits a list to the webhooks of the actor's app. */
export function whereOwnedByApp({ clientId }: Actor) {
  return { field: 'client_id', is: clientId } as const
}

/** @throws CrmError `not_found`, also for a webhook of another app */
export async function loadOwnWebhook(
  actor: Actor,
  id: string,
  { stores }: WorkspaceTransaction,
  method: 'get' | 'getForUpdate',
): Promise<Webhook> {
  const webhook = await findById(stores.webhooks, id, method)
  if (webhook?.client_id !== actor.clientId) throw notFound('Webhook')
  return webhook
}
