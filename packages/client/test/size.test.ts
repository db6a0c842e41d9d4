import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const SRC = join(import.meta.dirname, '../src')
const COMMENTS = /\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm

test('the code without types and comments has less than 12 KiB after gzip', () => {
  const code = readdirSync(SRC)
    .filter((name) => name !== 'api-types.ts')
    .map((name) => stripTypeScriptTypes(readFileSync(join(SRC, name), 'utf8')))
    .join('\n')
    .replaceAll(COMMENTS, '')
    .replaceAll(/^\s+/gm, '')
  expect(code).toContain('class HttpClient')
  expect(gzipSync(code).length).toBeLessThan(12 * 1024)
})
