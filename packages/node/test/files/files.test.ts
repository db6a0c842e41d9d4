import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Files } from '@sales-crm/core/ports'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { nodeFiles } from '../../src/files/files.ts'
import { addressPolicy } from '../../src/outbound-http/address-policy.ts'
import { type FetchUrl, fetchPublicUrl } from '../../src/outbound-http/fetch-public-url.ts'
import { LAB_CERTIFICATE, LAB_KEY } from '../outbound-http/certificate.ts'
import { buildImage, IMAGE_TYPES, type ImageType, SAMPLES, withDimensions } from './sample-images.ts'

const MAX_BYTES = 2_097_152
const NOT_AN_IMAGE = { error: 'Must be a PNG, JPEG, GIF, WebP or AVIF image.' }
const TOO_LARGE = { error: 'Must be at most 2 MB.' }

const files: Files = nodeFiles(() => Promise.reject(new Error('Nothing is fetched here.')))
const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64')
const buildContent = (type: ImageType) => ({
  content: SAMPLES[type].base64,
  content_type: type,
  size: buildImage(type).length,
})

/** The sample, padded with zeros to `size` bytes. */
function padImage(type: ImageType, size: number): Buffer {
  return Buffer.concat([buildImage(type), Buffer.alloc(size)], size)
}

describe('an image', () => {
  test.each(IMAGE_TYPES)('is recognized by its signature: %s', async (type) => {
    expect(await files.decodeImage(SAMPLES[type].base64)).toEqual(buildContent(type))
    expect(await files.decodeImage(`data:${type};base64,${SAMPLES[type].base64}`)).toEqual(buildContent(type))
    expect(
      await files.decodeImage(`DATA:${type.toUpperCase()};name=a.b;BASE64,${SAMPLES[type].base64}`),
    ).toEqual(buildContent(type))
  })

  test.each(IMAGE_TYPES)('must match the media type of its data URI: %s', async (type) => {
    const fault = { error: `The data URI must say ${type}, as the image does.` }
    expect(await files.decodeImage(`data:image/bmp;base64,${SAMPLES[type].base64}`)).toEqual(fault)
    expect(await files.decodeImage(`data:;base64,${SAMPLES[type].base64}`)).toEqual(fault)
  })

  test('may be declared as image/jpg, a synonym of image/jpeg', async () => {
    expect(await files.decodeImage(`data:image/jpg;base64,${SAMPLES['image/jpeg'].base64}`)).toEqual(
      buildContent('image/jpeg'),
    )
  })

  test('may be an animated PNG, which is stored as PNG', async () => {
    const [head, rest] = [buildImage('image/png').subarray(0, 33), buildImage('image/png').subarray(33)]
    const animation = Buffer.from('\0\0\0\x08acTL\0\0\0\x01\0\0\0\0\0\0\0\0', 'latin1')
    const animated = Buffer.concat([head, animation, rest])
    const stored = { content: base64(animated), content_type: 'image/png', size: animated.length }
    expect(await files.decodeImage(base64(animated))).toEqual(stored)
    for (const type of ['image/png', 'image/apng'])
      expect(await files.decodeImage(`data:${type};base64,${base64(animated)}`)).toEqual(stored)
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
      'a HEIC image',
      Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), buildImage('image/avif')]),
    ],
    ['a script followed by an image', Buffer.concat([Buffer.from('/*'), buildImage('image/gif')])],
  ])('cannot be %s', async (_, bytes) => {
    expect(await files.decodeImage(base64(bytes))).toEqual(NOT_AN_IMAGE)
  })

  test.each(IMAGE_TYPES)('has at least one and at most 10000 by 10000 pixels: %s', async (type) => {
    const decode = (width: number, height: number) =>
      files.decodeImage(base64(withDimensions(type, width, height)))
    const tooLarge = { error: 'Must be at most 10000 by 10000 pixels.' }
    expect(await decode(10_000, 10_000)).toMatchObject({ content_type: type })
    expect(await decode(10_001, 1)).toEqual(tooLarge)
    expect(await decode(1, 10_001)).toEqual(tooLarge)
    expect(await decode(0, 1)).toEqual(NOT_AN_IMAGE)
    expect(await decode(1, 0)).toEqual(NOT_AN_IMAGE)
  })

  test('has at most 2 097 152 bytes', async () => {
    const largest = base64(padImage('image/gif', MAX_BYTES))
    expect(await files.decodeImage(largest)).toMatchObject({ content_type: 'image/gif', size: MAX_BYTES })
    expect(await files.decodeImage(base64(padImage('image/gif', MAX_BYTES + 1)))).toEqual(TOO_LARGE)
    expect(await files.decodeImage(`data:image/gif;base64,${largest}`)).toMatchObject({ size: MAX_BYTES })
  })

  test('is rejected for its length before it is decoded', async () => {
    expect(await files.decodeImage('!'.repeat(2_796_205))).toEqual(TOO_LARGE)
    expect(await files.decodeImage('!'.repeat(2_796_204))).toEqual({
      error:
        'Must be an https URL, a data URI or valid Base64: it contains a character of no Base64 alphabet.',
    })
  })

  test('is accepted or rejected without an exception when damaged', async () => {
    const samples = fc.constantFrom(...IMAGE_TYPES).map(buildImage)
    const changes = fc.array(fc.tuple(fc.nat(255), fc.nat(255)), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(samples, changes, fc.nat(400), async (bytes, edits, length) => {
        for (const [index, value] of edits) bytes[index % bytes.length] = value
        const damaged = bytes.subarray(0, length)
        const result = await files.decodeImage(base64(damaged))
        if (!('error' in result))
          expect(result).toMatchObject({ content: base64(damaged), size: damaged.length })
      }),
      { numRuns: 1000 },
    )
  })
})

