import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { freePort } from '../apps/server/test/support/service-process.ts'
import { codeBlock, moduleBlocks } from './code-block.ts'
import { describeExamples } from './describe-examples.ts'
import { EXAMPLE_DEPENDENCIES } from './examples.ts'
import { importedBy, isLocal } from './imported-packages.ts'
import {
  type CommandLine,
  copyNode,
  enterConsole,
  makeDataFolder,
  NOBODY,
  startService,
} from './installed-service.ts'
import { installPackages, PACKAGES, ROOT, run } from './pack-packages.ts'
import { responseTypesModule } from './response-types.ts'

const EXAMPLE = codeBlock('README.md', 'Embed it', 'ts')
const OUTPUT = codeBlock('README.md', 'Embed it', 'text')
const PUBLISHED =
  /^(LICENSE|README\.md|package\.json|[a-z0-9/-]+\.(js|js\.map|d\.ts|css|svg)|console\/app\/([\w.-]+\.(js|css)|manifest\.json|licenses\.md)|docs\/swagger-ui\/(LICENSE|NOTICE|package\.json)|.*\.js\.LICENSE\.txt)$/

const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
const COMPILER_OPTIONS = {
  module: 'nodenext',
  target: 'es2024',
  strict: true,
  skipLibCheck: false,
  noEmit: true,
  types: ['node'],
}
/** Pages whose modules a reader copies. */
const PAGES = [
  ...['docs/mounting.md', 'docs/embedding.md', 'apps/server/README.md'],
  ...['client', 'core', 'node', 'postgres', 'sqlite', 'webhooks'].map((name) => `packages/${name}/README.md`),
]

interface Manifest {
  readonly private?: boolean
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>
}

let project: string

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'crm-test-pack-'))
  chmodSync(project, 0o755)
  installPackages(project, EXAMPLE_DEPENDENCIES)
}, 300_000)

afterAll(() => rmSync(project, { recursive: true, force: true }))

describe.each(PACKAGES)('the packed %s', (name) => {
  test('contains JavaScript, source maps, declarations and documents, and no tests', () => {
    const files = filesOf(name)
    expect(files).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'index.js', 'index.d.ts']),
    )
    expect(files.filter((file) => !PUBLISHED.test(file))).toEqual([])
  })

  test('can be published, and has a file for every export', () => {
    const { private: isPrivate, exports } = manifestOf(name)
    expect(isPrivate).toBeUndefined()
    const targets = Object.values(exports).flatMap((target) =>
      typeof target === 'string' ? [target] : [target.types, target.default],
    )
    expect(filesOf(name).map((file) => `./${file}`)).toEqual(expect.arrayContaining(targets))
  })

  test('contains no path of the build machine', () => {
    const leaks = filesOf(name).filter((file) =>
      readFileSync(join(folderOf(name), file), 'utf8').includes(ROOT),
    )
    expect(leaks).toEqual([])
  })
})

test('the exports are those of the committed reports', () => {
  run(process.execPath, ['scripts/write-api-reports.ts', '--check'], ROOT)
}, 120_000)

test.each(PACKAGES)('the manifest of %s is right for every way to import it', async (name) => {
  const { messages } = await publint({ pkgDir: folderOf(name), level: 'suggestion' })
  expect(messages).toEqual([])
})

