import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeBlock } from './code-block.ts'
import { installPackages, PACKAGES, ROOT, run } from './pack-packages.ts'

const EXAMPLE = codeBlock('README.md', 'Embed it', 'ts')
const PRINTED = codeBlock('README.md', 'Embed it', 'text')
const PUBLISHED = /^(LICENSE|README\.md|package\.json|[a-z0-9/-]+\.(js|js\.map|d\.ts))$/

interface Manifest {
  readonly private?: boolean
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>>
}

let project: string

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'crm-test-pack-'))
  installPackages(project)
}, 300_000)

afterAll(() => rmSync(project, { recursive: true, force: true }))

describe.each(PACKAGES)('the packed %s', (name) => {
  test('holds JavaScript, maps, declarations and its papers, and no test', () => {
    const files = filesOf(name)
    expect(files).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'index.js', 'index.d.ts']),
    )
    expect(files.filter((file) => !PUBLISHED.test(file))).toEqual([])
  })

  test('may be published, and has a file behind every door', () => {
    const { private: isPrivate, exports } = manifestOf(name)
    expect(isPrivate).toBeUndefined()
    const behind = Object.values(exports).flatMap((door) => [door.types, door.default])
    expect(filesOf(name).map((file) => `./${file}`)).toEqual(expect.arrayContaining(behind))
  })

  test('says nothing of the machine it was made on', () => {
    const telling = filesOf(name).filter((file) =>
      readFileSync(join(folderOf(name), file), 'utf8').includes(ROOT),
    )
    expect(telling).toEqual([])
  })
})

describe('a project that installs the packages', () => {
  test('finds the three doors of the core', () => {
    expect(Object.keys(manifestOf('core').exports)).toEqual(['.', './ports', './memory'])
  })

  test('prints with the example of the README what the README says', () => {
    expect(runSource('example.ts', EXAMPLE)).toBe(PRINTED)
  })

  test('prints the same from a file, with one line changed', () => {
    const changed = EXAMPLE.replace('= memoryStorage()', "= await sqliteStorage({ file: 'crm.db' })")
    expect(
      runSource('example-sqlite.ts', `import { sqliteStorage } from '@sales-crm/sqlite'\n${changed}`),
    ).toBe(PRINTED)
    expect(readdirSync(project)).toContain('crm.db')
  })

  test('passes the rule test of the README', () => {
    writeFileSync(
      join(project, 'rule.test.ts'),
      codeBlock('README.md', 'Test a rule without a database', 'ts'),
    )
    expect(run(process.execPath, ['--test', '--test-reporter=tap', 'rule.test.ts'], project)).toContain(
      '\n# pass 1\n',
    )
  })

  test('opens every door', () => {
    // The conformance suite opens only inside its test runner.
    const doors = doorsOf(PACKAGES.filter((name) => name !== 'conformance'))
    expect(runSource('open.ts', doors.map((door) => `import '${door}'\n`).join(''))).toBe('')
  })

  test('compiles strictly against every door, our declarations included', () => {
    const lines = doorsOf(PACKAGES).map((door, at) => `export * as door${at} from '${door}'\n`)
    writeFileSync(join(project, 'doors.ts'), lines.join(''))
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2024',
      strict: true,
      skipLibCheck: false,
      noEmit: true,
      types: ['node'],
    }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    expect(
      run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '--project', '.'], project),
    ).toBe('')
  }, 120_000)
})

function folderOf(name: string): string {
  return join(project, 'node_modules/@sales-crm', name)
}

function filesOf(name: string): string[] {
  const entries = readdirSync(folderOf(name), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folderOf(name), join(entry.parentPath, entry.name)))
}

function manifestOf(name: string): Manifest {
  return JSON.parse(readFileSync(join(folderOf(name), 'package.json'), 'utf8'))
}

/** What an import says: `@sales-crm/core/ports`. */
function doorsOf(names: readonly string[]): string[] {
  return names.flatMap((name) =>
    Object.keys(manifestOf(name).exports).map((door) => join('@sales-crm', name, door)),
  )
}

function runSource(file: string, source: string): string {
  writeFileSync(join(project, file), source)
  return run(process.execPath, [file], project)
}
