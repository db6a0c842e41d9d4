import type * as v from 'valibot'
import { validate } from '../../../engine/validate.ts'
import { randomHex } from '../../../kernel/random-hex.ts'
import type { Ports } from '../../../ports/index.ts'
import type { App } from '../../../schema/app.ts'
import { appInput, CONFIDENTIAL_DEFAULTS } from './app.ts'

/** A registered app, as `crm.oauth.registerApp` returns it. `operator.createApp` adds the secret. */
export type AppView = Pick<App, 'name' | 'redirect_uris' | 'scopes' | 'created_at'> & {
  readonly client_id: string
  readonly email: string
}

/** Creates an active app. The secret is in the result only: its hash is stored. */
export async function createApp(
  { storage, now, newId, random, secrets }: Ports,
  input: v.InferInput<typeof appInput>,
): Promise<AppView & { readonly client_secret: string }> {
  const fields = validate(appInput, input)
  const client_secret = randomHex(random)
  const at = now()
  const stamps = { id: newId(), created_at: at, updated_at: at }
  const app: App = {
    ...fields,
    ...CONFIDENTIAL_DEFAULTS,
    ...stamps,
    secret_hash: secrets.hash(client_secret),
    active: true,
  }
  await storage.transact((tx) => tx.apps.insert(app))
  return { client_id: app.id, ...fields, created_at: at, client_secret }
}
