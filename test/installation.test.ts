import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { freePort } from '../apps/server/test/support/service-process.ts'
import { codeBlock } from './code-block.ts'
import { buildContainerImage } from './container-image.ts'
import { copyCheckout } from './copy-checkout.ts'
import {
  type CommandLine,
  copyNode,
  enterConsole,
  type Installation,
  makeDataFolder,
  NOBODY,
  operate,
  startService,
} from './installed-service.ts'

const ROOT = join(import.meta.dirname, '..')
const HAS_CHROMIUM = inject('chromium') !== null
const TOOL: CommandLine = ['npm', 'run', '--silent', 'crm', '--']

const folder = mkdtempSync(join(tmpdir(), 'crm-test-installation-'))
chmodSync(folder, 0o755)
afterAll(() => {
  execFileSync('chmod', ['-R', 'u+w', folder])
  rmSync(folder, { recursive: true, force: true })
})

describe('by systemd', () => {
  const checkout = join(folder, 'sales-crm')
  const dataFolder = join(folder, 'data')

  /** The checkout of a newcomer, installed with the command of the documentation. */
  beforeAll(() => {
    copyCheckout(checkout)
    const [, command] = /^(npm ci && .+)$/m.exec(codeBlock('docs/running.md', 'By systemd', 'sh')) ?? []
    execFileSync('bash', ['-c', command!], {
      cwd: checkout,
      stdio: 'ignore',
      env: { ...process.env, npm_config_prefer_offline: 'true' },
    })
    execFileSync('chmod', ['-R', 'a-w', checkout])
    makeDataFolder(dataFolder, NOBODY)
  }, 600_000)

  function installationAt(port: number): Installation {
    const [, program, main] = /^ExecStart=\/opt\/sales-crm\/(\S+) (\S+)$/m.exec(
      readFileSync(join(ROOT, 'deploy/sales-crm.service'), 'utf8'),
    )!
    return {
      folder: checkout,
      service: [join(checkout, program!), main!],
      tool: TOOL,
      user: NOBODY, // the unit runs the service as a user of its own
      environment: {
        PATH: `${join(checkout, 'node_modules/.bin')}:${process.env['PATH']}`,
        HOME: dataFolder,
        DATA_DIR: dataFolder,
        PORT: String(port),
      },
    }
  }

  test.skipIf(!HAS_CHROMIUM)(
    'an owner enters the console, from a tree that the service may not write',
    async () => {
      const port = await freePort()
      const installation = installationAt(port)
      const lines = await startService(installation)
      expect(lines.join('\n')).toContain('Creating the tables of a new database.')
      await enterConsole(installation, port)
      expect(lines.filter((line) => line.includes('"level":40') && line.includes('console'))).toEqual([])
    },
    120_000,
  )

  test('doctor and the log say what to do if the console is missing, and CONSOLE=false leaves it out', async () => {
    const installation = installationAt(await freePort())
    const build = join(checkout, 'apps/console/dist/sources.txt')
    const sources = readFileSync(build, 'utf8')
    writeSources('of another version')
    onTestFinished(() => writeSources(sources))
    const { code, output } = operate(installation, 'doctor')
    expect(code).toBe(1)
    expect(output).toMatch(/^fail\s+console\s.*npm run build:console/m)
    const lines = await startService(installation)
    await expect.poll(() => lines.join('\n')).toContain('npm run build:console')
    const withoutConsole = { ...installation.environment, CONSOLE: 'false' }
    expect(operate({ ...installation, environment: withoutConsole }, 'doctor').output).toMatch(
      /^ok\s+console\s+not served/m,
    )

    function writeSources(text: string): void {
      chmodSync(dirname(build), 0o755)
      chmodSync(build, 0o644)
      writeFileSync(build, text)
      execFileSync('chmod', ['-R', 'a-w', dirname(build)])
    }
  }, 120_000)
})

describe('as a container', () => {
  test.skipIf(!HAS_CHROMIUM)(
    'an owner enters the console of what the container file makes, as its user',
    async () => {
      const images = join(folder, 'images')
      mkdirSync(images)
      const image = buildContainerImage(images)
      expect(statSync(join(image.root, 'data')).mode & 0o777).toBe(0o700)
      const port = await freePort()
      const installation: Installation = {
        folder: image.workdir,
        service: image.command!,
        tool: TOOL,
        user: image.user,
        // HOME is that of the image's user, which the service must not need.
        environment: {
          PATH: copyNode(join(images, 'bin')),
          HOME: '/nonexistent',
          ...image.environment,
          HOST: '127.0.0.1',
          PORT: String(port),
        },
      }
      await startService(installation)
      await enterConsole(installation, port)
    },
    300_000,
  )
})
