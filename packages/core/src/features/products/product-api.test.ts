import { describe, expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm, files, UNKNOWN_ID } from '../../../test/harness.ts'
import { createEngine } from '../../crm.ts'
import type { Files } from '../../ports/index.ts'
import { fileApi } from '../files/file-api.ts'
import { productApi } from './product-api.ts'

const PLAN = { name: 'Plan', currency: 'BRL' } as const
const PICTURE = 'https://pictures.example/plan.webp'

/** Pictures but for `bad`, which is none, and a note of every request. */
function pictures() {
  const requests: string[] = []
  const judged = async (given: string) =>
    given.includes('bad') ? { error: 'Must be a picture.' } : files.decodeImage(given)
  const port: Files = {
    ...files,
    decodeImage: judged,
    async fetchImage(url) {
      requests.push(url)
      const found = await judged(url)
      return 'error' in found ? found : { ...found, content_type: 'image/webp' }
    },
  }
  return { requests, port }
}

async function shop() {
  const { requests, port } = pictures()
  const base = await createTestCrm({ files: port })
  return {
    ...base,
    requests,
    products: productApi(createEngine(base.ports)),
    stored: fileApi(base.ports),
    kept: () => base.storage.read((tx) => tx.workspace(base.owner.workspaceId).files.find([])),
  }
}

/** The last two parts of a picture's URL. */
function placeOf(url: string | null): [string, string] {
  const [, workspaceId, key] = /^https:\/\/crm\.example\/files\/([^/]+)\/([^/]+)$/.exec(url ?? '') ?? []
  return [workspaceId ?? '', key ?? '']
}

describe('a picture', () => {
  test('in the input is kept, and found at its URL', async () => {
    const { products, owner, stored, requests } = await shop()
    const plan = await products.create(owner, { ...PLAN, image: 'iVBORw0K' })
    const [workspaceId, key] = placeOf(plan.image_url)
    expect(workspaceId).toBe(owner.workspaceId)
    expect(key).toMatch(/^[0-9a-f]{64}$/)
    expect(await stored.read(workspaceId, key)).toEqual({
      content: 'iVBORw0K',
      content_type: 'image/png',
      filename: 'image.png',
      download: false,
    })
    expect(await products.get(owner, plan.id)).toEqual(plan)
    expect((await products.list(owner)).data).toEqual([plan])
    expect(requests).toEqual([])
  })

  test.each([PICTURE, 'HTTPS://pictures.example/plan.webp'])('at %s is fetched and kept', async (url) => {
    const { products, owner, stored, requests } = await shop()
    const plan = await products.create(owner, { ...PLAN, image: url })
    expect(await stored.read(...placeOf(plan.image_url))).toMatchObject({
      content_type: 'image/webp',
      filename: 'image.webp',
    })
    expect(requests).toEqual([url])
  })

  test('alone is a change', async () => {
    const { products, owner, storage, clock } = await shop()
    const plan = await products.create(owner, PLAN)
    clock.advance(60)
    const { image_url } = await products.update(owner, plan.id, { image: 'iVBORw0K' })
    expect(image_url).not.toBeNull()
    const record = await storage.read((tx) => tx.workspace(owner.workspaceId).products.get(plan.id))
    expect(record?.updated_at).toBe('2026-03-01T12:01:00.000Z')
  })

  test('stays when it is not spoken of', async () => {
    const { products, owner, kept } = await shop()
    const plan = await products.create(owner, { ...PLAN, image: 'iVBORw0K' })
    expect(await products.update(owner, plan.id, { name: 'Big plan', image: undefined })).toEqual({
      ...plan,
      name: 'Big plan',
    })
    expect(await kept()).toHaveLength(1)
  })

  test.each(['R0lGODlh', PICTURE])('takes the place of another (%s), which is gone', async (image) => {
    const { products, owner, stored, kept } = await shop()
    const plan = await products.create(owner, { ...PLAN, image: 'iVBORw0K' })
    const changed = await products.update(owner, plan.id, { image })
    expect(changed.image_url).not.toBe(plan.image_url)
    expect((await kept()).map(({ content }) => content)).toEqual([image])
    expect(await catchRejection(stored.read(...placeOf(plan.image_url)))).toEqual({
      code: 'not_found',
      message: 'File not found.',
    })
  })

  test('is gone once it is cleared', async () => {
    const { products, owner, kept } = await shop()
    const plan = await products.create(owner, { ...PLAN, image: 'iVBORw0K' })
    expect(await products.update(owner, plan.id, { image: null })).toEqual({ ...plan, image_url: null })
    expect(await kept()).toEqual([])
  })

  test('is gone with its product, and only that one', async () => {
    const { products, owner, kept } = await shop()
    const plan = await products.create(owner, { ...PLAN, image: 'iVBORw0K' })
    await products.create(owner, { ...PLAN, image: 'R0lGODlh' })
    const plain = await products.create(owner, PLAN)
    await products.remove(owner, plan.id)
    await products.remove(owner, plain.id)
    expect((await kept()).map(({ content }) => content)).toEqual(['R0lGODlh'])
    expect(await catchRejection(products.get(owner, plan.id))).toEqual({
      code: 'not_found',
      message: 'Product not found.',
    })
  })
})

