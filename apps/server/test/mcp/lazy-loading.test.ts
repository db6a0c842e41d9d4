import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const SCRIPT = fileURLToPath(new URL('../support/load-tools.ts', import.meta.url))
const LARGE = '@modelcontextprotocol/server'

test("the protocol's library is loaded by the first call of the tools, and not before", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT])
  const { before, status, after } = JSON.parse(stdout) as {
    before: string[]
    status: number
    after: string[]
  }
  expect([before.includes('hono'), before.includes(LARGE), status, after.includes(LARGE)]).toEqual([
    true,
    false,
    200,
    true,
  ])
})
