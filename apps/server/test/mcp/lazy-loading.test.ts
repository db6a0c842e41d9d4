import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const SCRIPT = fileURLToPath(new URL('../support/load-tools.ts', import.meta.url))
const SDK = '@modelcontextprotocol/server'

test('the MCP SDK is loaded by the first MCP call', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT])
  const { before, status, after } = JSON.parse(stdout) as {
    before: string[]
    status: number
    after: string[]
  }
  expect([before.includes('hono'), before.includes(SDK), status, after.includes(SDK)]).toEqual([
    true,
    false,
    200,
    true,
  ])
})
