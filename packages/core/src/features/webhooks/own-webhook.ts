import { findById } from '../../engine/find-by-id.ts'
import { withCurrentRole } from '../../engine/load-role.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import { CONSOLE_CLIENT_ID } from '../../kernel/console-client.ts'
import { forbidden, notFound } from '../../kernel/errors.ts'
import type { Webhook } from '../../schema/webhook.ts'

/** Allows all operations on webhooks. */
export const MANAGE_SCOPE = 'webhooks:manage'
/** Allows reads, as `MANAGE_SCOPE` does too. */
export const READ_SCOPE = 'webhooks:read'

/** Returns the condition that limits a list to the webhooks of the actor's app. */
export function whereOwnedByApp({ clientId }: Actor) {
  return { field: 'client_id', is: clientId } as const
}

/**
 * Webhooks of the console are for owners and admins. Those of an app are for everyone who let it in: the app decides.
 * @throws CrmError `forbidden`
 */
export async function requireWebhookPermission(
  actor: Actor,
  operation: 'create' | 'read' | 'update' | 'delete',
  transaction: WorkspaceTransaction,
): Promise<void> {
  const { role } = await withCurrentRole(actor, transaction)
  if (actor.clientId === CONSOLE_CLIENT_ID && role === 'member') throw forbidden(operation, 'webhook')
}

/**
 * Returns a webhook of the actor's app.
 * @throws CrmError `not_found`, also for a webhook of another app; `forbidden`
 */
export async function loadOwnWebhook(
  actor: Actor,
  id: string,
  transaction: WorkspaceTransaction,
  operation: 'read' | 'update' | 'delete',
): Promise<Webhook> {
  const webhook = await findById(
    transaction.stores.webhooks,
    id,
    operation === 'read' ? 'get' : 'getForUpdate',
  )
  if (webhook?.client_id !== actor.clientId) throw notFound('Webhook')
  await requireWebhookPermission(actor, operation, transaction)
  return webhook
}
