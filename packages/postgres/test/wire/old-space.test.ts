import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, expect, inject, test } from 'vitest'
import { freshDatabase } from '../fresh-database.ts'

const server = inject('postgresUrl')
/** What V8 learns of places in the code differs from run to run: it is to learn nothing. */
const ARGUMENTS = [
  '--expose-gc',
  '--no-allocation-site-pretenuring',
  new URL('./read-repeatedly.ts', import.meta.url).pathname,
]

describe.runIf(server !== null)('the memory of what was read', () => {
  test('is free at the next collection of what is new, and does not wait for one of all', async () => {
    const child = spawn(process.execPath, [...ARGUMENTS, await freshDatabase(server!)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const bytes = text(child.stdout)
    expect(await once(child, 'exit')).toEqual([0, null])
    // Some sixty megabytes were read.
    expect(Number(await bytes)).toBeLessThan(1_000_000)
  })
})
