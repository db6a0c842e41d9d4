import * as v from 'valibot'
import { CrmError } from '../errors.ts'
import { HOUR } from '../instants.ts'
import type { From } from '../letters/letter.ts'
import { holdToLasting } from '../limits/count-lasting.ts'
import type { Ports, RecordStore } from '../ports.ts'
import { email, isUuid, object } from '../records/fields.ts'
import type { App } from './app.ts'
import { postCredentials } from './credentials.ts'
import { requested } from './requested.ts'

export const rotateInput = object({ client_id: v.pipe(v.string('Must be a string.'), v.minLength(1, 'Required.')), email })

/**
 * Ends the app's secret at once, and mails its owner a link to another. An app that is not active yet gets another link.
 * @throws CrmError `invalid_request`, `rate_limit_exceeded`; `invalid_client` for an app that does not exist and for an e-mail that
 * is not its own, which are not told apart
 */
export async function rotateApp(ports: Ports, input: unknown, from: From): Promise<{ readonly client_id: string }> {
  const { storage, now } = ports
  const asked = requested(rotateInput, input)
  const { id } = await storage.read((tx) => appNamed(tx.apps, asked, 'get'))
  if (from.limited !== false) {
    await holdToLasting(ports, { key: `app-rotate:${id}`, limit: 10, seconds: HOUR })
    // More than one app may take: a stranger who registers apps under an address keeps its owner from no rotation.
    await holdToLasting(ports, { key: `rotate-mail:${asked.email.toLowerCase()}`, limit: 20, seconds: HOUR })
  }
  await storage.transact(async (tx) => {
    const app = await appNamed(tx.apps, asked, 'getForUpdate')
    const at = now()
    await tx.apps.update({ ...app, secret_hash: null, updated_at: at }, app)
    await postCredentials(tx, ports, app, 'app_rotated', from, at)
  })
  return { client_id: id }
}

async function appNamed(
  apps: RecordStore<App>,
  asked: v.InferOutput<typeof rotateInput>,
  how: 'get' | 'getForUpdate',
): Promise<App & { readonly email: string }> {
  const app = isUuid(asked.client_id) ? await apps[how](asked.client_id.toLowerCase()) : undefined
  const email = app?.email ?? undefined
  if (!app || email === undefined || email.toLowerCase() !== asked.email.toLowerCase()) throw noSuchApp()
  return { ...app, email }
}

function noSuchApp(): CrmError {
  return new CrmError('invalid_client', 'There is no app with this client_id and e-mail.')
}
