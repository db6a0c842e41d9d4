import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { type DemoProcess, openPage } from './demo-console.ts'

const CLI = join(import.meta.dirname, '../../src/cli/main.ts')
const PASSWORD = 'a-long-password'

/** Adds a member of the role `member` to the demo by the operator's tool, beside the running service. */
export async function addMember(databaseUrl: string, name: string, email: string): Promise<void> {
  const options = { workspace: 'demo', role: 'member', password: PASSWORD, name, email }
  const words = Object.entries(options).flatMap(([key, value]) => [`--${key}`, value])
  await promisify(execFile)(process.execPath, [CLI, 'member', 'add', ...words], {
    env: { DATABASE_URL: databaseUrl, SECRET_KEY: Buffer.alloc(32, 7).toString('base64') },
  })
}

/** Opens a page of the console as a member that was added before. */
export async function openAsMember(
  { base }: DemoProcess,
  email: string,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await openPage(options)
  await page.goto(`${base}/sign-in`)
  await page.locator('input[name=email]:visible').fill(email)
  await page.locator('input[name=password]:visible').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(`${base}/w/demo/`)
  await page.goto(`${base}/w/demo/${path}`)
  return page
}
