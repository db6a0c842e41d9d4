import * as v from 'valibot'
import type { Ports } from '../ports.ts'
import { email, line, listOf, object } from '../records/fields.ts'
import { isHttpUrl } from '../records/http-url.ts'
import { validate } from '../records/input.ts'
import { type App, appScopes } from './app.ts'
import { secretText } from './secret-text.ts'

/** Exact: https anywhere, or http on the loopback; no fragment, no credentials. */
const REDIRECT_URI = /^(https:\/\/[^\s/?#@\\]+|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?)([/?][^\s#\\]*)?$/

const redirectUri = v.pipe(
  line(1, 2048),
  v.check((value) => REDIRECT_URI.test(value) && isHttpUrl(value), 'Must be an https URL, or http on localhost, without a fragment.'),
)
const appInput = object({ name: line(1, 80), email, redirect_uris: listOf(redirectUri, 1, 10, 'URIs'), scopes: appScopes })

export type AppView = Pick<App, 'name' | 'email' | 'redirect_uris' | 'scopes' | 'created_at'> & { readonly client_id: string }

/** Makes an app that is active at once. Its secret is in this answer and nowhere else. */
export async function createApp(
  { storage, now, newId, random, secrets }: Ports,
  input: v.InferInput<typeof appInput>,
): Promise<AppView & { readonly client_secret: string }> {
  const fields = validate(appInput, input)
  const client_secret = secretText(random)
  const at = now()
  const app: App = { ...fields, id: newId(), secret_hash: secrets.hash(client_secret), active: true, created_at: at, updated_at: at }
  await storage.transact((tx) => tx.apps.insert(app))
  return { client_id: app.id, ...fields, created_at: at, client_secret }
}
