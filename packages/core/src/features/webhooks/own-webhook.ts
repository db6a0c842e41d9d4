import { findById } from '../../engine/find-by-id.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Webhook } from '../../schema/webhook.ts'

/** Opens all there is to a webhook. */
export const MANAGE_SCOPE = 'webhooks:manage'
/** Opens what changes nothing, as well. */
export const READ_SCOPE = 'webhooks:read'

/** What an app sees is what it made. */
export function whereOwnedByApp({ clientId }: Actor) {
  return { field: 'client_id', is: clientId } as const
}

/** @throws CrmError `not_found`, for another app's as well */
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
