import { nodePorts } from '@sales-crm/node'
import { describe, expect, test } from 'vitest'
import { createReceiver, memoryStore } from '../src/index.ts'
import { deliveryRequest, OTHER_SECRET, personCreated, SECRET, signBody } from './deliveries.ts'

function openReceiver(
  options: { readonly secrets?: readonly (string | undefined)[]; readonly maxBytes?: number } = {},
) {
  const names: string[] = []
  const receiver = createReceiver({
    secrets: [SECRET],
    store: memoryStore(),
    on: { 'person.created': ({ person }) => names.push(person.full_name) },
    ...options,
  })
  return { names, receive: receiver.receive }
}

/** Counts the chunks that are read from an endless body. */
function endlessRequest(signature: string) {
  const progress = { chunks: 0, isCancelled: false }
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      progress.chunks += 1
      controller.enqueue(new Uint8Array(1000))
    },
    cancel() {
      progress.isCancelled = true
    },
  })
  const headers = new Headers({ 'Webhook-Signature': signature })
  return { progress, request: { method: 'POST', headers, body, bodyUsed: false } }
}

describe('a signed delivery', () => {
  test("is processed once when signed by the service's own signer", async () => {
    const { names, receive } = openReceiver()
    const body = personCreated('signed-by-us', 'Ana \u2028 "/" 12345678901234567890 😀')
    const signature = `sha256=${nodePorts().secrets.sign(body, SECRET)}`
    const first = await receive(deliveryRequest(body, signature))
    expect([first.status, await first.json()]).toEqual([200, { status: 'processed' }])
    const second = await receive(deliveryRequest(body, signature))
    expect([second.status, await second.json()]).toEqual([200, { status: 'duplicate' }])
    expect(names).toEqual(['Ana \u2028 "/" 12345678901234567890 😀'])
  })

  test('is accepted with any of the secrets, and undefined ones are ignored', async () => {
    const { names, receive } = openReceiver({ secrets: [undefined, SECRET, OTHER_SECRET] })
    for (const [name, secret] of [
      ['Ana', SECRET],
      ['Ben', OTHER_SECRET],
    ] as const) {
      const body = personCreated(name, name)
      expect((await receive(deliveryRequest(body, signBody(body, secret)))).status).toBe(200)
    }
    const body = personCreated('removed')
    expect((await receive(deliveryRequest(body, signBody(body, `${SECRET}1`)))).status).toBe(401)
    expect(names).toEqual(['Ana', 'Ben'])
  })

  test.each([
    'no JSON',
    '',
    'null',
    '[]',
    '{}',
    '{"id":1,"event":"person.created"}',
    '{"id":"","event":"x"}',
  ])('of %j is refused with 400', async (body) => {
    const { receive } = openReceiver()
    const response = await receive(deliveryRequest(body))
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: { code: 'bad_request', message: 'The body must be a JSON object with an id and an event.' } },
    ])
  })

  test('that is not UTF-8 is refused with 400', async () => {
    const { receive, names } = openReceiver()
    const body = new Uint8Array(Buffer.from(personCreated('latin', 'Cléa'), 'latin1'))
    expect((await receive(deliveryRequest(body))).status).toBe(400)
    expect(names).toEqual([])
  })
})

describe('a delivery with a missing or wrong signature', () => {
  const body = personCreated('forged', 'Eve')
  const right = signBody(body)

  test.each([
    '',
    'sha256=',
    right.slice('sha256='.length),
    right.slice(0, -1),
    `${right}0`,
    `${right}, ${right}`,
    right.replace('sha256=', 'sha1='),
    right.toUpperCase(),
    `${right.slice(0, -1)}${right.endsWith('0') ? '1' : '0'}`,
    signBody(body, ''),
    signBody(body, SECRET.slice('whsec_'.length)),
    signBody(body, OTHER_SECRET),
    `${right.slice(0, -2)}é`,
  ])('%j is refused with 401', async (signature) => {
    const { names, receive } = openReceiver()
    const response = await receive(deliveryRequest(body, signature))
    expect([response.status, await response.json()]).toEqual([
      401,
      { error: { code: 'unauthorized', message: 'Missing or invalid Webhook-Signature header.' } },
    ])
    expect(names).toEqual([])
  })

  test('is refused for an altered body, an empty one, and one without the header', async () => {
    const { names, receive } = openReceiver()
    expect((await receive(deliveryRequest(`${body} `, right))).status).toBe(401)
    expect((await receive(deliveryRequest('', right))).status).toBe(401)
    const request = new Request('https://receiver.example', { method: 'POST', body })
    expect((await receive(request)).status).toBe(401)
    expect((await receive(new Request('https://receiver.example', { method: 'POST' }))).status).toBe(401)
    expect(names).toEqual([])
  })

  test('is refused before its body is read if the header is malformed', async () => {
    const { receive } = openReceiver()
    const { progress, request } = endlessRequest('sha256=0')
    expect((await receive(request)).status).toBe(401)
    expect(request.body.locked).toBe(false)
    expect(progress.isCancelled).toBe(false)
  })
})

describe('the body', () => {
  test('is refused with 413 when it exceeds maxBytes, and reading stops then', async () => {
    const { receive } = openReceiver({ maxBytes: 10_000 })
    const { progress, request } = endlessRequest(`sha256=${'0'.repeat(64)}`)
    const response = await receive(request)
    expect([response.status, await response.json()]).toEqual([
      413,
      { error: { code: 'body_too_large', message: 'The body exceeds 10000 bytes.' } },
    ])
    expect(progress.isCancelled).toBe(true)
    expect(progress.chunks).toBeLessThanOrEqual(12)
  })

  test('is accepted with exactly maxBytes', async () => {
    const body = personCreated('exact')
    const { receive } = openReceiver({ maxBytes: body.length })
    expect((await receive(deliveryRequest(body))).status).toBe(200)
    expect((await receive(deliveryRequest(`${body} `))).status).toBe(413)
  })

  test('has a maximum of 10 MB by default', async () => {
    const { receive } = openReceiver()
    const body = personCreated('large').padEnd(10_000_000)
    expect((await receive(deliveryRequest(body))).status).toBe(200)
    expect((await receive(deliveryRequest(`${body} `))).status).toBe(413)
  })

  test('is refused with 400 when the sender closes the connection in the middle', async () => {
    const { receive } = openReceiver()
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => controller.error(new Error('aborted')),
    })
    const headers = new Headers({ 'Webhook-Signature': `sha256=${'0'.repeat(64)}` })
    expect((await receive({ method: 'POST', headers, body, bodyUsed: false })).status).toBe(400)
  })

  test('must not have been read by a parser', async () => {
    const { receive } = openReceiver()
    const request = deliveryRequest(personCreated('parsed'))
    await request.json()
    await expect(receive(request)).rejects.toThrow(
      'The body of the webhook request was already read. Mount the receiver before the body parser, ' +
        'or pass it the bytes as received.',
    )
  })
})

test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])(
  'the method %s is refused with 405',
  async (method) => {
    const { receive } = openReceiver()
    const response = await receive(new Request('https://receiver.example', { method }))
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'POST'])
  },
)
