import { describe, expect, test } from 'vitest'
import { type NodeOptions, nodePorts } from '../src/index.ts'

const secret = Uint8Array.of(1, 2, 3)

describe('the ports of Node.js', () => {
  test('open secrets sealed earlier with the same key', () => {
    const secretKey = new Uint8Array(32).fill(1)
    const sealed = nodePorts({ secretKey }).secrets.seal(secret, 'webhook 1')
    expect(nodePorts({ secretKey }).secrets.open(sealed, 'webhook 1')).toEqual(secret)
  })

  test('use a random secret key by default', () => {
    const ports = nodePorts()
    const sealed = ports.secrets.seal(secret, 'webhook 1')
    expect(ports.secrets.open(sealed, 'webhook 1')).toEqual(secret)
    expect(() => nodePorts().secrets.open(sealed, 'webhook 1')).toThrow(
      'the secret key is not the one it was sealed under',
    )
  })

  test('use a local issuer by default', () => {
    expect(nodePorts().issuer).toBe('http://127.0.0.1:3000')
    expect(nodePorts({ issuer: 'https://crm.example' }).issuer).toBe('https://crm.example')
  })

  test('clean HTML and recognize images by their signature', async () => {
    const { sanitizeHtml, files } = nodePorts()
    expect(await sanitizeHtml('<p onclick="x()">a</p>')).toBe('<p>a</p>')
    expect(await files.decodeImage('aGVsbG8=')).toEqual({
      error: 'Must be a PNG, JPEG, GIF, WebP or AVIF image.',
    })
  })

  test('fetch only from public addresses unless others are allowed', async () => {
    const fetchImage = (outbound?: NodeOptions['outbound']) =>
      nodePorts({ outbound }).files.fetchImage('https://127.0.0.1:1/a.png')
    expect(await fetchImage()).toEqual({ error: 'Must be a public address.' })
    expect(await fetchImage({ allowCidrs: ['10.0.0.0/8'] })).toEqual({ error: 'Must be a public address.' })
    expect(await fetchImage({ allowCidrs: ['127.0.0.0/8'] })).toEqual({
      error: 'The image could not be fetched.',
    })
    expect(await fetchImage({ allowPrivate: true })).toEqual({
      error: 'The connection to the server failed.',
    })
  })

  test('reject an invalid address range', () => {
    expect(() => nodePorts({ outbound: { allowCidrs: ['10.0.0.0/8', '10.0.0.0'] } })).toThrow('10.0.0.0')
  })

  test.each([
    ['https://hooks.example.com', 'https://hooks.example.com/', 'hooks.example.com'],
    [
      'HTTPS://Hooks.Example.COM:443/a/../b?c=%7E d',
      'https://hooks.example.com/b?c=%7E%20d',
      'hooks.example.com',
    ],
    ['https://hooks.example.com:8443/', 'https://hooks.example.com:8443/', 'hooks.example.com'],
    ['https://hooks.example.com./', 'https://hooks.example.com./', 'hooks.example.com'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/', 'xn--bcher-kva.example'],
    ['https://0x08080808/', 'https://8.8.8.8/', '8.8.8.8'],
    ['https://[2606:4700:4700:0::1111]:444/', 'https://[2606:4700:4700::1111]:444/', '2606:4700:4700::1111'],
  ])('return the normalized URL and host of an allowed URL: %s', (text, url, host) => {
    expect(nodePorts().parseOutboundUrl(text)).toEqual({ url, host })
  })

  test('return the rule that a URL violates, unless its range is allowed', () => {
    const { parseOutboundUrl } = nodePorts()
    expect(parseOutboundUrl('http://hooks.example.com/')).toEqual({ error: 'Must be an https URL.' })
    expect(parseOutboundUrl('https://10.0.0.1/')).toEqual({ error: 'Must be a public address.' })
    expect(parseOutboundUrl('https://n8n/')).toEqual({ error: 'Must be a public address.' })
    const withRange = nodePorts({ outbound: { allowCidrs: ['10.0.0.0/8'] } })
    expect(withRange.parseOutboundUrl('https://10.0.0.1/')).toEqual({
      url: 'https://10.0.0.1/',
      host: '10.0.0.1',
    })
    expect(withRange.parseOutboundUrl('https://n8n/')).toEqual({ url: 'https://n8n/', host: 'n8n' })
    expect(withRange.parseOutboundUrl('https://127.0.0.1/')).toEqual({ error: 'Must be a public address.' })
  })
})

test.each<[object, string]>([
  [{ secretkey: new Uint8Array(32) }, 'nodePorts has no option secretkey.'],
  [{ secretKey: new Uint8Array(31) }, 'The option secretKey of nodePorts must be 32 bytes'],
  [{ issuer: 'https://crm.example/' }, 'The option issuer of nodePorts must be an http or https URL'],
  [{ issuer: 'crm.example' }, 'The option issuer of nodePorts must be an http or https URL'],
  [{ issuer: 'https://u:p@crm.example' }, 'The option issuer of nodePorts must be an http or https URL'],
  [{ issuer: 'https://crm.example?x=1' }, 'The option issuer of nodePorts must be an http or https URL'],
  [{ issuer: 'ftp://crm.example' }, 'The option issuer of nodePorts must be an http or https URL'],
  [{ outbound: { allowprivate: true } }, 'outbound has allowPrivate and allowCidrs, not allowprivate.'],
  [{ outbound: { allowPrivate: 'true' } }, 'outbound.allowPrivate must be true or false.'],
  [{ outbound: { allowCidrs: '10.1.0.0/16' } }, 'outbound.allowCidrs must be an array of ranges'],
])('a wrong option is refused at once: %j', (options, message) => {
  expect(() => nodePorts(options)).toThrow(TypeError)
  expect(() => nodePorts(options)).toThrow(message)
})

test.each([
  'https://crm.example',
  'https://crm.example/sales/crm',
  'http://127.0.0.1:3000',
  'http://[::1]:3000',
])('%s is an issuer', (issuer) => {
  expect(nodePorts({ issuer }).issuer).toBe(issuer)
})
