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

const UNREAD = { code: 'invalid_client', message: 'The client metadata document could not be read.' }
const DAY = 86_400

describe('the copy of a document', () => {
  test.each([
    [undefined, 3600],
    [0, 300],
    [299, 300],
    [301, 301],
    [DAY, DAY],
    [DAY + 1, DAY],
    [999_999_999, DAY],
  ])('that may be kept for %j seconds is read again after %d', async (max_age, seconds) => {
    const { begin, shelf, clock } = await withMetadataDocument(METADATA, max_age)
    await begin()
    clock.advance(seconds - 0.001)
    await begin()
    expect(shelf.asked).toHaveLength(1)
    clock.advance(0.001)
    await begin()
    expect(shelf.asked).toHaveLength(2)
  })

  test('follows the document, and so does what was asked for by the one before', async () => {
    const { begin, shelf, clock, crm, visitor, described } = await withMetadataDocument(METADATA, 0)
    const before = await begin()
    const [first] = await described()
    clock.advance(300)
    shelf.put({ ...METADATA, client_name: 'Radar Two', redirect_uris: ['https://radar.example/cb'] })
    await begin({ redirect_uri: 'https://radar.example/cb' })
    expect(await described()).toMatchObject([
      { id: first?.id, name: 'Radar Two', unused_since: NOON, created_at: NOON },
    ])
    expect(await crm.oauth.consent(visitor, before)).toBeUndefined()
  })

  test('does for a day where the document cannot be read any more, and not an instant longer', async () => {
    const { begin, shelf, clock } = await withMetadataDocument()
    await begin()
    shelf.drop()
    clock.advance(DAY - 0.001)
    expect(await begin()).toMatch(/^0198/)
    clock.advance(0.001)
    expect(await catchRejection(begin())).toEqual(UNREAD)
    shelf.put(METADATA)
    expect(await begin()).toMatch(/^0198/)
  })

  test('does not do where the document says something else', async () => {
    const { begin, shelf, clock } = await withMetadataDocument()
    await begin()
    shelf.put({ ...METADATA, client_id: 'https://radar.example/moved' })
    clock.advance(3600)
    expect(await catchRejection(begin())).toHaveProperty('code', 'invalid_client')
  })

  test('is not looked at where the program was turned off', async () => {
    const { begin, storage, described, shelf, clock } = await withMetadataDocument()
    await begin()
    const [app] = await described()
    await storage.transact((tx) => tx.apps.update({ ...app!, active: false }))
    clock.advance(DAY)
    expect(await catchRejection(begin())).toHaveProperty('code', 'invalid_client')
    expect(shelf.asked).toHaveLength(1)
  })

  test('is one, even when twenty ask for the first time', async () => {
    const { begin, described } = await withMetadataDocument()
    expect(new Set(await runTwenty(begin)).size).toBe(20)
    expect(await described()).toHaveLength(1)
  })

  test('is taken from whoever was faster', async () => {
    const sound = memoryStorage()
    let isLate = false
    const storage: typeof sound = {
      ...sound,
      async transact(work) {
        const result = await sound.transact(work)
        if (!isLate) return result
        isLate = false
        throw conflict('metadata_url')
      },
    }
    const shelf = createDocumentServer()
    shelf.put(METADATA)
    const { programs, asked } = await withPublicClient({ storage, fetchDocument: shelf.fetchDocument })
    isLate = true
    expect(await programs.beginAuthorization({ ...asked, client_id: METADATA_URL })).toMatch(/^0198/)
    expect(await sound.read((tx) => tx.apps.find([{ field: 'kind', is: 'document' }]))).toHaveLength(1)
  })

  test('that was never made is none', async () => {
    const { begin, shelf, described } = await withMetadataDocument()
    shelf.drop()
    expect(await catchRejection(begin())).toEqual(UNREAD)
    expect(await described()).toEqual([])
  })
})
