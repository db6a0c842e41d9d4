import { describe, expect, test } from 'vitest'
import type { Receiver } from '../../src/index.ts'
import { personCreated, signBody } from '../deliveries.ts'
import { deliver, openReceiver } from './adapter-harness.ts'

/** What every adapter does over HTTP. `serve` returns the URL that receives the deliveries. */
export function describeAdapter(name: string, serve: (receiver: Receiver) => Promise<string>): void {
  describe(`the adapter for ${name}`, () => {
    test('passes the bytes as received, and returns the status, headers and body', async () => {
      const { receiver, names } = openReceiver()
      const url = await serve(receiver)
      const body = ` ${personCreated('spaced', 'Ana \u2028 😀')}\n`
      const headers = { 'Content-Type': 'application/json', 'Webhook-Signature': signBody(body) }
      const response = await fetch(url, { method: 'POST', headers, body })
      expect([response.status, response.headers.get('Content-Type'), await response.json()]).toEqual([
        200,
        expect.stringMatching(/^application\/json/),
        { status: 'processed' },
      ])
      expect(await deliver(url, body)).toEqual({ status: 200, text: '{"status":"duplicate"}' })
      expect(names).toEqual(['Ana \u2028 😀'])
    })

    test('receives large bodies, of any content type', async () => {
      const { receiver, names } = openReceiver()
      const url = await serve(receiver)
      const body = personCreated('large', 'Ana'.padEnd(1_900_000))
      const headers = { 'Content-Type': 'text/x-unknown', 'Webhook-Signature': signBody(body) }
      expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200)
      expect(names[0]!.length).toBe(1_900_000)
    })

    test('refuses wrong signatures and large bodies, and serves the next deliveries', async () => {
      const { receiver, names } = openReceiver()
      const url = await serve(receiver)
      const body = personCreated('forged', 'Eve')
      expect((await deliver(url, body, signBody(`${body} `))).status).toBe(401)
      expect((await deliver(url, body.padEnd(1_000_000), 'malformed')).status).toBe(401)
      expect((await deliver(url, body.padEnd(2_000_001))).status).toBe(413)
      expect((await deliver(url, personCreated('after', 'Finn'))).status).toBe(200)
      expect(names).toEqual(['Finn'])
    })
  })
}
