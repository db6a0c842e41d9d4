import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, expect, inject, test } from 'vitest'
import { freshDatabase } from '../fresh-database.ts'

const server = inject('postgresUrl')
/** Disables allocation-site pretenuring, whose decisions differ between runs. */
const ARGUMENTS = [
  '--expose-gc',
  '--no-allocation-site-pretenuring',
  new URL('./read-repeatedly.ts', import.meta.url).pathname,
]

describe.runIf(server !== null)('the memory of rows read', () => {
  test('is freed by a minor garbage collection and does not reach the old generation', async () => {
    const child = spawn(process.execPath, [...ARGUMENTS, await freshDatabase(server!)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const bytes = text(child.stdout)
    expect(await once(child, 'exit')).toEqual([0, null])
    // About sixty megabytes were read.
    expect(Number(await bytes)).toBeLessThan(1_000_000)
  })
})
