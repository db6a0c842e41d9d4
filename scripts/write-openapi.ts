import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCrm } from '@sales-crm/core'
import { memoryStorage } from '@sales-crm/core/memory'
import { nodePorts } from '@sales-crm/node'
import { openapiDocument } from '../apps/server/src/openapi/document.ts'
import { readManifest } from '../apps/server/src/process/manifest.ts'

// Writes docs/openapi.json, the OpenAPI document of a service at an example address.

const ROOT = join(import.meta.dirname, '..')
const ISSUER = 'https://crm.example'
const FILE = join(ROOT, 'docs/openapi.json')

const crm = createCrm({ ...nodePorts({ issuer: ISSUER }), storage: memoryStorage() })
const document = openapiDocument(crm, {
  issuer: ISSUER,
  version: readManifest().version,
  serves: () => true,
})
writeFileSync(FILE, JSON.stringify(document, null, 2))
execFileSync(join(ROOT, 'node_modules/.bin/biome'), ['format', '--write', FILE], {
  cwd: ROOT,
  stdio: 'inherit',
})
