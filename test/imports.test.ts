import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importedBy, isLocal, packageOf } from './imported-packages.ts'

/** The packages each package may import, or one entry point of a package. A name that ends in `*` is a prefix. */
const ALLOWED_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'packages/core': ['valibot'],
  'packages/sql': ['@sales-crm/core', 'kysely'],
  'packages/sqlite': ['@sales-crm/core', '@sales-crm/sql', 'better-sqlite3', 'kysely', 'node:*'],
  'packages/postgres': ['@sales-crm/core', '@sales-crm/sql', 'pg', 'kysely', 'node:*'],
  'packages/node': [
    '@sales-crm/core',
    '@oslojs/*',
    '@zxcvbn-ts/language-common',
    'csv-parse',
    'file-type',
    'ipaddr.js',
    'libphonenumber-js/max',
    'nodemailer',
    'pdfkit',
    'sanitize-html',
    'modern-tar',
    'undici',
    'node:*',
  ],
  'packages/conformance': ['@sales-crm/core', 'vitest', 'fast-check', 'node:*'],
  'packages/client': ['@sales-crm/core/api-types'],
  'packages/webhooks': ['@sales-crm/core/browser', '@sales-crm/core/event-types'],
  'apps/console': [
    '@base-ui/react',
    '@dnd-kit/dom',
    '@sales-crm/client',
    '@sales-crm/core/browser',
    '@tanstack/react-query',
    '@tanstack/react-virtual',
    'prosemirror-commands',
    'prosemirror-history',
    'prosemirror-inputrules',
    'prosemirror-keymap',
    'prosemirror-model',
    'prosemirror-schema-list',
    'prosemirror-state',
    'prosemirror-view',
    'preact',
    'tinykeys',
    'wouter',
  ],
  'apps/server': [
    ...['@sales-crm/core', '@sales-crm/node', '@sales-crm/sqlite', '@sales-crm/postgres'],
    ...[
      'hono',
      '@hono/node-server',
      'valibot',
      '@valibot/to-json-schema',
      'pino',
      'pino-pretty',
      'prom-client',
      'node:*',
    ],
    ...['@modelcontextprotocol/server', '@opentelemetry/*', 'swagger-ui-dist'],
  ],
}

/**
 * The folders of the core in the order of its layers, and the other folders that each may import, values and
 * types alike. A feature may import the layers below it and the features named here, if any. `crm.ts` and `index.ts`
 * compose them all.
 */
const BELOW_FEATURES = ['kernel', 'schema', 'ports', 'engine']
const ALLOWED_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  schema: ['kernel'],
  ports: ['kernel', 'schema'],
  engine: ['kernel', 'schema', 'ports'],
  'base-storage': ['kernel', 'schema', 'ports'],
  memory: ['kernel', 'schema', 'ports', 'base-storage'],
  ...mapFeatures({
    workspaces: ['files', 'runs'],
    activities: ['associations', 'files', 'notifications'],
    notifications: ['mail'],
    associations: ['custom-fields', 'lists', 'tags'],
    filters: ['custom-fields', 'linked-records', 'tags'],
    views: ['filters'],
    products: ['associations', 'files', 'views'],
    'linked-records': [],
    'deal-items': [],
    offers: ['deal-items'],
    deals: [
      'associations',
      'custom-fields',
      'deal-items',
      'linked-records',
      'pipelines',
      'views',
      'webhooks',
    ],
    companies: ['associations', 'contacts', 'custom-fields', 'deals', 'linked-records', 'views'],
    people: ['associations', 'contacts', 'custom-fields', 'deals', 'linked-records', 'views'],
    tasks: ['associations', 'notifications', 'views'],
    accounts: ['mail', 'rate-limits'],
    archives: ['exports', 'members', 'workspaces'],
    oauth: ['accounts', 'mail', 'rate-limits', 'webhooks'],
    members: [
      'accounts',
      'mail',
      'notifications',
      'oauth',
      'rate-limits',
      'runs',
      'teams',
      'webhooks',
      'workspaces',
    ],
    setup: ['accounts', 'mail', 'members', 'task-types', 'workspaces'],
    operator: ['accounts', 'archives', 'mail', 'members', 'oauth', 'setup', 'webhooks', 'workspaces'],
    examples: ['companies', 'deals', 'people', 'pipelines', 'task-types', 'tasks', 'workspaces'],
    exports: ['custom-fields'],
    imports: [
      ...[
        'activities',
        'companies',
        'contacts',
        'custom-fields',
        'deals',
        'exports',
        'lists',
        'members',
        'people',
        'products',
      ],
      ...['tags', 'tasks', 'upsert', 'webhooks', 'workspaces'],
    ],
    reports: ['activities', 'companies', 'deals', 'people', 'pipelines', 'products', 'tasks'],
    board: ['deals', 'linked-records', 'pipelines', 'reports'],
    'bulk-changes': [
      ...['associations', 'companies', 'custom-fields', 'deals', 'imports', 'people', 'products'],
      ...['runs', 'tags', 'tasks'],
    ],
    retention: ['bulk-changes', 'idempotency', 'imports', 'notifications'],
    upsert: ['custom-fields'],
    batch: ['upsert'],
    search: ['activities', 'associations', 'companies', 'deals', 'people', 'products', 'tasks'],
    teams: ['webhooks'],
    timeline: ['activities', 'companies', 'deals', 'people', 'tasks'],
    usage: ['webhooks'],
  }),
  'response-schemas': [...BELOW_FEATURES, 'features/*'],
}

