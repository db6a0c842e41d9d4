import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, copyFileSync, mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium } from 'playwright-core'
import { inject, onTestFinished } from 'vitest'

export type CommandLine = readonly [program: string, ...args: string[]]

/** A service as one of the documented ways installs it. */
export interface Installation {
  readonly folder: string
  /** Starts the service. */
  readonly service: CommandLine
  /** The operator's tool, without its arguments. */
  readonly tool: CommandLine
  readonly user: Readonly<{ uid?: number; gid?: number }>
  readonly environment: Readonly<Record<string, string>>
}

/** Only root can run a program as another user. */
export const IS_ROOT = process.getuid?.() === 0
/** A user who owns nothing. */
export const NOBODY = IS_ROOT ? { uid: 65_534, gid: 65_534 } : {}
const EMAIL = 'olga@acme.example'
const PASSWORD = 'correct horse battery'

/**
 * Copies the program that runs the tests, because another user may not be allowed to reach it where it is.
 * @returns a `PATH` that begins with the copy's folder
 */
export function copyNode(folder: string): string {
  mkdirSync(folder, { recursive: true })
  copyFileSync(process.execPath, join(folder, 'node'))
  return [folder, process.env['PATH']].join(delimiter)
}

/** Starts the service until the test ends. Returns the lines of its output, to which later ones are added. */
export async function startService({
  folder,
  service: [program, ...args],
  user,
  environment,
}: Installation): Promise<readonly string[]> {
  const child = spawn(program, args, {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
    ...user,
  })
  const exit = once(child, 'exit')
  onTestFinished(async () => {
    child.kill()
    await exit
  })
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout })
  reader.on('line', (line) => lines.push(line))
  while (!lines.some((line) => line.includes('Listening on'))) await once(reader, 'line')
  return lines
}

/** Makes a folder that only the user may enter. */
export function makeDataFolder(folder: string, { uid, gid }: Installation['user']): void {
  mkdirSync(folder, { mode: 0o700 })
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
}

/** Runs the operator's tool, and returns its exit code and output. */
export function operate(
  { folder, tool: [program, ...first], user, environment }: Installation,
  ...args: readonly string[]
): { readonly code: number; readonly output: string } {
  try {
    const output = execFileSync(program, [...first, ...args], { cwd: folder, env: environment, ...user })
    return { code: 0, output: output.toString() }
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: Buffer }
    return { code: status, output: stdout.toString() }
  }
}

/**
 * Makes a workspace, asks `doctor`, and signs its owner in to the console.
 * @throws Error if one of them fails
 */
export async function enterConsole(installation: Installation, port: number): Promise<void> {
  const names = ['--name', 'Acme', '--slug', 'acme', '--owner-name', 'Olga', '--owner-email', EMAIL]
  const created = operate(installation, 'workspace', 'create', ...names, '--owner-password', PASSWORD)
  if (created.code !== 0) throw new Error(`No workspace was made. ${created.output}`)
  const { output } = operate(installation, 'doctor')
  if (!/^ok\s+console\s+built/m.test(output)) throw new Error(`The console is not ready.\n${output}`)

  const browser = await chromium.launch({ executablePath: inject('chromium')!, args: ['--no-sandbox'] })
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${port}/`)
  await page.getByLabel('E-mail').fill(EMAIL)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.locator('main').getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'My day' }).waitFor()
}