describe('what is no picture', () => {
  test('in the input is told with all other faults', async () => {
    const { products, owner, kept } = await shop()
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
    expect(await kept()).toEqual([])
  })

  test.each([[5], [true], [['iVBORw0K']], [{ url: PICTURE }]])('%j is no text', async (image) => {
    const { products, owner } = await shop()
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
  ])('%s is never asked for', async (image) => {
    const { products, owner, requests } = await shop()
    const { id } = await products.create(owner, PLAN)
    const faults = { image: 'Must be an https URL.' }
    expect(await catchFieldErrors(products.create(owner, { ...PLAN, image }))).toEqual(faults)
    expect(await catchFieldErrors(products.update(owner, id, { image }))).toEqual(faults)
    expect(requests).toEqual([])
  })

  test('at a URL leaves everything as it was', async () => {
    const { products, owner, kept } = await shop()
    const plan = await products.create(owner, { ...PLAN, image: 'iVBORw0K' })
    const image = 'https://pictures.example/bad.png'
    expect(await catchFieldErrors(products.create(owner, { ...PLAN, image }))).toEqual({
      image: 'Must be a picture.',
    })
    expect(await catchFieldErrors(products.update(owner, plan.id, { name: 'Big plan', image }))).toEqual({
      image: 'Must be a picture.',
    })
    expect((await products.list(owner)).data).toEqual([plan])
    expect(await kept()).toHaveLength(1)
  })
})

describe('no request is sent', () => {
  test('before all that is sent is well', async () => {
    const { products, owner, requests } = await shop()
    const { id } = await products.create(owner, PLAN)
    expect(await catchFieldErrors(products.create(owner, { name: 'Plan', image: PICTURE } as never))).toEqual(
      { currency: 'Required.' },
    )
    expect(await catchFieldErrors(products.update(owner, id, { name: '', image: PICTURE }))).toEqual({
      name: 'Required.',
    })
    expect(requests).toEqual([])
  })

  test('for a product that is not there, or of another workspace', async () => {
    const { products, owner, otherOwner, requests } = await shop()
    const { id } = await products.create(owner, PLAN)
    const missing = { code: 'not_found', message: 'Product not found.' }
    for (const nobody of [UNKNOWN_ID, 'x', `${id}\n`])
      expect(await catchRejection(products.update(owner, nobody, { image: PICTURE }))).toEqual(missing)
    expect(await catchRejection(products.update(otherOwner, id, { image: PICTURE }))).toEqual(missing)
    expect(requests).toEqual([])
  })

  test('for whoever may not write', async () => {
    const { products, owner, ann, requests } = await shop()
    const { id } = await products.create(owner, PLAN)
    const reader = { ...owner, scopes: new Set(['products:read']) }
    const scopeless = {
      code: 'insufficient_scope',
      message: "This endpoint requires the 'products:write' scope.",
    }
    expect(await catchRejection(products.create(reader, { ...PLAN, image: PICTURE }))).toEqual(scopeless)
    expect(await catchRejection(products.update(reader, id, { image: PICTURE }))).toEqual(scopeless)
    const denied = (operation: string) => ({
      code: 'forbidden',
      message: `You do not have permission to ${operation} this product.`,
    })
    expect(await catchRejection(products.create(ann, { ...PLAN, image: PICTURE }))).toEqual(denied('create'))
    expect(await catchRejection(products.update(ann, id, { image: PICTURE }))).toEqual(denied('update'))
    expect(requests).toEqual([])
  })
})

test('a member reads products and writes none', async () => {
  const { products, owner, ann, kept } = await shop()
  const plan = await products.create(owner, { ...PLAN, image: 'iVBORw0K' })
  expect(await products.get(ann, plan.id)).toEqual(plan)
  expect((await products.list(ann)).data).toEqual([plan])
  for (const work of [
    () => products.create(ann, { ...PLAN, image: 'R0lGODlh' }),
    () => products.update(ann, plan.id, { image: null }),
    () => products.remove(ann, plan.id),
  ]) {
    expect(await catchRejection(work)).toMatchObject({ code: 'forbidden' })
  }
  expect(await products.get(ann, plan.id)).toEqual(plan)
  expect(await kept()).toHaveLength(1)
})

test('a code that is taken leaves no file behind, and takes none away', async () => {
  const { products, owner, kept } = await shop()
  await products.create(owner, { ...PLAN, code: 'A' })
  const plan = await products.create(owner, { ...PLAN, image: 'iVBORw0K' })
  expect(
    await catchRejection(products.create(owner, { ...PLAN, code: 'A', image: 'R0lGODlh' })),
  ).toMatchObject({ code: 'conflict' })
  expect(
    await catchRejection(products.update(owner, plan.id, { code: 'A', image: 'R0lGODlh' })),
  ).toMatchObject({ code: 'conflict' })
  expect((await kept()).map(({ content }) => content)).toEqual(['iVBORw0K'])
  expect(await products.get(owner, plan.id)).toEqual(plan)
})

test('of pictures that are sent at once one is kept', async () => {
  const { products, owner, kept, stored } = await shop()
  const { id } = await products.create(owner, { ...PLAN, image: 'iVBORw0K' })
  const images = ['Uk1', PICTURE, 'Uk2', `${PICTURE}?2`, 'Uk3']
  await Promise.all(images.map((image) => products.update(owner, id, { image })))
  const [left, ...others] = await kept()
  expect(others).toEqual([])
  const { image_url } = await products.get(owner, id)
  expect((await stored.read(...placeOf(image_url))).content).toBe(left?.content)
})

test('a product that is deleted while its picture is fetched stays deleted, without a file', async () => {
  const { ports, owner, products, kept } = await shop()
  const { id } = await products.create(owner, PLAN)
  const fetchImage: Files['fetchImage'] = async (url) => {
    await products.remove(owner, id)
    return files.fetchImage(url)
  }
  const slow = productApi(createEngine({ ...ports, files: { ...files, fetchImage } }))
  expect(await catchRejection(slow.update(owner, id, { image: PICTURE }))).toEqual({
    code: 'not_found',
    message: 'Product not found.',
  })
  expect(await kept()).toEqual([])
})
