import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { startConformanceService } from '../mcp/conformance/conformance-service.ts'
import { startSuite } from '../mcp/conformance/conformance-suite.ts'
import { freePort } from '../support/service-process.ts'
import { CHROMIUM, openPage, signIn } from './live-service.ts'

describe.skipIf(CHROMIUM === null)('the MCP conformance suite and a browser', { timeout: 60_000 }, () => {
  test('the authorization server of MCP meets all requirements of the suite', async () => {
    const { address, email } = await startConformanceService()
    const issuer = `${address}/mcp`
    const port = await freePort()
    const client_id = await registerClient(issuer, `http://127.0.0.1:${port}/callback`)
    const suite = startSuite([
      'authorization',
      '--url',
      issuer,
      '--client-id',
      client_id,
      '--resource',
      issuer,
      '-p',
      String(port),
    ])
    const [errors, ended] = [text(suite.stderr), once(suite, 'close')]
    const output: string[] = []
    for await (const line of createInterface({ input: suite.stdout })) {
      output.push(line)
      if (line.startsWith(`${issuer}/authorize?`)) await approve(line, email)
    }
    const log = output.join('\n') + (await errors)
    expect(await ended, log).toEqual([0, null])
    expect(log).toContain('authorization-server-metadata-endpoint: 2 passed, 0 failed')
    expect(log).toContain('authorization-code-grant: 1 passed, 0 failed')
  })
})

async function registerClient(issuer: string, redirectUri: string): Promise<string> {
  const body = JSON.stringify({
    client_name: 'Suite',
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'none',
  })
  const response = await fetch(`${issuer}/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  })
  return ((await response.json()) as { readonly client_id: string }).client_id
}

async function approve(url: string, email: string): Promise<void> {
  const page = await openPage({ javaScriptEnabled: false })
  await page.goto(url)
  await signIn(page, email)
  await page.getByRole('button', { name: 'Allow access' }).click()
}
