import { localAccessGate } from '../src/features/rate-limits/local-access-gate.ts'
import type { FetchDocument, FetchedDocument, Ports } from '../src/ports/index.ts'
import type { Audience } from '../src/schema/grant.ts'
import { ANN, createTestCrm } from './harness.ts'
import { buildUserSession, PKCE, VERIFIER } from './oauth-harness.ts'

export const LOOPBACK = 'http://127.0.0.1/callback'
export const METADATA_URL = 'https://radar.example/oauth/client.json'
export const METADATA = {
  client_id: METADATA_URL,
  client_name: 'Lead Radar',
  redirect_uris: [LOOPBACK, 'https://radar.example/cb'],
}

/** Serves metadata documents by URL and records the requested URLs. */
export function createDocumentServer(initialDocuments: Readonly<Record<string, FetchedDocument>> = {}) {
  const documents = new Map(Object.entries(initialDocuments))
  const fetchedUrls: string[] = []
  const fetchDocument: FetchDocument = async (url) => {
    fetchedUrls.push(url)
    return documents.get(url)
  }
  return {
    fetchedUrls,
    fetchDocument,
    put: (content: unknown, max_age?: number, url = METADATA_URL) =>
      void documents.set(url, {
        text: typeof content === 'string' ? content : JSON.stringify(content),
        max_age,
      }),
    drop: (url = METADATA_URL) => void documents.delete(url),
  }
}

/** Creates a workspace with a registered public client that Ann can authorize. */
export async function withPublicClient(overrides?: Partial<Ports>) {
  const base = await createTestCrm(overrides)
  const { crm, storage, clock, ann } = base
  const { publicClients } = crm.oauth
  const { client_id } = await publicClients.register({ client_name: 'Radar', redirect_uris: [LOOPBACK] })
  const authorizationRequest = { client_id, redirect_uri: LOOPBACK, response_type: 'code', ...PKCE }
  const userSession = buildUserSession(ann.userId, ANN)
  const authenticate = crm.createAuthenticator(localAccessGate(storage, clock.now))

  return {
    ...base,
    publicClients,
    client_id,
    authorizationRequest,
    userSession,
    /** Returns an authorization code approved by Ann, requested with `more` parameters. */
    async codeFor(more: Readonly<Record<string, string>> = {}): Promise<string> {
      const location = await crm.oauth.approve(
        userSession,
        await publicClients.beginAuthorization({ ...authorizationRequest, ...more }),
        ann.workspaceId,
      )
      return new URL(location!).searchParams.get('code')!
    },
    exchange: (code: string, more: Readonly<Record<string, string>> = {}) =>
      publicClients.token({
        grant_type: 'authorization_code',
        code,
        client_id,
        code_verifier: VERIFIER,
        ...more,
      }),
    refresh: (refresh_token: string, more: Readonly<Record<string, string>> = {}) =>
      publicClients.token({ grant_type: 'refresh_token', refresh_token, client_id, ...more }),
    /** Returns the actor of an access token; `undefined` if it is not accepted for the audience. */
    async authenticateToken(access_token: string, audience: Audience = 'mcp') {
      return (
        await authenticate(
          `Bearer ${access_token}`,
          { forApp: () => undefined, forAddress: undefined },
          audience,
        )
      ).actor
    },
    grants: () => storage.read((tx) => tx.workspace(ann.workspaceId).grants.find([])),
    apps: () => storage.read((tx) => tx.apps.find([])),
  }
}

/** Creates the same workspace with a client described by a metadata document. */
export async function withMetadataDocument(content: unknown = METADATA, max_age?: number) {
  const documentServer = createDocumentServer()
  documentServer.put(content, max_age)
  const base = await withPublicClient({ fetchDocument: documentServer.fetchDocument })
  const authorizationRequest = { ...base.authorizationRequest, client_id: METADATA_URL }
  return {
    ...base,
    documentServer,
    authorizationRequest,
    beginAuthorization: (more: Readonly<Record<string, string>> = {}) =>
      base.publicClients.beginAuthorization({ ...authorizationRequest, ...more }),
    listDocumentClients: () => base.storage.read((tx) => tx.apps.find([{ field: 'kind', is: 'document' }])),
  }
}
