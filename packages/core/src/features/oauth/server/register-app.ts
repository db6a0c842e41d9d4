import { HOUR } from '../../../kernel/instant.ts'
import type { Ports } from '../../../ports/index.ts'
import type { RequestOrigin } from '../../mail/outgoing-mail.ts'
import { enforcePersistentRateLimit } from '../../rate-limits/persistent-rate-limit.ts'
import { appInput, CONFIDENTIAL_DEFAULTS } from './app.ts'
import { mailCredentialsLink } from './client-secret-link.ts'
import type { AppView } from './create-app.ts'
import { validateRequest } from './validate-request.ts'

/**
 * Creates an inactive app and mails its owner a link that issues the secret and activates the app. The
 * response does not depend on whether the e-mail address is known.
 * @throws CrmError `invalid_request`, `rate_limit_exceeded`
 */
export async function registerApp(ports: Ports, input: unknown, origin: RequestOrigin): Promise<AppView> {
  const { storage, now, newId } = ports
  const fields = validateRequest(appInput, input)
  // Anyone can register with any e-mail address, so mail to one address is limited.
  if (origin.isRateLimited !== false)
    await enforcePersistentRateLimit(ports, {
      key: `register-mail:${fields.email.toLowerCase()}`,
      limit: 3,
      seconds: HOUR,
    })
  const at = now()
  const app = {
    ...fields,
    ...CONFIDENTIAL_DEFAULTS,
    id: newId(),
    secret_hash: null,
    active: false,
    created_at: at,
    updated_at: at,
  }
  await storage.transact(async (tx) => {
    await tx.apps.insert(app)
    await mailCredentialsLink(tx, ports, app, 'app_registered', origin, at)
  })
  return { client_id: app.id, ...fields, created_at: at }
}
