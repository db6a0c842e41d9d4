import { describe, expect, test } from 'vitest'
import { catchRejection, NOON } from '../../../../test/harness.ts'
import {
  LOOPBACK,
  METADATA,
  METADATA_URL,
  withMetadataDocument,
  withPublicClient,
} from '../../../../test/public-client-harness.ts'

describe('a client with a metadata document', () => {
  test('is identified by the URL of its document, and by a generated id in grants', async () => {
    const {
      crm,
      beginAuthorization,
      userSession,
      ann,
      exchange,
      refresh,
      authenticateToken,
      listDocumentClients,
      publicClients,
    } = await withMetadataDocument()
    const id = await beginAuthorization()
    expect(await crm.oauth.consent(userSession, id)).toMatchObject({
      app_name: 'Lead Radar',
      publicClient: { metadata_url: METADATA_URL },
      redirect_uri: LOOPBACK,
    })
    const redirect = new URL((await crm.oauth.approve(userSession, id, ann.workspaceId))!)
    expect(redirect.searchParams.get('iss')).toBe('https://crm.example/mcp')
    const code = redirect.searchParams.get('code')!
    const [app] = await listDocumentClients()
    expect(await catchRejection(exchange(code))).toHaveProperty('code', 'invalid_grant')
    expect(await catchRejection(exchange(code, { client_id: app!.id }))).toHaveProperty(
      'code',
      'invalid_client',
    )
    const client = { client_id: METADATA_URL }
    const tokens = await exchange(code, client)
    expect(await authenticateToken(tokens.access_token)).toMatchObject({ clientId: app!.id })
    const next = await refresh(tokens.refresh_token, client)
    await publicClients.revoke({ ...client, token: next.access_token })
    expect(await authenticateToken(next.access_token)).toBeUndefined()
    expect(await listDocumentClients()).toMatchObject([{ unused_since: null }])
  })

  test('is stored from the known fields of the document', async () => {
    const { beginAuthorization, listDocumentClients } = await withMetadataDocument(
      { ...METADATA, scope: 'deals:read x', jwks_uri: 'https://x', grant_types: 7 },
      600,
    )
    await beginAuthorization()
    const [app, ...others] = await listDocumentClients()
    expect(others).toEqual([])
    expect(app).toEqual({
      id: app?.id,
      name: 'Lead Radar',
      email: null,
      redirect_uris: METADATA.redirect_uris,
      scopes: ['deals:read'],
      secret_hash: null,
      active: true,
      kind: 'document',
      metadata_url: METADATA_URL,
      fetched_at: NOON,
      fresh_until: '2026-03-01T12:10:00.000Z',
      unused_since: NOON,
      created_at: NOON,
      updated_at: NOON,
    })
  })

  test('gets the host as its name if client_name is invalid, and only valid redirect URIs', async () => {
    const usable = ['https://radar.example/cb', 'http://localhost:7/']
    const redirect_uris = [
      'cursor://x/y',
      7,
      null,
      'http://evil.example/',
      'https://radar.example/cb',
      '\ud800',
      ...usable,
    ]
    const { beginAuthorization, listDocumentClients } = await withMetadataDocument({
      ...METADATA,
      client_name: '\ud800',
      redirect_uris,
    })
    await beginAuthorization({ redirect_uri: usable[0]! })
    expect(await listDocumentClients()).toMatchObject([{ name: 'radar.example', redirect_uris: usable }])
    expect(await catchRejection(beginAuthorization({ redirect_uri: 'cursor://x/y' }))).toHaveProperty(
      'code',
      'invalid_request',
    )
  })

  test.each([
    ['{', 'it must be a JSON object'],
    ['null', 'it must be a JSON object'],
    ['[]', 'it must be a JSON object'],
    ['"x"', 'it must be a JSON object'],
    [`${'['.repeat(30_000)}${']'.repeat(30_000)}`, 'it must be a JSON object'],
    [{}, 'client_id must be the address of the document, to the letter'],
    [
      { ...METADATA, client_id: `${METADATA_URL}/` },
      'client_id must be the address of the document, to the letter',
    ],
    [
      { ...METADATA, client_id: METADATA_URL.toUpperCase() },
      'client_id must be the address of the document, to the letter',
    ],
    [
      { ...METADATA, client_id: [METADATA_URL] },
      'client_id must be the address of the document, to the letter',
    ],
    [
      { ...METADATA, token_endpoint_auth_method: 'private_key_jwt' },
      'token_endpoint_auth_method must be none',
    ],
    [
      { ...METADATA, token_endpoint_auth_method: 'client_secret_post' },
      'token_endpoint_auth_method must be none',
    ],
    [{ ...METADATA, client_secret: 'x' }, 'it must hold no client_secret'],
    [
      { ...METADATA, redirect_uris: undefined },
      'redirect_uris must hold an https URL, or an http URL of the loopback',
    ],
    [
      { ...METADATA, redirect_uris: LOOPBACK },
      'redirect_uris must hold an https URL, or an http URL of the loopback',
    ],
    [
      { ...METADATA, redirect_uris: ['http://evil.example/'] },
      'redirect_uris must hold an https URL, or an http URL of the loopback',
    ],
  ])('is rejected with the document %j', async (content, rule) => {
    const { beginAuthorization, listDocumentClients } = await withMetadataDocument(content)
    const message = `The client metadata document is not valid: ${rule}.`
    expect(await catchRejection(beginAuthorization())).toEqual({ code: 'invalid_client', message })
    expect(await listDocumentClients()).toEqual([])
  })

  test.each([
    'http://radar.example/client',
    'https://radar.example',
    'https://radar.example/',
    'https://radar.example/a#b',
    'https://radar.example/a#',
    'https://user@radar.example/a',
    'https://radar.example@evil.example/a',
    'https://RADAR.example/a',
    'https://radar.example:443/a',
    'https://radar.example./a',
    'https://radar.example/./a',
    'https://radar.example/a/../b',
    'https://radar.example/a/%2e%2e/b',
    'https://radar.example/a/%2E',
    'https://radar.example/a b',
    'https://radar.example\\a',
    'https://radar.example/ü',
    'https://[::1]/a',
    'https:///a',
    'https:radar.example/a',
    'https://127.1/a',
    'https://0x7f000001/a',
    ' https://radar.example/a',
    'https://radar.example/\u0000',
    'https://radar.example/\ud800',
    `https://radar.example/${'a'.repeat(2048)}`,
    'javascript:alert(1)',
    'x',
  ])('is rejected without a fetch for the client_id %j', async (client_id) => {
    const { beginAuthorization, exchange, documentServer } = await withMetadataDocument()
    for (const work of [beginAuthorization({ client_id }), exchange('x', { client_id })])
      expect(await catchRejection(work)).toHaveProperty('code', 'invalid_client')
    expect(documentServer.fetchedUrls).toEqual([])
  })

  test('may have a URL of 2048 characters with a port and a query', async () => {
    const { beginAuthorization, documentServer } = await withMetadataDocument()
    const start = 'https://radar.example:8443/client?v='
    const client_id = start + 'a'.repeat(2048 - start.length)
    documentServer.put({ ...METADATA, client_id }, undefined, client_id)
    expect(await beginAuthorization({ client_id })).toMatch(/^0198/)
  })

  test('is rejected if outbound requests to its URL are not allowed', async () => {
    const { publicClients, authorizationRequest } = await withPublicClient({
      parseOutboundUrl: () => ({ error: 'Must be a public address.' }),
    })
    expect(
      await catchRejection(
        publicClients.beginAuthorization({ ...authorizationRequest, client_id: METADATA_URL }),
      ),
    ).toEqual({
      code: 'invalid_client',
      message: 'The client does not exist.',
      fields: { client_id: 'Must be a public address.' },
    })
  })
})
