import * as v from 'valibot'
import { SCOPES } from '../actor.ts'
import { invalid, notFound } from '../errors.ts'
import type { Ports, Transaction } from '../ports.ts'
import { email, isUuid, line, listOf, object, oneOf, optional, uuid } from '../records/fields.ts'
import { validate } from '../records/input.ts'
import { ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_DAYS } from './access-token.ts'
import type { App } from './app.ts'
import type { Grant } from './grant.ts'
import type { AccessTokens } from './tokens.ts'

const DAY_MS = 86_400_000
/** Exact: https anywhere, or http on the loopback; no fragment, no credentials. */
const REDIRECT_URI = /^(https:\/\/[^\s/?#@\\]+|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?)([/?][^\s#\\]*)?$/

const scopes = listOf(oneOf(SCOPES), 1, SCOPES.length, 'scopes')
const redirectUri = v.pipe(
  line(1, 2048),
  v.check((value) => REDIRECT_URI.test(value), 'Must be an https URL, or http on localhost, without a fragment.'),
)
const appInput = object({ name: line(1, 80), email, redirect_uris: listOf(redirectUri, 1, 10, 'URIs'), scopes })
const tokenInput = object({ workspace: line(1, 63), client_id: uuid, user_email: email, ...optional({ scopes }) })

export type AppView = Pick<App, 'name' | 'email' | 'redirect_uris' | 'scopes' | 'created_at'> & { readonly client_id: string }

/** The contract's Token response. */
export interface TokenResponse {
  readonly access_token: string
  readonly refresh_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly workspace_slug: string
}

/** Makes an app that is active at once. Its secret is in this answer and nowhere else. */
export async function createApp(
  { storage, now, newId, random, secrets }: Ports,
  input: v.InferInput<typeof appInput>,
): Promise<AppView & { readonly client_secret: string }> {
  const fields = validate(appInput, input)
  const client_secret = randomText(random)
  const at = now()
  const app: App = { ...fields, id: newId(), secret_hash: secrets.hash(client_secret), active: true, created_at: at, updated_at: at }
  await storage.transact((tx) => tx.apps.insert(app))
  return { client_id: app.id, ...fields, created_at: at, client_secret }
}

/** Records a grant as if the user had approved it, and gives its tokens. @throws CrmError `validation_error` */
export async function createToken(ports: Ports, tokens: AccessTokens, input: v.InferInput<typeof tokenInput>): Promise<TokenResponse> {
  const { storage, now, newId, random, secrets } = ports
  const asked = validate(tokenInput, input)
  const refresh_token = `crm_rt_${randomText(random)}`
  const at = now()
  const made = await storage.transact(async (tx) => {
    const { workspace, app, userId } = await approvedBy(tx, asked)
    const grant: Grant = {
      id: newId(),
      user_id: userId,
      client_id: app.id,
      scopes: asked.scopes ?? app.scopes,
      refresh_hash: secrets.hash(refresh_token),
      refresh_expires_at: new Date(Date.parse(at) + REFRESH_TOKEN_DAYS * DAY_MS).toISOString(),
      revoked_at: null,
      created_at: at,
      updated_at: at,
    }
    const beyond = grant.scopes.filter((scope) => !app.scopes.includes(scope))
    if (beyond.length > 0) throw invalid({ scopes: `The app does not have: ${beyond.join(', ')}.` })
    await tx.workspace(workspace.id).grants.insert(grant)
    return { grant, workspace }
  })
  const access_token = await tokens.sign(made.grant, made.workspace.id, made.grant.scopes)
  return { access_token, refresh_token, token_type: 'Bearer', expires_in: ACCESS_TOKEN_SECONDS, workspace_slug: made.workspace.slug }
}

async function approvedBy(tx: Transaction, asked: v.InferOutput<typeof tokenInput>) {
  const [workspace] = await tx.workspaces.find([{ field: 'slug', is: asked.workspace.toLowerCase() }])
  if (!workspace) throw notFound('Workspace')
  const app = isUuid(asked.client_id) ? await tx.apps.get(asked.client_id) : undefined
  if (!app?.active) throw notFound('App')
  const [user] = await tx.users.find([{ field: 'email', is: asked.user_email.toLowerCase() }])
  const member = user && (await tx.workspace(workspace.id).members.getForShare(user.id))
  if (!member || member.removed_at !== null) throw notFound('Member')
  return { workspace, app, userId: member.id }
}

/** 256 bits in hex. */
function randomText(random: (bytes: number) => Uint8Array): string {
  return Array.from(random(32), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
