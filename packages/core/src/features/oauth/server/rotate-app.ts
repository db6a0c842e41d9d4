import * as v from 'valibot'
import { findById } from '../../../engine/find-by-id.ts'
import { CrmError } from '../../../kernel/errors.ts'
import { knownEmail } from '../../../kernel/field-schemas.ts'
import { HOUR } from '../../../kernel/instant.ts'
import { object } from '../../../kernel/object-schemas.ts'
import type { RecordStore } from '../../../kernel/record-store.ts'
import type { Ports } from '../../../ports/index.ts'
import type { App } from '../../../schema/app.ts'
import type { RequestOrigin } from '../../mail/outgoing-mail.ts'
import { enforcePersistentRateLimit } from '../../rate-limits/persistent-rate-limit.ts'
import { mailCredentialsLink } from './client-secret-link.ts'
import { validateRequest } from './validate-request.ts'

/** The schema of `crm.oauth.rotateApp`: the app, and the e-mail address it was registered with. */
export const rotateInput = object({
  client_id: v.pipe(v.string('Must be a string.'), v.minLength(1, 'Required.')),
  email: knownEmail,
})

/**
 * Invalidates the app's secret and mails its owner a link that issues a new one. An app that is not active
 * yet gets another link.
 * @throws CrmError `invalid_request`, `rate_limit_exceeded`; `invalid_client` for an unknown app and also for
 * a wrong e-mail address
 */
export async function rotateApp(
  ports: Ports,
  input: unknown,
  origin: RequestOrigin,
): Promise<{ readonly client_id: string }> {
  const { storage, now } = ports
  const request = validateRequest(rotateInput, input)
  const { id } = await storage.read((tx) => findApp(tx.apps, request, 'get'))
  if (origin.isRateLimited !== false) {
    await enforcePersistentRateLimit(ports, { key: `app-rotate:${id}`, limit: 10, seconds: HOUR })
    // Higher than the limit per app, so that apps registered by others with this address do not block its
    // owner.
    await enforcePersistentRateLimit(ports, {
      key: `rotate-mail:${request.email.toLowerCase()}`,
      limit: 20,
      seconds: HOUR,
    })
  }
  await storage.transact(async (tx) => {
    const app = await findApp(tx.apps, request, 'getForUpdate')
    const at = now()
    await tx.apps.update({ ...app, secret_hash: null, updated_at: at })
    await mailCredentialsLink(tx, ports, app, 'app_rotated', origin, at)
  })
  return { client_id: id }
}

async function findApp(
  apps: RecordStore<App>,
  request: v.InferOutput<typeof rotateInput>,
  method: 'get' | 'getForUpdate',
): Promise<App & { readonly email: string }> {
  const app = await findById(apps, request.client_id, method)
  const email = app?.email ?? undefined
  if (!app || email === undefined || email.toLowerCase() !== request.email.toLowerCase()) throw appNotFound()
  return { ...app, email }
}

function appNotFound(): CrmError {
  return new CrmError('invalid_client', 'There is no app with this client_id and e-mail.')
}
