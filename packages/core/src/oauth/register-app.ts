import { HOUR } from '../instants.ts'
import type { From } from '../letters/letter.ts'
import { holdToLasting } from '../limits/count-lasting.ts'
import type { Ports } from '../ports.ts'
import { appInput, CONFIDENTIAL } from './app.ts'
import type { AppView } from './create-app.ts'
import { postCredentials } from './credentials.ts'
import { requested } from './requested.ts'

/**
 * Makes an app that is inactive until its secret is taken, by a link that is mailed. Whether the address is known makes no
 * difference.
 * @throws CrmError `invalid_request`, `rate_limit_exceeded`
 */
export async function registerApp(ports: Ports, input: unknown, from: From): Promise<AppView> {
  const { storage, now, newId } = ports
  const fields = requested(appInput, input)
  // Anyone may register in anyone's name: whoever owns the address is not to be flooded.
  if (from.limited !== false) await holdToLasting(ports, { key: `register-mail:${fields.email.toLowerCase()}`, limit: 3, seconds: HOUR })
  const at = now()
  const app = { ...fields, ...CONFIDENTIAL, id: newId(), secret_hash: null, active: false, created_at: at, updated_at: at }
  await storage.transact(async (tx) => {
    await tx.apps.insert(app)
    await postCredentials(tx, ports, app, 'app_registered', from, at)
  })
  return { client_id: app.id, ...fields, created_at: at }
}