describe('a project that installs the packages', () => {
  test('can import the entry points of the core', () => {
    expect(Object.keys(manifestOf('core').exports)).toEqual([
      '.',
      './api-types',
      './event-types',
      './ports',
      './base-storage',
      './browser',
      './declarations',
      './memory',
      './package.json',
    ])
  })

  test('prints the documented output with the example of the README', () => {
    expect(runSource('example.ts', EXAMPLE)).toBe(OUTPUT)
  })

  test('prints the same with SQLite, with one line changed', () => {
    const changed = EXAMPLE.replace('= memoryStorage()', "= await sqliteStorage({ file: 'crm.db' })")
    expect(
      runSource('example-sqlite.ts', `import { sqliteStorage } from '@sales-crm/sqlite'\n${changed}`),
    ).toBe(OUTPUT)
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

  test('can import every entry point', () => {
    // The conformance suite can be imported only in its test runner.
    const entryPoints = entryPointsOf(PACKAGES.filter((name) => name !== 'conformance'))
    expect(runSource('open.ts', entryPoints.map((entryPoint) => `import '${entryPoint}'\n`).join(''))).toBe(
      '',
    )
  })

  test('compiles strictly against every entry point, including our declarations', () => {
    const lines = entryPointsOf(PACKAGES).map(
      (entryPoint, at) => `export * as entryPoint${at} from '${entryPoint}'\n`,
    )
    writeFileSync(join(project, 'entryPoints.ts'), lines.join(''))
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['*.ts'] }),
    )
    expect(run(process.execPath, [TSC, '--project', '.'], project)).toBe('')
  }, 120_000)

  test('gets the types of the responses and events from the client and the receiver', () => {
    const folder = join(project, 'response-types')
    mkdirSync(folder)
    writeFileSync(join(folder, 'responses.ts'), responseTypesModule())
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }))
    expect(run(process.execPath, [TSC, '--project', '.'], folder)).toBe('')
  })

  test('compiles the modules of the documents', () => {
    const folder = join(project, 'documents')
    mkdirSync(folder)
    const modules = PAGES.flatMap(moduleBlocks)
    expect(modules.length).toBeGreaterThan(8)
    for (const [at, text] of modules.entries()) writeFileSync(join(folder, `module${at}.ts`), text)
    // Names that an earlier block of the same page introduces.
    writeFileSync(
      join(folder, 'introduced.d.ts'),
      `declare const crm: import('@sales-crm/core').Crm
       declare const ports: import('@sales-crm/core/ports').Ports`,
    )
    const express = [join(ROOT, 'node_modules/@types/express/index.d.ts')]
    const compilerOptions = { ...COMPILER_OPTIONS, skipLibCheck: true, paths: { express } }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
    expect(run(process.execPath, [TSC, '--project', '.'], folder)).toBe('')
  }, 120_000)
})

test.each(['client', 'webhooks'])('the packed %s imports nothing', (name) => {
  const imports = filesOf(name)
    .filter((file) => /\.(js|d\.ts)$/.test(file))
    .flatMap((file) => importedBy(readFileSync(join(folderOf(name), file), 'utf8')))
  expect(imports.filter((each) => !isLocal(each) && !isBuiltin(each))).toEqual([])
  expect(Object.keys(manifestOf(name))).not.toContain('dependencies')
})

test('no installed package runs a script at installation', () => {
  const manifests = globSync('node_modules/{*,@*/*}/package.json', { cwd: project })
  const scripts = manifests.filter((file) => {
    const manifest = JSON.parse(readFileSync(join(project, file), 'utf8'))
    return ['preinstall', 'install', 'postinstall'].some((name) => name in (manifest.scripts ?? {}))
  })
  expect(manifests.length).toBeGreaterThan(50)
  expect(scripts).toEqual([])
})

describe('the program of the server, in an empty folder', () => {
  test('makes a workspace', () => {
    const folder = mkdtempSync(join(project, 'empty-'))
    const printed = runProgram(folder, [
      'workspace',
      'create',
      '--name',
      'Acme',
      '--slug',
      'acme',
      '--owner-name',
      'Olga',
      '--owner-email',
      'olga@acme.example',
      '--owner-password',
      'correct horse battery',
    ])
    expect(printed).toContain('acme')
    expect(readdirSync(join(folder, 'data')).sort()).toContain('crm.db')
    expect(runProgram(folder, ['--help'])).toContain('Usage: npx @sales-crm/server COMMAND')
  })

  test.skipIf(inject('chromium') === null)(
    'serves the console to an owner, as a user who may not write to the packages',
    async () => {
      const folder = join(project, 'served')
      makeDataFolder(folder, NOBODY)
      const port = await freePort()
      const tool: CommandLine = ['node', join(folderOf('server'), 'bin.js')]
      const environment = { PATH: copyNode(join(project, 'bin')), HOME: folder, PORT: String(port) }
      const installation = { folder, service: tool, tool, user: NOBODY, environment }
      await startService(installation)
      await enterConsole(installation, port)
      expect(readdirSync(folder)).toEqual(['data'])
    },
    60_000,
  )

  test('names the packages that traces need', () => {
    const folder = mkdtempSync(join(project, 'empty-'))
    expect(() => runProgram(folder, [], { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' })).toThrow(
      /Run "npm install @opentelemetry\/api@[\d.]+ /,
    )
  })
})

describeExamples(() => project)

function runProgram(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): string {
  const program = join(folderOf('server'), 'bin.js')
  return run(process.execPath, [program, ...args], folder, { PATH: process.env['PATH'], ...environment })
}

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

/** Returns the import specifiers of the packages: `@sales-crm/core/ports`. */
function entryPointsOf(names: readonly string[]): string[] {
  return names.flatMap((name) =>
    Object.entries(manifestOf(name).exports)
      .filter(([, target]) => typeof target !== 'string')
      .map(([entryPoint]) => join('@sales-crm', name, entryPoint)),
  )
}

function runSource(file: string, source: string): string {
  writeFileSync(join(project, file), source)
  return run(process.execPath, [file], project)
}
