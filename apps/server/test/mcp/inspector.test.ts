import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../support/service-process.ts'
import { startConformanceService } from './conformance/conformance-service.ts'

const HERE = createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector/package.json')
const { bin } = JSON.parse(readFileSync(HERE, 'utf8')) as { readonly bin: Readonly<Record<string, string>> }
const INSPECTOR = join(dirname(HERE), bin['mcp-inspector']!)

/** The inspector in its command-line mode, with a home of its own: it keeps what it is told there. */
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
  const [said, errors, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return {
    exitCode,
    errors,
    result: said === '' ? undefined : (JSON.parse(said) as { readonly result: unknown }).result,
  }
}

test('the inspector lists the tools and calls them in either era, and finds no fault with their schemas', {
  timeout: 90_000,
}, async () => {
  const { address, token } = await startConformanceService()
  const ask = (era: string, ...args: readonly string[]) =>
    inspect(address, ['--protocol-era', era, '--header', `Authorization: Bearer ${token}`, ...args])
  const call = (era: string, name: string, args: object) =>
    ask(era, '--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args))

  for (const era of ['legacy', 'modern']) {
    const list = await ask(era, '--method', 'tools/list', '--strict')
    expect([list.exitCode, list.errors]).toEqual([0, ''])
    expect((list.result as { tools: readonly unknown[] }).tools).toHaveLength(15)
    const made = await call(era, 'create_records', { entity: 'people', records: [{ full_name: 'Ana' }, {}] })
    expect([made.exitCode, made.result]).toMatchObject([
      0,
      { structuredContent: { succeeded: 1, failed: 1 } },
    ])
  }
  const context = await call('legacy', 'get_context', {})
  expect([context.exitCode, context.result]).toMatchObject([
    0,
    { structuredContent: { workspace: { slug: 'acme' } } },
  ])
  const wrong = await call('modern', 'create_records', { entity: 'persons', records: [{}] })
  expect(wrong.result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('Must be one of: people') }],
  })

  const stranger = await inspect(address, ['--method', 'tools/list'])
  expect([stranger.exitCode, JSON.parse(stranger.errors)]).toMatchObject([
    3,
    { error: { code: 'auth_required' } },
  ])
})
