import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadSecretKey } from '../../src/index.ts'

const SETTING = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
const KEY = Uint8Array.from({ length: 32 }, (_, index) => index)

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'crm-secret-key-'))
})
afterEach(() => rm(dataDir, { recursive: true }))

function fileModes(...paths: readonly string[]): Promise<number[]> {
  return Promise.all(paths.map(async (path) => (await stat(path)).mode & 0o777))
}

describe('the secret key', () => {
  test('is read from the setting without creating a file', async () => {
    expect(await loadSecretKey({ secretKey: SETTING, dataDir })).toEqual(KEY)
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
    'is rejected when the setting is not 32 bytes in Base64, without quoting it: %s',
    async (_, secretKey) => {
      const loading = loadSecretKey({ secretKey, dataDir })
      await expect(loading).rejects.toThrow(
        /^SECRET_KEY must be 32 bytes in Base64\. Make one with: openssl rand -base64 32$/,
      )
    },
  )

  test('is created on the first start, readable only by its owner, and reused', async () => {
    const folder = join(dataDir, 'made', 'too')
    const created = await loadSecretKey({ dataDir: folder })
    expect(created).toHaveLength(32)
    expect(await fileModes(join(folder, 'secret.key'), folder, join(dataDir, 'made'))).toEqual([
      0o600, 0o700, 0o700,
    ])
    expect(await readdir(folder)).toEqual(['secret.key'])
    expect(await loadSecretKey({ dataDir: folder })).toEqual(created)
  })

  test('does not change the permissions of an existing folder', async () => {
    await chmod(dataDir, 0o755)
    await loadSecretKey({ dataDir })
    expect(await fileModes(dataDir)).toEqual([0o755])
  })

  test('is stored in the format of the setting', async () => {
    const created = await loadSecretKey({ dataDir })
    const secretKey = (await readFile(join(dataDir, 'secret.key'), 'utf8')).trim()
    expect(await loadSecretKey({ secretKey, dataDir: 'nowhere' })).toEqual(created)
  })

  test('is the same for processes that start at the same time', async () => {
    const starts = Array.from({ length: 60 }, async (_, delay) => {
      for (let iteration = 0; iteration < delay; iteration++) await setImmediate()
      return loadSecretKey({ dataDir })
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
  ])(
    'is rejected when the file is not 32 bytes in Base64, without changing the file: %s',
    async (_, content) => {
      const file = join(dataDir, 'secret.key')
      await writeFile(file, content)
      const before = await readFile(file)
      const loading = loadSecretKey({ dataDir })
      await expect(loading).rejects.toThrow(`${file} does not hold 32 bytes in Base64.`)
      expect(await readFile(file)).toEqual(before)
    },
  )

  test('is required as a setting without a folder', async () => {
    const loading = loadSecretKey({})
    await expect(loading).rejects.toThrow(
      /^SECRET_KEY must be set: there is no folder for a file with the key\..*openssl rand -base64 32$/,
    )
    expect(await readdir(dataDir)).toEqual([])
  })

  test('is rejected with the path and a remedy when the folder is unusable', async () => {
    const file = join(dataDir, 'file')
    await writeFile(file, '')
    const loading = loadSecretKey({ dataDir: file })
    await expect(loading).rejects.toThrow(
      /^Cannot read or make .*secret\.key \(ENOTDIR.*or set SECRET_KEY\.$/,
    )
  })
})
