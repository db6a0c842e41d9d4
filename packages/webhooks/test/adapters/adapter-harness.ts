import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { createReceiver, memoryStore, type Receiver } from '../../src/index.ts'
import { SECRET, signBody } from '../deliveries.ts'

/** A receiver with a small `maxBytes`, and the names of the people it has received. */
export function openReceiver(): { readonly receiver: Receiver; readonly names: string[] } {
  const names: string[] = []
  const receiver = createReceiver({
    secrets: [SECRET],
    store: memoryStore(),
    on: { 'person.created': ({ person }) => names.push(person.full_name) },
    maxBytes: 2_000_000,
  })
  return { receiver, names }
}

/** Listens on a free port until the end of the test, and returns the URL of the path `/webhooks`. */
export async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`
}

/** Uses a connection of its own, since a framework may close one whose request it did not read to the end. */
export async function deliver(url: string, body: string, signature = signBody(body)) {
  const headers = { 'Content-Type': 'application/json', 'Webhook-Signature': signature, Connection: 'close' }
  const response = await fetch(url, { method: 'POST', headers, body })
  return { status: response.status, text: await response.text() }
}
