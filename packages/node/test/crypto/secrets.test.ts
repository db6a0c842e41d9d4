import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { secrets } from '../../src/index.ts'

declare module 'vitest' {
  interface ProvidedContext {
    programs: readonly string[]
  }
}

const key = new Uint8Array(32).fill(1)
const secret = new Uint8Array(Buffer.from('whsec_0123456789'))
const OPEN_ERROR = 'the secret key is not the one it was sealed under'

describe('secrets', () => {
  test('are hashed with SHA-256, in hex', () => {
    expect(secrets(key).hash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })

  test('match only their own, unaltered hash', () => {
    const { hash, matches } = secrets(key)
    const expectedHash = hash('abc')
    expect(matches('abc', expectedHash)).toBe(true)
    expect([matches('abd', expectedHash), matches('', expectedHash)]).toEqual([false, false])
    for (const altered of [
      '',
      expectedHash.slice(0, -1),
      `${expectedHash}0`,
      expectedHash.toUpperCase(),
      `${expectedHash}zz`,
      '0'.repeat(64),
    ]) {
      expect(matches('abc', altered)).toBe(false)
    }
  })

  test('open what a previous key sealed, and seal under the present one', () => {
    const previousKey = new Uint8Array(32).fill(2)
    const both = secrets(key, previousKey)
    expect(both.open(secrets(previousKey).seal(secret, 'a'), 'a')).toEqual(secret)
    expect(secrets(key).open(both.seal(secret, 'a'), 'a')).toEqual(secret)
    expect(() => both.open(secrets(previousKey).seal(secret, 'a'), 'b')).toThrow(OPEN_ERROR)
    expect(() => both.open(secrets(new Uint8Array(32)).seal(secret, 'a'), 'a')).toThrow(OPEN_ERROR)
  })

  test('sign with HMAC-SHA256, in hex, over the UTF-8 of text and key', () => {
    const { sign } = secrets(key)
    expect(sign('what do ya want for nothing?', 'Jefe')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    )
    expect(sign('Hello, World!', "It's a Secret to Everybody")).toBe(
      '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    )
    expect(sign('🚀 Zoë\u2028', 'clé')).toBe(
      createHmac('sha256', Buffer.from('clé')).update(Buffer.from('🚀 Zoë\u2028')).digest('hex'),
    )
    expect(sign('', '')).toBe('b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad')
  })

  test.skipIf(!inject('programs').includes('openssl'))('sign as openssl does', async () => {
    const key = `whsec_${'5e'.repeat(32)}`
    const body = '{"title":"🚀 Zoë \u2028 \\/ \\ud800"}'
    const digest = execFileSync('openssl', ['dgst', '-sha256', '-hmac', key, '-r'], {
      input: body,
      encoding: 'utf8',
    })
    expect(secrets(new Uint8Array(32)).sign(body, key)).toBe(digest.split(' ')[0])
  })

  test('open in another instance with the same key', () => {
    const sealed = secrets(key).seal(secret, 'webhook 1')
    expect(sealed).toMatch(/^v1:[\w-]+$/)
    expect(secrets(key).open(sealed, 'webhook 1')).toEqual(secret)
  })

  test('open when sealed by an earlier version', () => {
    expect(
      secrets(key).open('v1:HBC0pz2kHa2GSiycZvw9L0_1PcVEsIXe23fRv-ZkWTgDbtvsFe6DDhst-N0', 'webhook 1'),
    ).toEqual(secret)
  })

  test('open to the same bytes, for any bytes', () => {
    const { seal, open } = secrets(key)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.string(), (bytes, context) => {
        expect(open(seal(bytes, context), context)).toEqual(bytes)
      }),
    )
  })

  test('are sealed differently each time, without revealing the secret', () => {
    const { seal } = secrets(key)
    const sealed = seal(secret, 'webhook 1')
    expect(seal(secret, 'webhook 1')).not.toBe(sealed)
    expect(Buffer.from(sealed.slice(3), 'base64url').toString('latin1')).not.toContain('whsec_')
  })

  test('do not open with another key or context', () => {
    const sealed = secrets(key).seal(secret, 'webhook 1')
    expect(() => secrets(new Uint8Array(32).fill(2)).open(sealed, 'webhook 1')).toThrow(OPEN_ERROR)
    expect(() => secrets(key).open(sealed, 'webhook 2')).toThrow(OPEN_ERROR)
  })

  test('do not open when any character is changed, added or removed', () => {
    const { seal, open } = secrets(key)
    const sealed = seal(secret, 'webhook 1')
    for (let index = 0; index < sealed.length; index++) {
      const other = sealed[index] === 'A' ? 'B' : 'A'
      const altered = `${sealed.slice(0, index)}${other}${sealed.slice(index + 1)}`
      expect(() => open(altered, 'webhook 1')).toThrow(OPEN_ERROR)
      expect(() => open(sealed.slice(0, index), 'webhook 1')).toThrow(OPEN_ERROR)
    }
    for (const suffix of ['=', '==', 'A', '\n', ' '])
      expect(() => open(sealed + suffix, 'webhook 1')).toThrow(OPEN_ERROR)
  })

  test('reject text that was never sealed with the same message', () => {
    const { open } = secrets(key)
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.base64String().map((text) => `v1:${text}`),
        ),
        (text) => {
          expect(() => open(text, 'webhook 1')).toThrow(OPEN_ERROR)
        },
      ),
    )
  })

  test('require a key of 32 bytes', () => {
    expect(() => secrets(new Uint8Array(16))).toThrow('The secret key must be 32 bytes long.')
  })
})