const ROOT = join(import.meta.dirname, '..')

const CORE_IMPORTS = importsOf(join(ROOT, 'packages/core/src'))
  .filter(({ name }) => isLocal(name))
  .map(({ file, name }) => ({ file, from: coreFolderOf(file), to: coreFolderOf(join(dirname(file), name)) }))

const CORE_FOLDERS = [...new Set(CORE_IMPORTS.map(({ from }) => from))].filter((folder) => folder !== '')

test('imports are found in each of their forms', () => {
  const source = `
    import './a.ts'
    import type { B } from "b"
    export {
      c,
    } from 'c/deep'
    const d = await import('d')
    type E = import('@scope/e').E
    if ('from' in f) return where(f, 'from')`
  expect(importedBy(source)).toEqual(['./a.ts', 'b', 'c/deep', 'd', '@scope/e'])
})

test('every package is in the table', () => {
  const folders = ['packages', 'apps'].flatMap((group) =>
    readdirSync(join(ROOT, group)).map((name) => `${group}/${name}`),
  )
  expect(folders.sort()).toEqual(Object.keys(ALLOWED_PACKAGES).sort())
})

describe.each(Object.entries(ALLOWED_PACKAGES))('%s', (folder, allowed) => {
  const imports = importsOf(join(ROOT, folder, 'src'))

  test('imports only the packages of the table', () => {
    const others = imports.filter(
      ({ name }) =>
        !isLocal(name) && !allowed.some((each) => matches(packageOf(name), each) || name === each),
    )
    expect(others).toEqual([])
  })

  test('has no relative imports outside its src', () => {
    const outside = imports.filter(
      ({ file, name }) => isLocal(name) && !join(dirname(file), name).startsWith(join(folder, 'src/')),
    )
    expect(outside).toEqual([])
  })

  test('declares every package it imports', () => {
    const { dependencies, peerDependencies, devDependencies } = JSON.parse(
      readFileSync(join(ROOT, folder, 'package.json'), 'utf8'),
    )
    // Builds contain what they import of these.
    const declared = {
      ...dependencies,
      ...peerDependencies,
      ...devDependencies,
    }
    const undeclared = imports.filter(
      ({ name }) => !isLocal(name) && !isBuiltin(name) && !(packageOf(name) in declared),
    )
    expect(undeclared).toEqual([])
  })
})

describe.each(CORE_FOLDERS)('packages/core/src/%s', (folder) => {
  const allowed = allowedFolders(folder)
  test('imports only the folders below it', () => {
    const others = CORE_IMPORTS.filter(
      ({ from, to }) => from === folder && to !== folder && !allowed.some((each) => matches(to, each)),
    )
    expect(others).toEqual([])
  })
})

test('the table of folders has no circle', () => {
  expect(findCircle(new Map(Object.entries(ALLOWED_FOLDERS)))).toEqual([])
})

test.each(Object.keys(ALLOWED_PACKAGES))('%s has no circle of files, types included', (folder) => {
  const graph = new Map<string, string[]>()
  for (const { file, name } of importsOf(join(ROOT, folder, 'src'))) {
    if (isLocal(name)) graph.set(file, [...(graph.get(file) ?? []), join(dirname(file), name)])
  }
  expect(findCircle(graph)).toEqual([])
})

test('findCircle returns a circle', () => {
  expect(findCircle(new Map(Object.entries({ a: ['b', 'd'], b: ['c'], c: ['b'], d: [] })))).toEqual([
    'b',
    'c',
    'b',
  ])
})

function mapFeatures(features: Readonly<Record<string, readonly string[]>>) {
  return Object.fromEntries(
    Object.entries(features).map(([name, others]) => [
      `features/${name}`,
      [...BELOW_FEATURES, ...others.map((other) => `features/${other}`)],
    ]),
  )
}

/** @throws Error for a folder that is neither in the table nor a feature */
function allowedFolders(folder: string): readonly string[] {
  const allowed = ALLOWED_FOLDERS[folder] ?? (folder.startsWith('features/') ? BELOW_FEATURES : undefined)
  if (!allowed)
    throw new Error(`The folder ${folder} of the core is not in the table: add it to ALLOWED_FOLDERS.`)
  return allowed
}

/** `packages/core/src/features/tasks/task.ts` is in `features/tasks`, `packages/core/src/crm.ts` in ''. */
function coreFolderOf(file: string): string {
  const [first = '', second = ''] = relative('packages/core/src', dirname(file)).split('/')
  return first === 'features' ? `${first}/${second}` : first
}

/** Returns the nodes of a circle in order, or none. */
function findCircle(graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const finished = new Set<string>()
  const visit = (node: string, path: readonly string[]): readonly string[] => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node]
    if (finished.has(node)) return []
    for (const next of graph.get(node) ?? []) {
      const circle = visit(next, [...path, node])
      if (circle.length > 0) return circle
    }
    finished.add(node)
    return []
  }
  for (const node of graph.keys()) {
    const circle = visit(node, [])
    if (circle.length > 0) return circle
  }
  return []
}

function importsOf(src: string) {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name) && !name.endsWith('.test.ts'),
  )
  return files.flatMap((file) => {
    const path = join(src, file)
    return importedBy(readFileSync(path, 'utf8')).map((name) => ({ file: relative(ROOT, path), name }))
  })
}

function matches(name: string, allowed: string): boolean {
  return allowed.endsWith('*') ? name.startsWith(allowed.slice(0, -1)) : name === allowed
}
