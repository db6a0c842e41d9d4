import { localAccessGate } from '../src/features/rate-limits/local-access-gate.ts'
import type { FetchDocument, FetchedDocument, Ports } from '../src/ports/index.ts'
import type { Audience } from '../src/schema/grant.ts'
import { ANN, createTestCrm } from './harness.ts'
import { buildVisitor, PKCE, VERIFIER } from './oauth-harness.ts'

export const LOOPBACK = 'http://127.0.0.1/callback'
export const METADATA_URL = 'https://radar.example/oauth/client.json'
export const METADATA = {
  client_id: METADATA_URL,
  client_name: 'Lead Radar',
  redirect_uris: [LOOPBACK, 'https://radar.example/cb'],
}

/** What is at the address of each document, and how often it was asked for. */
export function createDocumentServer(found: Readonly<Record<string, FetchedDocument>> = {}) {
  const table = new Map(Object.entries(found))
  const asked: string[] = []
  const fetchDocument: FetchDocument = async (url) => {
    asked.push(url)
    return table.get(url)
  }
  return {
    asked,
    fetchDocument,
    put: (content: unknown, max_age?: number, url = METADATA_URL) =>
      void table.set(url, { text: typeof content === 'string' ? content : JSON.stringify(content), max_age }),
    drop: (url = METADATA_URL) => void table.delete(url),
  }
}

/** The office, and a program that registered itself and that Ann lets in. */
export async function withPublicClient(overrides?: Partial<Ports>) {
  const base = await createTestCrm(overrides)
  const { crm, storage, clock, ann } = base
  const { publicClients } = crm.oauth
  const { client_id } = await publicClients.register({ client_name: 'Radar', redirect_uris: [LOOPBACK] })
  const asked = { client_id, redirect_uri: LOOPBACK, response_type: 'code', ...PKCE }
  const visitor = buildVisitor(ann.userId, ANN)
  const enter = crm.createAuthenticator(localAccessGate(storage, clock.now))

  return {
    ...base,
    programs: publicClients,
    client_id,
    asked,
    visitor,
    /** A code that Ann approved, asked for with `more`. */
    async codeFor(more: Readonly<Record<string, string>> = {}): Promise<string> {
      const location = await crm.oauth.approve(
        visitor,
        await publicClients.beginAuthorization({ ...asked, ...more }),
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
    /** Whom an access token lets in; `undefined` when it opens nothing there. */
    async authenticateToken(access_token: string, audience: Audience = 'mcp') {
      return (
        await enter(`Bearer ${access_token}`, { forApp: () => undefined, forAddress: undefined }, audience)
      ).actor
    },
    grants: () => storage.read((tx) => tx.workspace(ann.workspaceId).grants.find([])),
    apps: () => storage.read((tx) => tx.apps.find([])),
  }
}

/** The same, and a program that is described by a document. */
export async function withMetadataDocument(content: unknown = METADATA, max_age?: number) {
  const documentServer = createDocumentServer()
  documentServer.put(content, max_age)
  const base = await withPublicClient({ fetchDocument: documentServer.fetchDocument })
  const asked = { ...base.asked, client_id: METADATA_URL }
  return {
    ...base,
    shelf: documentServer,
    asked,
    begin: (more: Readonly<Record<string, string>> = {}) =>
      base.programs.beginAuthorization({ ...asked, ...more }),
    described: () => base.storage.read((tx) => tx.apps.find([{ field: 'kind', is: 'document' }])),
  }
}
