import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Files } from '@sales-crm/core/ports'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { nodeFiles } from '../../src/index.ts'
import { createOutboundClient } from '../../src/outbound-http/outbound-client.ts'
import { LAB_CERTIFICATE, LAB_KEY } from '../outbound-http/certificate.ts'
import { buildImage, IMAGE_TYPES, type ImageType, SAMPLES, withDimensions } from './sample-images.ts'

const MAX = 2_097_152
const NO_IMAGE = { fault: 'Must be a PNG, JPEG, GIF, WebP or AVIF image.' }
const NO_BASE64 = { fault: 'Must be valid Base64.' }
const NO_FORM_OF_IMAGE = { fault: 'Must be an https URL, a data URI or valid Base64.' }
const TOO_LARGE = { fault: 'Must be at most 2 MB.' }

const files: Files = nodeFiles(() => Promise.reject(new Error('Nothing is fetched here.')))
const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64')
const content = (type: ImageType) => ({
  content: SAMPLES[type].base64,
  content_type: type,
  size: buildImage(type).length,
})

/** The sample with so many bytes after it. */
function padImage(type: ImageType, size: number): Buffer {
  return Buffer.concat([buildImage(type), Buffer.alloc(size)], size)
}

describe('an image', () => {
  test.each(IMAGE_TYPES)('is known by its bytes: %s', async (type) => {
    expect(await files.decodeImage(SAMPLES[type].base64)).toEqual(content(type))
    expect(await files.decodeImage(`data:${type};base64,${SAMPLES[type].base64}`)).toEqual(content(type))
    expect(
      await files.decodeImage(`DATA:${type.toUpperCase()};name=a.b;BASE64,${SAMPLES[type].base64}`),
    ).toEqual(content(type))
  })

  test.each(IMAGE_TYPES)('must be what its data URI says: %s', async (type) => {
    const fault = { fault: `The data URI must say ${type}, as the image does.` }
    expect(await files.decodeImage(`data:image/bmp;base64,${SAMPLES[type].base64}`)).toEqual(fault)
    expect(await files.decodeImage(`data:;base64,${SAMPLES[type].base64}`)).toEqual(fault)
  })

  test('may be declared as image/jpg, which is no type of its own', async () => {
    expect(await files.decodeImage(`data:image/jpg;base64,${SAMPLES['image/jpeg'].base64}`)).toEqual(
      content('image/jpeg'),
    )
  })

  test('that is an animated PNG is a PNG', async () => {
    const [head, rest] = [buildImage('image/png').subarray(0, 33), buildImage('image/png').subarray(33)]
    const animation = Buffer.from('\0\0\0\x08acTL\0\0\0\x01\0\0\0\0\0\0\0\0', 'latin1')
    const animated = Buffer.concat([head, animation, rest])
    const taken = { content: base64(animated), content_type: 'image/png', size: animated.length }
    expect(await files.decodeImage(base64(animated))).toEqual(taken)
    for (const type of ['image/png', 'image/apng'])
      expect(await files.decodeImage(`data:${type};base64,${base64(animated)}`)).toEqual(taken)
  })

  test.each([
    ['nothing', ''],
    ['text', 'hello'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['SVG with a declaration', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['a bitmap', Buffer.concat([Buffer.from('BM'), Buffer.alloc(60, 1)])],
    ['a PDF', '%PDF-1.7\n'],
    ['a PNG without its header', buildImage('image/png').subarray(0, 23)],
    ['a JPEG without its frame', buildImage('image/jpeg').subarray(0, 60)],
    ['an AVIF without its properties', buildImage('image/avif').subarray(0, 100)],
    [
      'a picture for Apple phones only',
      Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), buildImage('image/avif')]),
    ],
    ['a script with a picture behind it', Buffer.concat([Buffer.from('/*'), buildImage('image/gif')])],
  ])('is not %s', async (_, bytes) => {
    expect(await files.decodeImage(base64(bytes))).toEqual(NO_IMAGE)
  })

  test.each(IMAGE_TYPES)('has at least one pixel and at most 10000 by 10000: %s', async (type) => {
    const given = (width: number, height: number) =>
      files.decodeImage(base64(withDimensions(type, width, height)))
    const tooMany = { fault: 'Must be at most 10000 by 10000 pixels.' }
    expect(await given(10_000, 10_000)).toMatchObject({ content_type: type })
    expect(await given(10_001, 1)).toEqual(tooMany)
    expect(await given(1, 10_001)).toEqual(tooMany)
    expect(await given(0, 1)).toEqual(NO_IMAGE)
    expect(await given(1, 0)).toEqual(NO_IMAGE)
  })

  test('has at most 2 097 152 bytes', async () => {
    const most = base64(padImage('image/gif', MAX))
    expect(await files.decodeImage(most)).toMatchObject({ content_type: 'image/gif', size: MAX })
    expect(await files.decodeImage(base64(padImage('image/gif', MAX + 1)))).toEqual(TOO_LARGE)
    expect(await files.decodeImage(`data:image/gif;base64,${most}`)).toMatchObject({ size: MAX })
  })

  test('that is too long is refused before it is decoded', async () => {
    expect(await files.decodeImage('!'.repeat(2_796_205))).toEqual(TOO_LARGE)
    expect(await files.decodeImage('!'.repeat(2_796_204))).toEqual(NO_FORM_OF_IMAGE)
  })

  test('however damaged is taken or refused', async () => {
    const samples = fc.constantFrom(...IMAGE_TYPES).map(buildImage)
    const changes = fc.array(fc.tuple(fc.nat(255), fc.nat(255)), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(samples, changes, fc.nat(400), async (bytes, list, length) => {
        for (const [at, value] of list) bytes[at % bytes.length] = value
        const cut = bytes.subarray(0, length)
        const taken = await files.decodeImage(base64(cut))
        if (!('fault' in taken)) expect(taken).toMatchObject({ content: base64(cut), size: cut.length })
      }),
      { numRuns: 1000 },
    )
  })
})

