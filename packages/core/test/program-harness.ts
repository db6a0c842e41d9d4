import { localGate } from '../src/limits/local-gate.ts'
import type { Audience } from '../src/oauth/access-token.ts'
import type { FetchDocument, FetchedDocument, Ports } from '../src/ports.ts'
import { ANN, office } from './harness.ts'
import { PKCE, VERIFIER, visitorOf } from './oauth-harness.ts'

export const LOOPBACK = 'http://127.0.0.1/callback'
export const URL_OF_DOCUMENT = 'https://radar.example/oauth/client.json'
export const DOCUMENT = { client_id: URL_OF_DOCUMENT, client_name: 'Lead Radar', redirect_uris: [LOOPBACK, 'https://radar.example/cb'] }

/** What is at the address of each document, and how often it was asked for. */
export function documents(found: Readonly<Record<string, FetchedDocument>> = {}) {
  const table = new Map(Object.entries(found))
  const asked: string[] = []
  const fetchDocument: FetchDocument = async (url) => {
    asked.push(url)
    return table.get(url)
  }
  return {
    asked,
    fetchDocument,
    put: (content: unknown, max_age?: number, url = URL_OF_DOCUMENT) =>
      void table.set(url, { text: typeof content === 'string' ? content : JSON.stringify(content), max_age }),
    drop: (url = URL_OF_DOCUMENT) => void table.delete(url),
  }
}

/** The office, and a program that registered itself and that Ann lets in. */
export async function withProgram(special?: Partial<Ports>) {
  const base = await office(special)
  const { crm, storage, clock, ann } = base
  const { programs } = crm.oauth
  const { client_id } = await programs.register({ client_name: 'Radar', redirect_uris: [LOOPBACK] })
  const asked = { client_id, redirect_uri: LOOPBACK, response_type: 'code', ...PKCE }
  const visitor = visitorOf(ann.userId, ANN)
  const enter = crm.enterThrough(localGate(storage, clock.now))

  return {
    ...base,
    programs,
    client_id,
    asked,
    visitor,
    /** A code that Ann approved, asked for with `more`. */
    async codeFor(more: Readonly<Record<string, string>> = {}): Promise<string> {
      const location = await crm.oauth.approve(visitor, await programs.begin({ ...asked, ...more }), ann.workspaceId)
      return new URL(location!).searchParams.get('code')!
    },
    exchange: (code: string, more: Readonly<Record<string, string>> = {}) =>
      programs.token({ grant_type: 'authorization_code', code, client_id, code_verifier: VERIFIER, ...more }),
    refresh: (refresh_token: string, more: Readonly<Record<string, string>> = {}) =>
      programs.token({ grant_type: 'refresh_token', refresh_token, client_id, ...more }),
    /** Whom an access token lets in; `undefined` when it opens nothing there. */
    async enteredBy(access_token: string, door: Audience = 'mcp') {
      return (await enter(`Bearer ${access_token}`, { ofApp: () => undefined, ofAddress: undefined }, door)).actor
    },
    grants: () => storage.read((tx) => tx.workspace(ann.workspaceId).grants.find([])),
    apps: () => storage.read((tx) => tx.apps.find([])),
  }
}

/** The same, and a program that is described by a document. */
export async function withDocument(content: unknown = DOCUMENT, max_age?: number) {
  const shelf = documents()
  shelf.put(content, max_age)
  const base = await withProgram({ fetchDocument: shelf.fetchDocument })
  const asked = { ...base.asked, client_id: URL_OF_DOCUMENT }
  return {
    ...base,
    shelf,
    asked,
    begin: (more: Readonly<Record<string, string>> = {}) => base.programs.begin({ ...asked, ...more }),
    described: () => base.storage.read((tx) => tx.apps.find([{ field: 'kind', is: 'document' }])),
  }
}
