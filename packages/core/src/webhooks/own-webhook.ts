import type { Actor } from '../actor.ts'
import { notFound } from '../errors.ts'
import { isUuid } from '../records/fields.ts'
import type { Unit } from '../records/unit.ts'
import type { Webhook } from './webhook.ts'

/** Opens all there is to a webhook. */
export const MANAGE = 'webhooks:manage'
/** Opens what changes nothing, as well. */
export const READ = 'webhooks:read'

/** What an app sees is what it made. */
export function ofApp({ clientId }: Actor) {
  return { field: 'client_id', is: clientId } as const
}

/** @throws CrmError `not_found`, for another app's as well */
export async function ownWebhook(actor: Actor, id: string, { stores }: Unit, how: 'get' | 'getForUpdate'): Promise<Webhook> {
  const webhook = isUuid(id) ? await stores.webhooks[how](id.toLowerCase()) : undefined
  if (webhook?.client_id !== actor.clientId) throw notFound('Webhook')
  return webhook
}
