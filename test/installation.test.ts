import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium } from 'playwright-core'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { freePort } from '../apps/server/test/support/service-process.ts'
import { codeBlock } from './code-block.ts'

const ROOT = join(import.meta.dirname, '..')
const CHROMIUM = inject('chromium')
const PASSWORD = 'correct horse battery'
/** The unit runs the service as a user of its own. Only root can become another one. */
const IS_ROOT = process.getuid?.() === 0
const NOBODY = IS_ROOT ? { uid: 65_534, gid: 65_534 } : {}

let checkout: string
let dataFolder: string

/** The checkout of a newcomer, installed with the command of the documentation. */
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'crm-test-installation-'))
  chmodSync(folder, 0o755)
  checkout = join(folder, 'sales-crm')
  dataFolder = join(folder, 'data')
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
  })
  for (const file of files
    .toString()
    .split('\0')
    .filter((name) => name !== '' && existsSync(join(ROOT, name)))) {
    mkdirSync(dirname(join(checkout, file)), { recursive: true })
    cpSync(join(ROOT, file), join(checkout, file))
  }
  const [, command] = /^(npm ci && .+)$/m.exec(codeBlock('docs/running.md', 'By systemd', 'sh')) ?? []
  execFileSync('bash', ['-c', command!], {
    cwd: checkout,
    stdio: 'ignore',
    env: { ...process.env, npm_config_prefer_offline: 'true' },
  })
  execFileSync('chmod', ['-R', 'a-w', checkout])
  mkdirSync(dataFolder)
  execFileSync('chmod', ['700', dataFolder])
  if (IS_ROOT) execFileSync('chown', ['-R', `${NOBODY.uid}:${NOBODY.gid}`, dataFolder])
  return () => {
    execFileSync('chmod', ['-R', 'u+w', folder])
    rmSync(folder, { recursive: true, force: true })
  }
}, 600_000)

async function environmentOf(port: number) {
  return {
    PATH: `${join(checkout, 'node_modules/.bin')}:${process.env['PATH']}`,
    HOME: dataFolder,
    DATA_DIR: dataFolder,
    PORT: String(port),
  }
}

/** Runs the operator's tool as the unit's user, and returns its exit code and output. */
function operate(env: Readonly<Record<string, string>>, ...args: string[]): { code: number; output: string } {
  try {
    const output = execFileSync('npm', ['run', '--silent', 'crm', '--', ...args], {
      cwd: checkout,
      env,
      ...NOBODY,
    })
    return { code: 0, output: output.toString() }
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: Buffer }
    return { code: status, output: stdout.toString() }
  }
}

async function startService(env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const [, program] = /^ExecStart=\/opt\/sales-crm\/(\S+) (\S+)$/m
    .exec(readFileSync(join(ROOT, 'deploy/sales-crm.service'), 'utf8'))!
    .slice(1) as [string, string]
  const service: ChildProcess = spawn('node', [program], {
    cwd: checkout,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    ...NOBODY,
  })
  const exit = once(service, 'exit')
  onTestFinished(async () => {
    service.kill()
    await exit
  })
  const lines: string[] = []
  const reader = createInterface({ input: service.stdout! })
  reader.on('line', (line) => lines.push(line))
  while (!lines.some((line) => line.includes('Listening on'))) await once(reader, 'line')
  return lines
}

test.skipIf(CHROMIUM === null)(
  'an installation as documented serves the console to an owner, from a tree that it may not write',
  async () => {
    const port = await freePort()
    const env = await environmentOf(port)
    const lines = await startService(env)
    expect(lines.join('\n')).toContain('Applied the migration 0001_records.')
    const workspace = [
      '--name',
      'Acme',
      '--slug',
      'acme',
      '--owner-name',
      'Olga',
      '--owner-email',
      'olga@acme.example',
    ]
    expect(operate(env, 'workspace', 'create', ...workspace, '--owner-password', PASSWORD)).toMatchObject({
      code: 0,
    })
    const { output } = operate(env, 'doctor')
    expect(output).toMatch(/^ok\s+console\s/m)

    const browser = await chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox'] })
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${port}/`)
    await page.getByLabel('E-mail').fill('olga@acme.example')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.locator('main').getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'My day' }).waitFor()
    expect(lines.filter((line) => line.includes('"level":40') && line.includes('console'))).toEqual([])
  },
  120_000,
)

test('doctor and the log say what to do if the console is missing, and CONSOLE=false leaves it out', async () => {
  const env = await environmentOf(await freePort())
  const build = join(checkout, 'apps/console/dist/sources.txt')
  const sources = readFileSync(build, 'utf8')
  writeSources('of another version')
  onTestFinished(() => writeSources(sources))
  const { code, output } = operate(env, 'doctor')
  expect(code).toBe(1)
  expect(output).toMatch(/^fail\s+console\s.*npm run build:console/m)
  const lines = await startService(env)
  await expect.poll(() => lines.join('\n')).toContain('npm run build:console')
  expect(operate({ ...env, CONSOLE: 'false' }, 'doctor').output).toMatch(/^ok\s+console\s+not served/m)

  function writeSources(text: string): void {
    chmodSync(dirname(build), 0o755)
    chmodSync(build, 0o644)
    writeFileSync(build, text)
    execFileSync('chmod', ['-R', 'a-w', dirname(build)])
  }
}, 120_000)
