import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { CHROMIUM, openPage } from '../apps/server/test/browser/live-service.ts'
import { freshDatabase } from '../packages/postgres/test/fresh-database.ts'
import { EXAMPLES, EXAMPLES_FOLDER } from './examples.ts'
import { importedBy, isLocal, packageOf } from './imported-packages.ts'
import { ROOT, run } from './pack-packages.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string | null
  }
}

const POSTGRES_URL = inject('postgresUrl')
const { version: VERSION, devDependencies: ROOT_VERSIONS } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
)
/** The most that the tests of one example may take. */
const TESTS_MS = 60_000

/**
 * Tests the examples inside a project that has installed our packages and EXAMPLE_DEPENDENCIES.
 * @param getProject returns the folder of the project; called in the tests
 */
export function describeExamples(getProject: () => string): void {
  const folderOf = (name: string) => join(getProject(), 'examples', name)

  beforeAll(() => cpSync(EXAMPLES_FOLDER, folderOf(''), { recursive: true, filter: isSource }))

  describe.each(EXAMPLES)('the example $name', ({ name, dependencies }) => {
    test('is in the table of examples', () => {
      const table = readFileSync(join(EXAMPLES_FOLDER, 'README.md'), 'utf8')
      expect(table).toContain(`| [${name}](${name}/README.md) |`)
    })

    test('declares the packages that it imports, in the versions of the repository', () => {
      const files = globSync('**/*.{js,ts}', { cwd: folderOf(name) })
      const imported = files.flatMap((file) => importedBy(readFileSync(join(folderOf(name), file), 'utf8')))
      const packages = imported.filter((each) => !isLocal(each) && !isBuiltin(each)).map(packageOf)
      expect(Object.keys(dependencies).sort()).toEqual([...new Set(packages)].sort())
      const versions = Object.keys(dependencies).map((each) => [each, ROOT_VERSIONS[each] ?? VERSION])
      expect(dependencies).toEqual(Object.fromEntries(versions))
    })
  })

  describe.concurrent('an example passes its tests', { timeout: 2 * TESTS_MS }, () => {
    test.each(EXAMPLES)('$name', async ({ name }) => {
      const printed = await runTests(folderOf(name), { TMPDIR: getProject() })
      expect(printed).toMatch(/^# pass [1-9]/m)
    })
  })

  test.skipIf(POSTGRES_URL === null)('the second approver passes its tests on PostgreSQL', async () => {
    const environment = { TMPDIR: getProject(), DATABASE_URL: await freshDatabase(POSTGRES_URL!) }
    expect(await runTests(folderOf('second-approver'), environment)).toContain('limit, on PostgreSQL')
  })

  test('the TypeScript of the examples compiles strictly', () => {
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2024',
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      types: ['node'],
    }
    const settings = JSON.stringify({ compilerOptions, include: ['**/*.ts'] })
    writeFileSync(join(folderOf(''), 'tsconfig.json'), settings)
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    expect(run(process.execPath, [tsc, '--project', '.'], folderOf(''))).toBe('')
  })

  test.skipIf(CHROMIUM === null)('the page with the core creates and lists records', async () => {
    const page = await openPage()
    const errors: unknown[] = []
    page.on('pageerror', (error) => errors.push(error))
    await page.goto(await servePage(folderOf('browser')))
    const add = async (person: string, deal: string, amount: string) => {
      await page.getByLabel('Person').fill(person)
      await page.getByLabel('Deal').fill(deal)
      await page.getByLabel('Amount').fill(amount)
      await page.getByRole('button', { name: 'Add' }).click()
    }
    const itemsOf = (list: string) => page.locator(`${list} li`)
    await add('<b>Bob</b>', 'Fifty chairs', '1234.5')
    await itemsOf('#deals').waitFor()
    await add('Ana', '', '')
    await itemsOf('#people').nth(1).waitFor()
    expect(await itemsOf('#people').allTextContents()).toEqual(['<b>Bob</b>', 'Ana'])
    expect(await itemsOf('#deals').allTextContents()).toEqual(['Fifty chairs, $1,234.50, <b>Bob</b>'])
    await add('', '', '')
    await page.getByText('full_name: Required.').waitFor()
    expect(errors).toEqual([])
  })
}

function isSource(path: string): boolean {
  return !/\/(node_modules|data)$|\.db/.test(path)
}

/** Returns what the tests of a folder print. */
async function runTests(folder: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...environment },
    timeout: TESTS_MS,
  }).catch((error: Error & { readonly stdout: string }) => {
    throw new Error(error.stdout, { cause: error })
  })
  return stdout
}

/** Starts the server of the page and returns its URL. */
async function servePage(folder: string): Promise<string> {
  const server = spawn(process.execPath, ['serve.js'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void server.kill())
  const [url] = await once(server.stdout.setEncoding('utf8'), 'data')
  return url.trim()
}
