import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildDocument } from '../apps/server/test/support/openapi-document.ts'

// Writes docs/openapi.json, the OpenAPI document of a service at an example address.

const ROOT = join(import.meta.dirname, '..')
const FILE = join(ROOT, 'docs/openapi.json')

const document = buildDocument()
writeFileSync(FILE, JSON.stringify(document, null, 2))
execFileSync(join(ROOT, 'node_modules/.bin/biome'), ['format', '--write', FILE], {
  cwd: ROOT,
  stdio: 'inherit',
})
