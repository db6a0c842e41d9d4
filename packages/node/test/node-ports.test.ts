import { describe, expect, test } from 'vitest'
import { nodePorts } from '../src/index.ts'

const secret = Uint8Array.of(1, 2, 3)

describe('the ports of Node.js', () => {
  test('open what was sealed before under the same secret key', () => {
    const secretKey = new Uint8Array(32).fill(1)
    const sealed = nodePorts({ secretKey }).secrets.seal(secret, 'webhook 1')
    expect(nodePorts({ secretKey }).secrets.open(sealed, 'webhook 1')).toEqual(secret)
  })

  test('have a secret key of their own when none is given', () => {
    const ports = nodePorts()
    const sealed = ports.secrets.seal(secret, 'webhook 1')
    expect(ports.secrets.open(sealed, 'webhook 1')).toEqual(secret)
    expect(() => nodePorts().secrets.open(sealed, 'webhook 1')).toThrow('the secret key is not the one it was sealed under')
  })

  test('issue tokens for this machine unless told the public address', () => {
    expect(nodePorts().issuer).toBe('http://127.0.0.1:3000')
    expect(nodePorts({ issuer: 'https://crm.example' }).issuer).toBe('https://crm.example')
  })
})
