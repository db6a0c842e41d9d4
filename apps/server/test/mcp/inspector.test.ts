import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../support/service-process.ts'
import { startConformanceService } from './conformance/conformance-service.ts'

const PACKAGE_FILE = createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector/package.json')
const { bin } = JSON.parse(readFileSync(PACKAGE_FILE, 'utf8')) as {
  readonly bin: Readonly<Record<string, string>>
}
const INSPECTOR = join(dirname(PACKAGE_FILE), bin['mcp-inspector']!)

/**
 * Runs the inspector in command-line mode with an own home folder, since it stores its configuration there.
 */
async function inspect(address: string, args: readonly string[]) {
  const http = [
    '--cli',
    '--transport',
    'http',
    '--server-url',
    `${address}/mcp`,
    '--format',
    'json',
    '--stored-auth-only',
  ]
  const env = { PATH: process.env['PATH'], HOME: await temporaryFolder() }
  const child = spawn(process.execPath, [INSPECTOR, ...http, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [output, errors, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return {
    exitCode,
    errors,
    result: output === '' ? undefined : (JSON.parse(output) as { readonly result: unknown }).result,
  }
}

test('the inspector lists and calls the tools in both protocol eras and accepts their schemas', {
  timeout: 90_000,
}, async () => {
  const { address, token } = await startConformanceService()
  const inspectEra = (era: string, ...args: readonly string[]) =>
    inspect(address, ['--protocol-era', era, '--header', `Authorization: Bearer ${token}`, ...args])
  const call = (era: string, name: string, args: object) =>
    inspectEra(era, '--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args))

  for (const era of ['legacy', 'modern']) {
    const list = await inspectEra(era, '--method', 'tools/list', '--strict')
    expect([list.exitCode, list.errors]).toEqual([0, ''])
    expect((list.result as { tools: readonly unknown[] }).tools).toHaveLength(16)
    const created = await call(era, 'create_records', {
      entity: 'people',
      records: [{ full_name: 'Ana' }, {}],
    })
    expect([created.exitCode, created.result]).toMatchObject([
      0,
      { structuredContent: { succeeded: 1, failed: 1 } },
    ])
  }
  const context = await call('legacy', 'get_context', {})
  expect([context.exitCode, context.result]).toMatchObject([
    0,
    { structuredContent: { workspace: { slug: 'acme' } } },
  ])
  const rejected = await call('modern', 'create_records', { entity: 'persons', records: [{}] })
  expect(rejected.result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('Must be one of: people') }],
  })

  const withoutToken = await inspect(address, ['--method', 'tools/list'])
  expect([withoutToken.exitCode, JSON.parse(withoutToken.errors)]).toMatchObject([
    3,
    { error: { code: 'auth_required' } },
  ])
})
