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
    const { begin, shelf, clock } = await withMetadataDocument(METADATA, max_age)
    await begin()
    clock.advance(seconds - 0.001)
    await begin()
    expect(shelf.asked).toHaveLength(1)
    clock.advance(0.001)
    await begin()
    expect(shelf.asked).toHaveLength(2)
  })

  test('is updated from the document, which can invalidate a pending authorization', async () => {
    const { begin, shelf, clock, crm, visitor, described } = await withMetadataDocument(METADATA, 0)
    const authorizationId = await begin()
    const [original] = await described()
    clock.advance(300)
    shelf.put({ ...METADATA, client_name: 'Radar Two', redirect_uris: ['https://radar.example/cb'] })
    await begin({ redirect_uri: 'https://radar.example/cb' })
    expect(await described()).toMatchObject([
      { id: original?.id, name: 'Radar Two', unused_since: NOON, created_at: NOON },
    ])
    expect(await crm.oauth.consent(visitor, authorizationId)).toBeUndefined()
  })

  test('serves for exactly one day if the document cannot be fetched', async () => {
    const { begin, shelf, clock } = await withMetadataDocument()
    await begin()
    shelf.drop()
    clock.advance(DAY - 0.001)
    expect(await begin()).toMatch(/^0198/)
    clock.advance(0.001)
    expect(await catchRejection(begin())).toEqual(UNREADABLE)
    shelf.put(METADATA)
    expect(await begin()).toMatch(/^0198/)
  })

  test('is not used if the fetched document is invalid', async () => {
    const { begin, shelf, clock } = await withMetadataDocument()
    await begin()
    shelf.put({ ...METADATA, client_id: 'https://radar.example/moved' })
    clock.advance(3600)
    expect(await catchRejection(begin())).toHaveProperty('code', 'invalid_client')
  })

  test('is not refreshed for an inactive client', async () => {
    const { begin, storage, described, shelf, clock } = await withMetadataDocument()
    await begin()
    const [app] = await described()
    await storage.transact((tx) => tx.apps.update({ ...app!, active: false }))
    clock.advance(DAY)
    expect(await catchRejection(begin())).toHaveProperty('code', 'invalid_client')
    expect(shelf.asked).toHaveLength(1)
  })

  test('is created once by twenty concurrent first requests', async () => {
    const { begin, described } = await withMetadataDocument()
    expect(new Set(await runTwenty(begin)).size).toBe(20)
    expect(await described()).toHaveLength(1)
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
    const { programs, asked } = await withPublicClient({
      storage,
      fetchDocument: documentServer.fetchDocument,
    })
    hasLostRace = true
    expect(await programs.beginAuthorization({ ...asked, client_id: METADATA_URL })).toMatch(/^0198/)
    expect(await memory.read((tx) => tx.apps.find([{ field: 'kind', is: 'document' }]))).toHaveLength(1)
  })

  test('is not created if the document cannot be fetched', async () => {
    const { begin, shelf, described } = await withMetadataDocument()
    shelf.drop()
    expect(await catchRejection(begin())).toEqual(UNREADABLE)
    expect(await described()).toEqual([])
  })
})