describe('Base64', () => {
  const FOREIGN = 'it contains a character of no Base64 alphabet'

  test.each([
    ['a space', 'aGVs bG8=', 'it contains a space'],
    ['a space at its end', 'aGVsbG8= ', 'it contains a space'],
    ['a tab', 'aGVs\tbG8=', 'it contains a space'],
    ['too much padding', 'aGVsbG8==', 'its padding is wrong'],
    ['too little padding', 'aGVsbA=', 'its padding is wrong'],
    ['padding alone', '====', 'it has padding where none belongs'],
    ['padding in the middle', 'aGU=aGU=', 'it has padding where none belongs'],
    ['a character too few', 'aGVsb', 'it is incomplete at its end'],
    ['two alphabets', '+_-/', 'it mixes + and / with - and _'],
    ['bits after the end', 'aGVsbG9=', 'its last character holds bits beyond the last byte'],
    ['bits after the end without padding', 'aGVsbG9', 'its last character holds bits beyond the last byte'],
    ['a character of two bytes', 'aGVsbG8\u0300', FOREIGN],
    ['a character that the decoder maps to another', '\u0161GVsbG8=', FOREIGN],
    ['percent signs', 'aGVsbG8%3D', FOREIGN],
  ])('with %s is rejected', async (_, text, cause) => {
    const error = `Must be valid Base64: ${cause}.`
    expect(await files.decodeAttachment(text)).toEqual({ error })
    expect(await files.decodeAttachment(`data:text/plain;base64,${text}`)).toEqual({ error })
    expect(await files.decodeImage(text)).toEqual({
      error: `Must be an https URL, a data URI or valid Base64: ${cause}.`,
    })
  })

  test.each([
    ['line breaks', 'aGVs\r\nbG8=\n', 'aGVsbG8='],
    ['no padding', 'aGVsbG8', 'aGVsbG8='],
    ['no padding of two characters', 'aGVsbA', 'aGVsbA=='],
    ['the alphabet of URLs', '-_-_', '+/+/'],
    ['the alphabet of URLs without padding', '-_8', '+/8='],
    ['the alphabet of URLs with padding', '-_8=', '+/8='],
  ])('with %s is stored in the standard form', async (_, text, content) => {
    const size = Buffer.from(content, 'base64').length
    expect(await files.decodeAttachment(text)).toMatchObject({ content, size })
    expect(await files.decodeAttachment(`data:text/plain;base64,${text}`)).toMatchObject({ content, size })
  })

  test('with line breaks may be an image of the maximum size', async () => {
    const lines = base64(padImage('image/gif', MAX_BYTES)).replaceAll(/.{76}/g, '$&\r\n')
    expect(await files.decodeImage(lines)).toMatchObject({ content_type: 'image/gif', size: MAX_BYTES })
  })

  test.each([
    'data:',
    'data:,hello',
    'data:text/plain,hello',
    'data:base64,aGVsbG8=',
    'data:text/plain;base64',
    'data:;base64;x=1,aGVsbG8=',
  ])('is required in a data URI: %s', async (uri) => {
    expect(await files.decodeAttachment(uri)).toEqual({ error: 'A data URI must be in Base64.' })
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
    ['bytes of an unknown type', Buffer.of(0x80, 0x81, 0x82), 'application/octet-stream'],
  ])('that is %s gets its content type from its bytes', async (_, bytes, content_type) => {
    const stored = { content: base64(bytes), content_type, size: Buffer.from(bytes).length }
    expect(await files.decodeAttachment(base64(bytes))).toEqual(stored)
    expect(await files.decodeAttachment(`data:text/html;base64,${base64(bytes)}`)).toEqual(stored)
    expect(await files.decodeAttachment(`data:;base64,${base64(bytes)}`)).toEqual(stored)
  })

  test('has at least one byte and at most 2 097 152', async () => {
    expect(await files.decodeAttachment('')).toEqual({ error: 'Must not be empty.' })
    expect(await files.decodeAttachment('data:;base64,')).toEqual({ error: 'Must not be empty.' })
    expect(await files.decodeAttachment(base64(Buffer.alloc(MAX_BYTES)))).toMatchObject({ size: MAX_BYTES })
    expect(await files.decodeAttachment(base64(Buffer.alloc(MAX_BYTES + 1)))).toEqual(TOO_LARGE)
  })
})

