import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeFormerDatabase } from '../../src/process/former-database.ts'
import { loadSettings } from '../../src/process/settings.ts'
import { temporaryFolder } from '../support/service-process.ts'

test('a database at its former place is named, unless it is the one in use', async () => {
  const folder = await temporaryFolder()
  const notice = (settings: Readonly<Record<string, string>>) =>
    describeFormerDatabase(loadSettings(settings), folder)
  expect(notice({ DATA_DIR: '/elsewhere' })).toBeUndefined()
  await mkdir(join(folder, 'data'))
  await writeFile(join(folder, 'data/crm.db'), '')
  expect(notice({ DATA_DIR: '/elsewhere' })).toBe(
    'The database is /elsewhere/crm.db, and data/crm.db is not used. To use that, set DATABASE_URL=sqlite:data/crm.db.',
  )
  const inUse = [{}, { DATA_DIR: join(folder, 'data') }, { DATABASE_URL: 'sqlite:/elsewhere/crm.db' }]
  expect(inUse.map(notice)).toEqual([undefined, undefined, undefined])
})
