import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { passwords } from '../../src/index.ts'

describe('passwords', () => {
  test('are hashed to Argon2id PHC strings with a random salt and the OWASP cost', async () => {
    const [first, second] = await Promise.all([
      passwords.hash('correct horse'),
      passwords.hash('correct horse'),
    ])
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(first).not.toBe(second)
  })

  test('verify only against their own hash', async () => {
    const hash = await passwords.hash('correct horse')
    expect(await passwords.verify('correct horse', hash)).toBe(true)
    expect(await passwords.verify('correct horse ', hash)).toBe(false)
    expect(await passwords.verify('Correct horse', hash)).toBe(false)
    expect(await passwords.verify('', hash)).toBe(false)
  })

  test('verify against a hash of another implementation with another cost', async () => {
    // Test vector of the reference implementation: two passes over 64 MiB.
    const hash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    expect(await passwords.verify('password', hash)).toBe(true)
    expect(await passwords.verify('Password', hash)).toBe(false)
  })

  test('verify in any Unicode normalization form', async () => {
    const hash = await passwords.hash('caf\u00e9')
    expect(await passwords.verify('cafe\u0301', hash)).toBe(true)
  })

  test('are hashed without blocking the event loop', async () => {
    const events: string[] = []
    const hashing = passwords.hash('correct horse').then(() => events.push('hashed'))
    await setImmediate()
    events.push('something else')
    await hashing
    expect(events).toEqual(['something else', 'hashed'])
  })

  test.each([
    '',
    'correct horse',
    '$2b$12$c29tZXNhbHQ',
    '$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
    '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$',
  ])('cannot be verified against a hash that is not an Argon2id PHC string: %j', async (hash) => {
    await expect(passwords.verify('correct horse', hash)).rejects.toThrow(
      'The stored password hash is no Argon2id PHC string.',
    )
  })
})
