import { createHmac } from 'node:crypto'

export const SECRET = `whsec_${'5ec2e7'.repeat(10)}abcd`
export const OTHER_SECRET = `whsec_${'0'.repeat(64)}`

/** Builds the body of a delivery, with the part of the record that the tests read. */
export function personCreated(id: string, full_name = 'Ana'): string {
  return JSON.stringify({
    id,
    event: 'person.created',
    version: 'v1',
    created_at: '2026-03-01T12:00:00.000Z',
    person: { full_name },
  })
}

export function signBody(body: string | Uint8Array, secret = SECRET): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}

export function deliveryRequest(
  body: string | Uint8Array<ArrayBuffer>,
  signature: string | undefined = signBody(body),
): Request {
  return new Request('https://receiver.example/webhooks', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Webhook-Signature': signature },
    body,
  })
}