describe('an image URL', () => {
  const bodies: Readonly<Record<string, Uint8Array>> = {
    '/gif': buildImage('image/gif'),
    '/largest': padImage('image/gif', MAX_BYTES),
    '/too-large': padImage('image/gif', MAX_BYTES + 1),
    '/html': Buffer.from('<!doctype html>'),
    '/huge': withDimensions('image/png', 10_001, 1),
    '/empty': Buffer.alloc(0),
  }
  const requestedPaths: string[] = []
  const server = createServer({ key: LAB_KEY, cert: LAB_CERTIFICATE }, ({ url = '' }, response) => {
    requestedPaths.push(url)
    const body = bodies[url]
    response.writeHead(body ? 200 : 404, { 'content-type': 'image/png' }).end(body)
  })
  const network = {
    policy: addressPolicy({ allowPrivate: false, allowCidrs: ['127.0.0.1/32'] }),
    ca: LAB_CERTIFICATE,
    async lookup(host: string) {
      const address = { 'public.lab.test': '127.0.0.1', 'private.lab.test': '10.0.0.1' }[host]
      if (address === undefined) throw new Error(`Unknown host ${host}.`)
      return [{ address, family: 4 }]
    },
  }
  const fetchUrl: FetchUrl = (url, limits) => fetchPublicUrl(url, limits, network)
  const getPort = () => (server.address() as AddressInfo).port

  beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'))

  afterEach(() => {
    requestedPaths.length = 0
  })

  afterAll(() => void server.close())

  function fetchImage(path: string, host = 'public.lab.test') {
    return nodeFiles(fetchUrl).fetchImage(`https://${host}:${getPort()}${path}`)
  }

  test('is recognized by the signature of the body, not by its content type', async () => {
    expect(await fetchImage('/gif')).toEqual(buildContent('image/gif'))
    expect(await fetchImage('/html')).toEqual(NOT_AN_IMAGE)
    expect(await fetchImage('/huge')).toEqual({ error: 'Must be at most 10000 by 10000 pixels.' })
  })

  test('may lead to at most 2 097 152 bytes', async () => {
    expect(await fetchImage('/largest')).toMatchObject({ content_type: 'image/gif', size: MAX_BYTES })
    expect(await fetchImage('/too-large')).toEqual(TOO_LARGE)
  })

  test.each([
    ['that is not found', '/none', 'public.lab.test'],
    ['without content', '/empty', 'public.lab.test'],
    ['of an unknown host', '/gif', 'nobody.lab.test'],
    ['of a private host', '/gif', 'private.lab.test'],
  ])('%s is rejected with one message in an allowed private range', async (_, path, host) => {
    expect(await fetchImage(path, host)).toEqual({ error: 'The image could not be fetched.' })
  })

  test('is rejected with the reason that the fetch discloses', async () => {
    const reason = 'The server answered 404.'
    const files = nodeFiles(async () => ({ failure: 'failed', reason }))
    expect(await files.fetchImage('https://images.example/a.png')).toEqual({ error: reason })
  })

  test('is not requested when it is not allowed', async () => {
    const url = `http://public.lab.test:${getPort()}/gif`
    expect(await nodeFiles(fetchUrl).fetchImage(url)).toEqual({ error: 'Must be an https URL.' })
    expect(await fetchImage('/gif', '10.0.0.1')).toEqual({ error: 'Must be a public address.' })
    expect(requestedPaths).toEqual([])
  })
})

describe('a logo', () => {
  const NOT_A_LOGO = {
    error: 'Must be a PNG or JPEG image in Base64, of at most 102400 bytes and at most 2000 by 2000 pixels.',
  }
  const png = buildImage('image/png')
  const changed = (at: number) => png.map((byte, index) => (index === at ? byte ^ 1 : byte))

  test.each(['image/png', 'image/jpeg'] as const)('is an image: %s', async (type) => {
    expect(await files.decodeLogo(`data:${type};base64,${SAMPLES[type].base64}`)).toEqual(buildContent(type))
  })

  test.each([
    ['a GIF', SAMPLES['image/gif'].base64],
    ['an address', 'https://acme.example/logo.png'],
    ['SVG', `data:image/svg+xml;base64,${base64('<svg xmlns="http://www.w3.org/2000/svg"/>')}`],
    ['another type than it says', `data:image/png;base64,${SAMPLES['image/jpeg'].base64}`],
    ['too large', base64(padImage('image/jpeg', 102_401))],
    ['too wide', base64(withDimensions('image/jpeg', 2001, 1))],
    ['cut off', base64(png.subarray(0, -1))],
    ['longer than its chunks', base64(Buffer.concat([png, Buffer.alloc(1)]))],
    ['PNG with a changed length', base64(changed(11))],
    ['PNG with changed pixels', base64(changed(45))],
    ['PNG of other dimensions than its pixels', base64(withDimensions('image/png', 1000, 1000))],
    ['empty', ''],
  ])('is refused if it is %s', async (_, input) => {
    expect(await files.decodeLogo(input)).toEqual(NOT_A_LOGO)
  })

  test('may be as large as the limit', async () => {
    const image = base64(padImage('image/jpeg', 102_400))
    expect(await files.decodeLogo(image)).toMatchObject({ size: 102_400 })
  })
})