describe('Base64', () => {
  test.each([
    ['a line break', 'aGVs\nbG8='],
    ['a space', 'aGVsbG8= '],
    ['no padding', 'aGVsbG8'],
    ['too much padding', 'aGVsbG8=='],
    ['padding alone', '===='],
    ['padding in the middle', 'aGU=aGU='],
    ['the alphabet of URLs', '-_-_'],
    ['bits after the end', 'aGVsbG9='],
    ['a character of two bytes', 'aGVsbG8\u0300'],
    ['one that looks the same to the decoder', '\u0161GVsbG8='],
    ['percent signs', 'aGVsbG8%3D'],
  ])('with %s is refused', async (_, text) => {
    expect(await files.decodeAttachment(text)).toEqual(NO_BASE64)
    expect(await files.decodeImage(text)).toEqual(NO_FORM_OF_IMAGE)
    expect(await files.decodeAttachment(`data:text/plain;base64,${text}`)).toEqual(NO_BASE64)
  })

  test.each([
    'data:',
    'data:,hello',
    'data:text/plain,hello',
    'data:base64,aGVsbG8=',
    'data:text/plain;base64',
    'data:;base64;x=1,aGVsbG8=',
  ])('is what a data URI must be in: %s', async (uri) => {
    expect(await files.decodeAttachment(uri)).toEqual({ fault: 'A data URI must be in Base64.' })
  })
})

