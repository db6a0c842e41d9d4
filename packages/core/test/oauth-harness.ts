import type { UserSession } from '../src/features/accounts/account.ts'
import { localAccessGate } from '../src/features/rate-limits/local-access-gate.ts'
import type { Ports } from '../src/ports/index.ts'
import type { App } from '../src/schema/app.ts'
import { ANN, createTestCrm, UNKNOWN_ID } from './harness.ts'

export const REDIRECT_URI = 'https://app.example/back?x=1'
export const APP = {
  name: 'App',
  email: 'dev@app.example',
  redirect_uris: [REDIRECT_URI, 'https://app.example/other'],
  scopes: ['tasks:read', 'people:read', 'deals:read'],
}

/** The example of RFC 7636, appendix B. */
export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
export const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
export const PKCE = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }

export function buildUserSession(
  userId: string,
  { name, email }: { readonly name: string; readonly email: string },
): UserSession {
  return { session_id: UNKNOWN_ID, user: { id: userId, name, email } }
}

/** Creates a workspace with an app that Ann can authorize. */
export async function withApp(overrides?: Partial<Ports>) {
  const base = await createTestCrm(overrides)
  const { crm, storage, clock, ann } = base
  const { oauth } = crm
  const { client_id, client_secret } = await crm.operator.createApp(APP)
  const credentials = { client_id, client_secret }
  const authorizationRequest = { client_id, redirect_uri: REDIRECT_URI, response_type: 'code' }
  const userSession = buildUserSession(ann.userId, ANN)
  const authenticate = crm.createAuthenticator(localAccessGate(storage, clock.now))

  return {
    ...base,
    oauth,
    credentials,
    authorizationRequest,
    userSession,
    /** Returns an authorization code approved by Ann, requested with `more` parameters. */
    async codeFor(more: Readonly<Record<string, string>> = {}): Promise<string> {
      const location = await oauth.approve(
        userSession,
        await oauth.beginAuthorization({ ...authorizationRequest, ...more }),
        ann.workspaceId,
      )
      return new URL(location!).searchParams.get('code')!
    },
    exchange: (code: string, more: Readonly<Record<string, string>> = {}) =>
      oauth.token({ grant_type: 'authorization_code', code, ...credentials, ...more }),
    refresh: (refresh_token: string, more: Readonly<Record<string, string>> = {}) =>
      oauth.token({ grant_type: 'refresh_token', refresh_token, ...credentials, ...more }),
    /** Returns the scopes of an access token; `undefined` if it is not accepted. */
    async readScopes(access_token: string): Promise<readonly string[] | undefined> {
      const { actor } = await authenticate(`Bearer ${access_token}`, {
        forApp: () => undefined,
        forAddress: undefined,
      })
      return actor && [...actor.scopes]
    },
    grants: () => storage.read((tx) => tx.workspace(ann.workspaceId).grants.find([])),
    changeApp: (change: Partial<App>) =>
      storage.transact(async (tx) =>
        tx.apps.update({ ...(await tx.apps.getForUpdate(client_id))!, ...change }),
      ),
  }
}
