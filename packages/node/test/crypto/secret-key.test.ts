import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { secretKeyFrom } from '../../src/index.ts'

const SETTING = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
const KEY = Uint8Array.from({ length: 32 }, (_, at) => at)

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'crm-secret-key-'))
})
afterEach(() => rm(dataDir, { recursive: true }))

function fileModes(...paths: readonly string[]): Promise<number[]> {
  return Promise.all(paths.map(async (path) => (await stat(path)).mode & 0o777))
}

describe('the secret key', () => {
  test('comes from the setting, and then no file is made', async () => {
    expect(await secretKeyFrom({ secretKey: SETTING, dataDir, canCreateFile: true })).toEqual(KEY)
    expect(await readdir(dataDir)).toEqual([])
  })

  test.each([
    ['empty', ''],
    ['31 bytes', 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHg=='],
    ['33 bytes', 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g'],
    ['without padding', 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8'],
    ['hex', '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'],
    ['a passphrase', 'change me, please! change me, please! 123456'],
  ])(
    'a setting that is not 32 bytes in Base64 is refused by name, without showing it: %s',
    async (_, secretKey) => {
      const refused = secretKeyFrom({ secretKey, dataDir, canCreateFile: true })
      await expect(refused).rejects.toThrow(
        /^SECRET_KEY must be 32 bytes in Base64\. Make one with: openssl rand -base64 32$/,
      )
    },
  )

  test('is made on the first start, readable by the service alone, and stays the same', async () => {
    const folder = join(dataDir, 'made', 'too')
    const made = await secretKeyFrom({ secretKey: undefined, dataDir: folder, canCreateFile: true })
    expect(made).toHaveLength(32)
    expect(await fileModes(join(folder, 'secret.key'), folder, join(dataDir, 'made'))).toEqual([
      0o600, 0o700, 0o700,
    ])
    expect(await readdir(folder)).toEqual(['secret.key'])
    expect(await secretKeyFrom({ secretKey: undefined, dataDir: folder, canCreateFile: true })).toEqual(made)
  })

  test('leaves a folder that is there as open as it is', async () => {
    await chmod(dataDir, 0o755)
    await secretKeyFrom({ secretKey: undefined, dataDir, canCreateFile: true })
    expect(await fileModes(dataDir)).toEqual([0o755])
  })

  test('the file holds what the setting may hold', async () => {
    const made = await secretKeyFrom({ secretKey: undefined, dataDir, canCreateFile: true })
    const secretKey = (await readFile(join(dataDir, 'secret.key'), 'utf8')).trim()
    expect(await secretKeyFrom({ secretKey, dataDir: 'nowhere', canCreateFile: false })).toEqual(made)
  })

  test('processes that start at once agree on one', async () => {
    const starts = Array.from({ length: 60 }, async (_, after) => {
      for (let turn = 0; turn < after; turn++) await setImmediate()
      return secretKeyFrom({ secretKey: undefined, dataDir, canCreateFile: true })
    })
    const keys = new Set((await Promise.all(starts)).map((key) => Buffer.from(key).toString('hex')))
    expect(keys.size).toBe(1)
    expect(await readdir(dataDir)).toEqual(['secret.key'])
  })

  test.each([
    ['empty', ''],
    ['raw bytes', Buffer.from(KEY)],
    ['too short', 'AAECAwQFBgcICQoLDA0ODw==\n'],
    ['two keys', `${SETTING}\n${SETTING}\n`],
    ['garbage', '\0\xff not a key'],
  ])('a file that holds something else is refused and left as it is: %s', async (_, content) => {
    const file = join(dataDir, 'secret.key')
    await writeFile(file, content)
    const before = await readFile(file)
    const refused = secretKeyFrom({ secretKey: undefined, dataDir, canCreateFile: true })
    await expect(refused).rejects.toThrow(`${file} does not hold 32 bytes in Base64.`)
    expect(await readFile(file)).toEqual(before)
  })

  test('is asked for, not made, where replicas must share it', async () => {
    const refused = secretKeyFrom({ secretKey: undefined, dataDir, canCreateFile: false })
    await expect(refused).rejects.toThrow(
      /^SECRET_KEY must be set with PostgreSQL, because replicas share it\..*openssl rand -base64 32$/,
    )
    expect(await readdir(dataDir)).toEqual([])
  })

  test('a folder that cannot be used is named, with what to do', async () => {
    const file = join(dataDir, 'file')
    await writeFile(file, '')
    const refused = secretKeyFrom({ secretKey: undefined, dataDir: file, canCreateFile: true })
    await expect(refused).rejects.toThrow(
      /^Cannot read or make .*secret\.key \(ENOTDIR.*or set SECRET_KEY\.$/,
    )
  })
})
