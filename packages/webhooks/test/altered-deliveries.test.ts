import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createReceiver, memoryStore } from '../src/index.ts'
import { deliveryRequest, OTHER_SECRET, personCreated, SECRET, signBody } from './deliveries.ts'

const { receive } = createReceiver({ secrets: [OTHER_SECRET, SECRET], store: memoryStore(), on: {} })

function flipBit(bytes: Uint8Array<ArrayBuffer>, bit: number): Uint8Array<ArrayBuffer> {
  const at = Math.floor(bit / 8) % bytes.length
  return bytes.with(at, bytes[at]! ^ (1 << (bit % 8)))
}

test('any change of one bit of the body is refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), fc.nat(), async (name, bit) => {
      const body = new TextEncoder().encode(personCreated('altered', name))
      expect((await receive(deliveryRequest(body, signBody(body)))).status).toBe(200)
      expect((await receive(deliveryRequest(flipBit(body, bit), signBody(body)))).status).toBe(401)
    }),
  )
})

test('any change of one bit of the signature is refused', async () => {
  const body = personCreated('altered')
  const signature = new TextEncoder().encode(signBody(body))
  for (let bit = 0; bit < signature.length * 8; bit += 1) {
    const altered = String.fromCharCode(...flipBit(signature, bit))
    const headers = { get: () => altered } as unknown as Headers
    const { method, body: stream, bodyUsed } = deliveryRequest(body)
    expect((await receive({ method, headers, body: stream, bodyUsed })).status, altered).toBe(401)
  }
})
