import { describe, expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm, files, UNKNOWN_ID } from '../../../test/harness.ts'
import { createEngine } from '../../crm.ts'
import { recordApi } from '../../engine/crud.ts'
import type { Files } from '../../ports/index.ts'
import { fileApi } from '../files/file-api.ts'
import { products as productResource } from './product.ts'

const PLAN = { name: 'Plan', currency: 'BRL' } as const
const IMAGE_URL = 'https://pictures.example/plan.webp'

/** Images at all URLs except `bad`, and a log of every request. */
function fakeImageHost() {
  const requests: string[] = []
  const decodeImage = async (image: string) =>
    image.includes('bad') ? { error: 'Must be a picture.' } : files.decodeImage(image)
  const port: Files = {
    ...files,
    decodeImage,
    async fetchImage(url) {
      requests.push(url)
      const decoded = await decodeImage(url)
      return 'error' in decoded ? decoded : { ...decoded, content_type: 'image/webp' }
    },
  }
  return { requests, port }
}

async function createProductTest() {
  const { requests, port } = fakeImageHost()
  const base = await createTestCrm({ files: port })
  return {
    ...base,
    requests,
    products: recordApi(productResource, createEngine(base.ports)),
    stored: fileApi(base.ports),
    storedFiles: () => base.storage.read((tx) => tx.workspace(base.owner.workspaceId).files.find([])),
  }
}

/** Returns the last two segments of an image URL. */
function lastPathSegments(url: string | null): [string, string] {
  const [, workspaceId, key] = /^https:\/\/crm\.example\/files\/([^/]+)\/([^/]+)$/.exec(url ?? '') ?? []
  return [workspaceId ?? '', key ?? '']
}

describe('a code', () => {
  const [composed, decomposed] = ['CAF\u00c9-1', 'CAFE\u0301-1']

  test('is stored and compared in Unicode normalization form C', async () => {
    const { products, owner } = await createProductTest()
    const plan = await products.create(owner, { ...PLAN, code: decomposed })
    expect(plan.code).toBe(composed)
    expect(await catchRejection(products.create(owner, { ...PLAN, code: composed }))).toMatchObject({
      code: 'conflict',
      fields: { code: 'A record with this value already exists.' },
    })
    const { id } = await products.create(owner, { ...PLAN, code: 'x' })
    expect(await catchRejection(products.update(owner, id, { code: decomposed }))).toMatchObject({
      code: 'conflict',
    })
    expect((await products.update(owner, plan.id, { code: decomposed })).code).toBe(composed)
  })

  test('is counted in its normalized form', async () => {
    const { products, owner } = await createProductTest()
    const { code } = await products.create(owner, { ...PLAN, code: 'e\u0301'.repeat(60) })
    expect(code).toBe('\u00e9'.repeat(60))
    expect(await catchFieldErrors(products.create(owner, { ...PLAN, code: 'e\u0301'.repeat(61) }))).toEqual({
      code: 'Must be at most 60 characters.',
    })
  })
})

test('a product stored under older rules can be sent back unchanged', async () => {
  const { products, owner, storage } = await createProductTest()
  const { id } = await products.create(owner, PLAN)
  await storage.transact(async (tx) => {
    const stores = tx.workspace(owner.workspaceId)
    await stores.products.update({ ...(await stores.products.get(id))!, name: '\u200b' })
  })
  const { name } = await products.get(owner, id)
  expect(await products.update(owner, id, { name, code: 'x' })).toMatchObject({ name: '\u200b', code: 'x' })
  expect(await catchFieldErrors(products.update(owner, id, { name: '\u200c' }))).toEqual({
    name: 'Must have a visible character.',
  })
})

