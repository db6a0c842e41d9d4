import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

/** Who may import what. A name that ends in `*` stands for all that begin so. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'packages/core': ['valibot'],
  'packages/sql': ['@sales-crm/core', 'kysely'],
  'packages/sqlite': ['@sales-crm/core', '@sales-crm/sql', 'better-sqlite3', 'kysely', 'node:*'],
  'packages/postgres': ['@sales-crm/core', '@sales-crm/sql', 'pg', 'kysely', 'node:*'],
  'packages/node': [
    '@sales-crm/core',
    '@oslojs/*',
    'file-type',
    'ipaddr.js',
    'nodemailer',
    'sanitize-html',
    'undici',
    'node:*',
  ],
  'packages/conformance': ['@sales-crm/core', 'vitest', 'fast-check', 'node:*'],
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

const ROOT = join(import.meta.dirname, '..')
/** `from '…'`, `import '…'` and `import('…')`, of values and of types alike. */
const IMPORT =
  /^\s*(?:(?:import|export|\})[^'"\n=]*\bfrom|import) (['"])([^'"\s]+)\1|\bimport\((['"])([^'"\s]+)\3/gm

test('an import is seen in each of its forms', () => {
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

test('every package has a line in the table', () => {
  const folders = ['packages', 'apps'].flatMap((group) =>
    readdirSync(join(ROOT, group)).map((name) => `${group}/${name}`),
  )
  expect(folders.sort()).toEqual(Object.keys(MAY_IMPORT).sort())
})

describe.each(Object.entries(MAY_IMPORT))('%s', (folder, allowed) => {
  const imports = importsOf(join(ROOT, folder, 'src'))

  test('imports only what the table allows', () => {
    const others = imports.filter(
      ({ name }) => !isLocal(name) && !allowed.some((each) => matches(packageOf(name), each)),
    )
    expect(others).toEqual([])
  })

  test('keeps its relative imports in its own src', () => {
    const outside = imports.filter(
      ({ file, name }) => isLocal(name) && !join(dirname(file), name).startsWith(join(folder, 'src/')),
    )
    expect(outside).toEqual([])
  })

  test('declares every package it imports', () => {
    const { dependencies = {}, peerDependencies = {} } = JSON.parse(
      readFileSync(join(ROOT, folder, 'package.json'), 'utf8'),
    )
    const undeclared = imports.filter(
      ({ name }) =>
        !isLocal(name) && !isBuiltin(name) && !(packageOf(name) in { ...dependencies, ...peerDependencies }),
    )
    expect(undeclared).toEqual([])
  })
})

function importsOf(src: string) {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  return files.flatMap((file) => {
    const path = join(src, file)
    return importedBy(readFileSync(path, 'utf8')).map((name) => ({ file: relative(ROOT, path), name }))
  })
}

function importedBy(source: string): string[] {
  return Array.from(source.matchAll(IMPORT), ([, , stated, , called]) => (stated ?? called)!)
}

function isLocal(name: string): boolean {
  return name.startsWith('.')
}

/** `@sales-crm/core/ports` → `@sales-crm/core`; `hono/html` → `hono`. */
function packageOf(name: string): string {
  return name.startsWith('node:') ? name : name.split('/', name.startsWith('@') ? 2 : 1).join('/')
}

function matches(name: string, allowed: string): boolean {
  return allowed.endsWith('*') ? name.startsWith(allowed.slice(0, -1)) : name === allowed
}
