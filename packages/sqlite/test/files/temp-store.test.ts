import { randomUUID } from 'node:crypto'
import { readdirSync, readlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sqliteStorage } from '../../src/index.ts'
import { createTempPath, WORKSPACE } from '../harness.ts'

const AT = '2026-03-01T12:00:00.000Z'

test.skipIf(process.platform !== 'linux')(
  'a long transaction keeps its statement journal in memory, not in a temporary file',
  async () => {
    const storage = await sqliteStorage({ file: createTempPath() })
    const tag = () => ({
      id: randomUUID(),
      name: 'Tag',
      color: '#000000',
      key: randomUUID(),
      created_at: AT,
      updated_at: AT,
    })
    await storage.transact((tx) => tx.workspace(WORKSPACE).tags.insertMany(Array.from({ length: 2000 }, tag)))
    const files = await storage.transact(async (tx) => {
      for (let index = 0; index < 200; index += 1) await tx.workspace(WORKSPACE).tags.insert(tag())
      return listOpenFiles()
    })
    await storage.close()
    expect(files.filter((name) => name.includes('.db'))).not.toEqual([])
    // SQLite unlinks its temporary files after opening them.
    expect(files.filter((name) => name.endsWith(' (deleted)'))).toEqual([])
  },
)

function listOpenFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/self/fd/${descriptor}`)]
    } catch {
      // The descriptor of the folder itself, closed by now.
      return []
    }
  })
}