describe('an image', () => {
  test('sent inline is stored and served at its URL', async () => {
    const { products, owner, stored, requests } = await createProductTest()
    const plan = await products.create(owner, { ...PLAN, image: 'iVBORw0K' })
    const [workspaceId, key] = lastPathSegments(plan.image_url)
    expect(workspaceId).toBe(owner.workspaceId)
    expect(key).toMatch(/^[0-9a-f]{64}$/)
    expect(await stored.read(workspaceId, key)).toEqual({
      content: 'iVBORw0K',
      content_type: 'image/png',
      filename: 'image.png',
      download: false,
    })
    expect(await products.get(owner, plan.id)).toEqual(plan)
    expect((await products.list(owner, { include: 'external_ids' })).data).toEqual([plan])
    expect(requests).toEqual([])
  })

  test.each([IMAGE_URL, 'HTTPS://pictures.example/plan.webp'])('at %s is fetched and stored', async (url) => {
    const { products, owner, stored, requests } = await createProductTest()
    const plan = await products.create(owner, { ...PLAN, image: url })
    expect(await stored.read(...lastPathSegments(plan.image_url))).toMatchObject({
      content_type: 'image/webp',
      filename: 'image.webp',
    })
    expect(requests).toEqual([url])
  })

  test('alone is an update', async () => {
    const { products, owner, storage, clock } = await createProductTest()
    const plan = await products.create(owner, PLAN)
    clock.advance(60)
    const { image_url } = await products.update(owner, plan.id, { image: 'iVBORw0K' })
    expect(image_url).not.toBeNull()
    const record = await storage.read((tx) => tx.workspace(owner.workspaceId).products.get(plan.id))
    expect(record?.updated_at).toBe('2026-03-01T12:01:00.000Z')
  })

  test('is storedFiles if it is omitted', async () => {
    const { products, owner, storedFiles } = await createProductTest()
    const plan = await products.create(owner, { ...PLAN, image: 'iVBORw0K' })
    expect(await products.update(owner, plan.id, { name: 'Big plan', image: undefined })).toEqual({
      ...plan,
      name: 'Big plan',
    })
    expect(await storedFiles()).toHaveLength(1)
  })

  test.each(['R0lGODlh', IMAGE_URL])('replaces another one (%s), whose file is deleted', async (image) => {
    const { products, owner, stored, storedFiles } = await createProductTest()
    const plan = await products.create(owner, { ...PLAN, image: 'iVBORw0K' })
    const changed = await products.update(owner, plan.id, { image })
    expect(changed.image_url).not.toBe(plan.image_url)
    expect((await storedFiles()).map(({ content }) => content)).toEqual([image])
    expect(await catchRejection(stored.read(...lastPathSegments(plan.image_url)))).toEqual({
      code: 'not_found',
      message: 'File not found.',
    })
  })

  test('is deleted by null', async () => {
    const { products, owner, storedFiles } = await createProductTest()
    const plan = await products.create(owner, { ...PLAN, image: 'iVBORw0K' })
    expect(await products.update(owner, plan.id, { image: null })).toEqual({ ...plan, image_url: null })
    expect(await storedFiles()).toEqual([])
  })

  test('is deleted with its product only', async () => {
    const { products, owner, storedFiles } = await createProductTest()
    const plan = await products.create(owner, { ...PLAN, image: 'iVBORw0K' })
    await products.create(owner, { ...PLAN, image: 'R0lGODlh' })
    const plain = await products.create(owner, PLAN)
    await products.remove(owner, plan.id)
    await products.remove(owner, plain.id)
    expect((await storedFiles()).map(({ content }) => content)).toEqual(['R0lGODlh'])
    expect(await catchRejection(products.get(owner, plan.id))).toEqual({
      code: 'not_found',
      message: 'Product not found.',
    })
  })
})

describe('an invalid image', () => {
  test('sent inline is reported with all other errors', async () => {
    const { products, owner, storedFiles } = await createProductTest()
    const { id } = await products.create(owner, PLAN)
    const faults = {
      image: 'Must be a picture.',
      currency: expect.any(String),
      nam: 'Unknown field. Did you mean "name"?',
    }
    const wrong = { image: 'bad', currency: 'brl', nam: 'Plan' } as never
    expect(await catchFieldErrors(products.create(owner, wrong))).toEqual({ ...faults, name: 'Required.' })
    expect(await catchFieldErrors(products.update(owner, id, wrong))).toEqual(faults)
    expect(await catchFieldErrors(products.create(owner, { ...PLAN, image: '' }))).toEqual({
      image: 'Must not be empty.',
    })
    expect(await storedFiles()).toEqual([])
  })

  test.each([[5], [true], [['iVBORw0K']], [{ url: IMAGE_URL }]])('%j is not a string', async (image) => {
    const { products, owner } = await createProductTest()
    const { id } = await products.create(owner, PLAN)
    expect(await catchFieldErrors(products.create(owner, { ...PLAN, image } as never))).toEqual({
      image: 'Must be a string.',
    })
    expect(await catchFieldErrors(products.update(owner, id, { image } as never))).toEqual({
      image: 'Must be a string.',
    })
  })

  test.each([
    'http://pictures.example/plan.png',
    'HTTP://pictures.example/plan.png',
    'https://',
    'https://user:word@pictures.example/plan.png',
    'https://pictures.example/a plan.png',
    `https://pictures.example/${'x'.repeat(2024)}`,
  ])('%s is never requested', async (image) => {
    const { products, owner, requests } = await createProductTest()
    const { id } = await products.create(owner, PLAN)
    const faults = { image: 'Must be an https URL.' }
    expect(await catchFieldErrors(products.create(owner, { ...PLAN, image }))).toEqual(faults)
    expect(await catchFieldErrors(products.update(owner, id, { image }))).toEqual(faults)
    expect(requests).toEqual([])
  })

  test('at a URL changes nothing', async () => {
    const { products, owner, storedFiles } = await createProductTest()
    const plan = await products.create(owner, { ...PLAN, image: 'iVBORw0K' })
    const image = 'https://pictures.example/bad.png'
    expect(await catchFieldErrors(products.create(owner, { ...PLAN, image }))).toEqual({
      image: 'Must be a picture.',
    })
    expect(await catchFieldErrors(products.update(owner, plan.id, { name: 'Big plan', image }))).toEqual({
      image: 'Must be a picture.',
    })
    expect((await products.list(owner, { include: 'external_ids' })).data).toEqual([plan])
    expect(await storedFiles()).toHaveLength(1)
  })
})