describe('an attachment', () => {
  test.each([
    ['a PNG', buildImage('image/png'), 'image/png'],
    ['a PDF', '%PDF-1.7\n', 'application/pdf'],
    ['an archive', 'PK\x05\x06'.padEnd(22, '\0'), 'application/zip'],
    ['text', 'Olá,\tmundo\r\n\f🙂', 'text/plain; charset=utf-8'],
    ['text with a byte order mark', '\ufeffOlá', 'text/plain; charset=utf-8'],
    ['HTML', '<!doctype html><script>alert(1)</script>', 'text/plain; charset=utf-8'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'text/plain; charset=utf-8'],
    ['XML', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', 'application/octet-stream'],
    [
      'XML in UTF-16',
      Buffer.from('\ufeff<?xml version="1.0"?><svg/>', 'utf16le'),
      'application/octet-stream',
    ],
    ['text in another encoding', Buffer.from('Olá', 'latin1'), 'application/octet-stream'],
    ['text with a control character', 'a\u001bb', 'application/octet-stream'],
    ['text with a control character of two bytes', 'a\u0085b', 'application/octet-stream'],
    ['text with a null character', 'a\0b', 'application/octet-stream'],
    ['a single byte', 'a', 'text/plain; charset=utf-8'],
    ['bytes of no kind', Buffer.of(0x80, 0x81, 0x82), 'application/octet-stream'],
  ])('that is %s is named by its bytes', async (_, bytes, content_type) => {
    const taken = { content: base64(bytes), content_type, size: Buffer.from(bytes).length }
    expect(await files.decodeAttachment(base64(bytes))).toEqual(taken)
    expect(await files.decodeAttachment(`data:text/html;base64,${base64(bytes)}`)).toEqual(taken)
    expect(await files.decodeAttachment(`data:;base64,${base64(bytes)}`)).toEqual(taken)
  })

  test('has at least one byte and at most 2 097 152', async () => {
    expect(await files.decodeAttachment('')).toEqual({ fault: 'Must not be empty.' })
    expect(await files.decodeAttachment('data:;base64,')).toEqual({ fault: 'Must not be empty.' })
    expect(await files.decodeAttachment(base64(Buffer.alloc(MAX)))).toMatchObject({ size: MAX })
    expect(await files.decodeAttachment(base64(Buffer.alloc(MAX + 1)))).toEqual(TOO_LARGE)
  })
})

describe('an image from an address', () => {
  const bodies: Readonly<Record<string, Uint8Array>> = {
    '/gif': buildImage('image/gif'),
    '/most': padImage('image/gif', MAX),
    '/more': padImage('image/gif', MAX + 1),
    '/html': Buffer.from('<!doctype html>'),
    '/huge': withDimensions('image/png', 10_001, 1),
    '/empty': Buffer.alloc(0),
  }
  const asked: unknown[] = []
  const server = createServer({ key: LAB_KEY, cert: LAB_CERTIFICATE }, ({ url = '' }, response) => {
    asked.push(url)
    const body = bodies[url]
    response.writeHead(body ? 200 : 404, { 'content-type': 'image/png' }).end(body)
  })
  const guard = createOutboundClient({
    allowPrivate: false,
    allowCidrs: ['127.0.0.1/32'],
    ca: LAB_CERTIFICATE,
    async lookup(host) {
      const address = { 'public.lab.test': '127.0.0.1', 'private.lab.test': '10.0.0.1' }[host]
      if (address === undefined) throw new Error(`Nobody knows ${host}.`)
      return [{ address, family: 4 }]
    },
  })
  const port = () => (server.address() as AddressInfo).port

  beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'))

  afterEach(() => {
    asked.length = 0
  })

  afterAll(async () => {
    await guard.close()
    server.close()
  })

  function fetchImage(path: string, host = 'public.lab.test') {
    return nodeFiles(async () => guard).fetchImage(`https://${host}:${port()}${path}`)
  }

  test('is known by its bytes, whatever the answer calls it', async () => {
    expect(await fetchImage('/gif')).toEqual(content('image/gif'))
    expect(await fetchImage('/html')).toEqual(NO_IMAGE)
    expect(await fetchImage('/empty')).toEqual(NO_IMAGE)
    expect(await fetchImage('/huge')).toEqual({ fault: 'Must be at most 10000 by 10000 pixels.' })
  })

  test('has at most 2 097 152 bytes', async () => {
    expect(await fetchImage('/most')).toMatchObject({ content_type: 'image/gif', size: MAX })
    expect(await fetchImage('/more')).toEqual(TOO_LARGE)
  })

  test.each([
    ['that is not found', '/none', 'public.lab.test'],
    ['of a host that nobody knows', '/gif', 'nobody.lab.test'],
    ['of a host inside the network', '/gif', 'private.lab.test'],
  ])('%s is refused in the same words as any other failure', async (_, path, host) => {
    expect(await fetchImage(path, host)).toEqual({ fault: 'The image could not be fetched.' })
  })

  test('is not asked for when the address may not be used', async () => {
    const address = `http://public.lab.test:${port()}/gif`
    expect(await nodeFiles(async () => guard).fetchImage(address)).toEqual({ fault: 'Must be an https URL.' })
    expect(await fetchImage('/gif', '10.0.0.1')).toEqual({ fault: 'Must be a public address.' })
    expect(asked).toEqual([])
  })
})
