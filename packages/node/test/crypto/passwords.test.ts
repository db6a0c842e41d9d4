import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { passwords } from '../../src/index.ts'

describe('passwords', () => {
  test('a hash is an Argon2id PHC string with a salt of its own and OWASP cost', async () => {
    const [one, two] = await Promise.all([passwords.hash('correct horse'), passwords.hash('correct horse')])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(one).not.toBe(two)
  })

  test('only the password that was hashed verifies', async () => {
    const hash = await passwords.hash('correct horse')
    expect(await passwords.verify('correct horse', hash)).toBe(true)
    expect(await passwords.verify('correct horse ', hash)).toBe(false)
    expect(await passwords.verify('Correct horse', hash)).toBe(false)
    expect(await passwords.verify('', hash)).toBe(false)
  })

  test('a hash that another program made at another cost verifies', async () => {
    // The vector of the reference implementation: two passes over 64 MiB.
    const hash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    expect(await passwords.verify('password', hash)).toBe(true)
    expect(await passwords.verify('Password', hash)).toBe(false)
  })

  test('a letter verifies however the keyboard wrote it', async () => {
    const hash = await passwords.hash('caf\u00e9')
    expect(await passwords.verify('cafe\u0301', hash)).toBe(true)
  })

  test('hashing leaves the event loop free', async () => {
    const done: string[] = []
    const hashing = passwords.hash('correct horse').then(() => done.push('hashed'))
    await setImmediate()
    done.push('something else')
    await hashing
    expect(done).toEqual(['something else', 'hashed'])
  })

  test.each([
    '',
    'correct horse',
    '$2b$12$c29tZXNhbHQ',
    '$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
    '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$',
  ])('what is no Argon2id hash is an error, not a wrong password: %j', async (hash) => {
    await expect(passwords.verify('correct horse', hash)).rejects.toThrow(
      'The stored password hash is no Argon2id PHC string.',
    )
  })
})