describe('no request is sent', () => {
  test('before all other fields are valid', async () => {
    const { products, owner, requests } = await createProductTest()
    const { id } = await products.create(owner, PLAN)
    expect(
      await catchFieldErrors(products.create(owner, { name: 'Plan', image: IMAGE_URL } as never)),
    ).toEqual({ currency: 'Required.' })
    expect(await catchFieldErrors(products.update(owner, id, { name: '', image: IMAGE_URL }))).toEqual({
      name: 'Required.',
    })
    expect(requests).toEqual([])
  })

  test('for an unknown product, or one of another workspace', async () => {
    const { products, owner, otherOwner, requests } = await createProductTest()
    const { id } = await products.create(owner, PLAN)
    const missing = { code: 'not_found', message: 'Product not found.' }
    for (const nobody of [UNKNOWN_ID, 'x', `${id}\n`])
      expect(await catchRejection(products.update(owner, nobody, { image: IMAGE_URL }))).toEqual(missing)
    expect(await catchRejection(products.update(otherOwner, id, { image: IMAGE_URL }))).toEqual(missing)
    expect(requests).toEqual([])
  })

  test('for a caller without write access', async () => {
    const { products, owner, ann, requests } = await createProductTest()
    const { id } = await products.create(owner, PLAN)
    const reader = { ...owner, scopes: new Set(['products:read']) }
    const scopeless = {
      code: 'insufficient_scope',
      message: "This endpoint requires the 'products:write' scope.",
    }
    expect(await catchRejection(products.create(reader, { ...PLAN, image: IMAGE_URL }))).toEqual(scopeless)
    expect(await catchRejection(products.update(reader, id, { image: IMAGE_URL }))).toEqual(scopeless)
    const denied = (operation: string) => ({
      code: 'forbidden',
      message: `You do not have permission to ${operation} this product.`,
    })
    expect(await catchRejection(products.create(ann, { ...PLAN, image: IMAGE_URL }))).toEqual(
      denied('create'),
    )
    expect(await catchRejection(products.update(ann, id, { image: IMAGE_URL }))).toEqual(denied('update'))
    expect(requests).toEqual([])
  })
})

test('allows members to read products and not to write them', async () => {
  const { products, owner, ann, storedFiles } = await createProductTest()
  const plan = await products.create(owner, { ...PLAN, image: 'iVBORw0K' })
  expect(await products.get(ann, plan.id)).toEqual(plan)
  expect((await products.list(ann, { include: 'external_ids' })).data).toEqual([plan])
  for (const work of [
    () => products.create(ann, { ...PLAN, image: 'R0lGODlh' }),
    () => products.update(ann, plan.id, { image: null }),
    () => products.remove(ann, plan.id),
  ]) {
    expect(await catchRejection(work)).toMatchObject({ code: 'forbidden' })
  }
  expect(await products.get(ann, plan.id)).toEqual(plan)
  expect(await storedFiles()).toHaveLength(1)
})

test('a code conflict leaves no file behind and deletes none', async () => {
  const { products, owner, storedFiles } = await createProductTest()
  await products.create(owner, { ...PLAN, code: 'A' })
  const plan = await products.create(owner, { ...PLAN, image: 'iVBORw0K' })
  expect(
    await catchRejection(products.create(owner, { ...PLAN, code: 'A', image: 'R0lGODlh' })),
  ).toMatchObject({ code: 'conflict' })
  expect(
    await catchRejection(products.update(owner, plan.id, { code: 'A', image: 'R0lGODlh' })),
  ).toMatchObject({ code: 'conflict' })
  expect((await storedFiles()).map(({ content }) => content)).toEqual(['iVBORw0K'])
  expect(await products.get(owner, plan.id)).toEqual(plan)
})

test('keeps one of several images sent concurrently', async () => {
  const { products, owner, storedFiles, stored } = await createProductTest()
  const { id } = await products.create(owner, { ...PLAN, image: 'iVBORw0K' })
  const images = ['Uk1', IMAGE_URL, 'Uk2', `${IMAGE_URL}?2`, 'Uk3']
  await Promise.all(images.map((image) => products.update(owner, id, { image })))
  const [left, ...others] = await storedFiles()
  expect(others).toEqual([])
  const { image_url } = await products.get(owner, id)
  expect((await stored.read(...lastPathSegments(image_url))).content).toBe(left?.content)
})

test('a product deleted while its image is fetched stays deleted, without a file', async () => {
  const { ports, owner, products, storedFiles } = await createProductTest()
  const { id } = await products.create(owner, PLAN)
  const fetchImage: Files['fetchImage'] = async (url) => {
    await products.remove(owner, id)
    return files.fetchImage(url)
  }
  const slow = recordApi(productResource, createEngine({ ...ports, files: { ...files, fetchImage } }))
  expect(await catchRejection(slow.update(owner, id, { image: IMAGE_URL }))).toEqual({
    code: 'not_found',
    message: 'Product not found.',
  })
  expect(await storedFiles()).toEqual([])
})
