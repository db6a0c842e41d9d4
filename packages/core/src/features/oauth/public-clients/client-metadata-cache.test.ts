import { describe, expect, test } from 'vitest'
import { runTwenty } from '../../../../test/accounts.ts'
import { catchRejection, NOON } from '../../../../test/harness.ts'
import {
  createDocumentServer,
  METADATA,
  METADATA_URL,
  withMetadataDocument,
  withPublicClient,
} from '../../../../test/public-client-harness.ts'
import { conflict } from '../../../kernel/errors.ts'
import { memoryStorage } from '../../../memory/index.ts'

const UNREADABLE = { code: 'invalid_client', message: 'The client metadata document could not be read.' }
const DAY = 86_400

describe('a cached client metadata document', () => {
  test.each([
    [undefined, 3600],
    [0, 300],
    [299, 300],
    [301, 301],
    [DAY, DAY],
    [DAY + 1, DAY],
    [999_999_999, DAY],
  ])('with a max-age of %j seconds is fetched again after %d seconds', async (max_age, seconds) => {
    const { beginAuthorization, documentServer, clock } = await withMetadataDocument(METADATA, max_age)
    await beginAuthorization()
    clock.advance(seconds - 0.001)
    await beginAuthorization()
    expect(documentServer.fetchedUrls).toHaveLength(1)
    clock.advance(0.001)
    await beginAuthorization()
    expect(documentServer.fetchedUrls).toHaveLength(2)
  })

  test('is updated from the document, which can invalidate a pending authorization', async () => {
    const { beginAuthorization, documentServer, clock, crm, userSession, listDocumentClients } =
      await withMetadataDocument(METADATA, 0)
    const authorizationId = await beginAuthorization()
    const [original] = await listDocumentClients()
    clock.advance(300)
    documentServer.put({ ...METADATA, client_name: 'Radar Two', redirect_uris: ['https://radar.example/cb'] })
    await beginAuthorization({ redirect_uri: 'https://radar.example/cb' })
    expect(await listDocumentClients()).toMatchObject([
      { id: original?.id, name: 'Radar Two', unused_since: NOON, created_at: NOON },
    ])
    expect(await crm.oauth.consent(userSession, authorizationId)).toBeUndefined()
  })

  test('serves for exactly one day if the document cannot be fetched', async () => {
    const { beginAuthorization, documentServer, clock } = await withMetadataDocument()
    await beginAuthorization()
    documentServer.drop()
    clock.advance(DAY - 0.001)
    expect(await beginAuthorization()).toMatch(/^0198/)
    clock.advance(0.001)
    expect(await catchRejection(beginAuthorization())).toEqual(UNREADABLE)
    documentServer.put(METADATA)
    expect(await beginAuthorization()).toMatch(/^0198/)
  })

  test('is not used if the fetched document is invalid', async () => {
    const { beginAuthorization, documentServer, clock } = await withMetadataDocument()
    await beginAuthorization()
    documentServer.put({ ...METADATA, client_id: 'https://radar.example/moved' })
    clock.advance(3600)
    expect(await catchRejection(beginAuthorization())).toHaveProperty('code', 'invalid_client')
  })

  test('is not refreshed for an inactive client', async () => {
    const { beginAuthorization, storage, listDocumentClients, documentServer, clock } =
      await withMetadataDocument()
    await beginAuthorization()
    const [app] = await listDocumentClients()
    await storage.transact((tx) => tx.apps.update({ ...app!, active: false }))
    clock.advance(DAY)
    expect(await catchRejection(beginAuthorization())).toHaveProperty('code', 'invalid_client')
    expect(documentServer.fetchedUrls).toHaveLength(1)
  })

  test('is created once by twenty concurrent first requests', async () => {
    const { beginAuthorization, listDocumentClients } = await withMetadataDocument()
    expect(new Set(await runTwenty(beginAuthorization)).size).toBe(20)
    expect(await listDocumentClients()).toHaveLength(1)
  })

  test('is read back if a concurrent request created it first', async () => {
    const memory = memoryStorage()
    let hasLostRace = false
    const storage: typeof memory = {
      ...memory,
      async transact(work) {
        const result = await memory.transact(work)
        if (!hasLostRace) return result
        hasLostRace = false
        throw conflict('metadata_url')
      },
    }
    const documentServer = createDocumentServer()
    documentServer.put(METADATA)
    const { publicClients, authorizationRequest } = await withPublicClient({
      storage,
      fetchDocument: documentServer.fetchDocument,
    })
    hasLostRace = true
    expect(
      await publicClients.beginAuthorization({ ...authorizationRequest, client_id: METADATA_URL }),
    ).toMatch(/^0198/)
    expect(await memory.read((tx) => tx.apps.find([{ field: 'kind', is: 'document' }]))).toHaveLength(1)
  })

  test('is not created if the document cannot be fetched', async () => {
    const { beginAuthorization, documentServer, listDocumentClients } = await withMetadataDocument()
    documentServer.drop()
    expect(await catchRejection(beginAuthorization())).toEqual(UNREADABLE)
    expect(await listDocumentClients()).toEqual([])
  })
})
