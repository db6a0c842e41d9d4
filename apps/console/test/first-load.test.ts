import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { findConsoleBuild } from '../../server/src/console/build-console.ts'

/** An entry of the manifest that the build writes, by the path of its source or the name of its chunk. */
interface ManifestChunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

type Manifest = Readonly<Record<string, ManifestChunk>>

const ENTRY = 'src/main.tsx'
const TEXTS = ['src/texts/en.ts', 'src/texts/pt-br.ts']
const MAX_BYTES = 120 * 1024

let folder: string
let manifest: Manifest

beforeAll(async () => {
  folder = await findConsoleBuild(() => {})
  manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest
})

test.each(TEXTS)(
  'the scripts and styles of the first load with %s have at most 120 KiB after Brotli',
  (texts) => {
    const files = [...listFiles([ENTRY, texts])]
    expect(files.some((file) => file.endsWith('.css'))).toBe(true)
    expect(files.reduce((sum, file) => sum + compressedSize(file), 0)).toBeLessThanOrEqual(MAX_BYTES)
  },
)

/** The files of chunks and of all that they import statically. */
function listFiles(names: readonly string[]): ReadonlySet<string> {
  const visited = new Set<string>()
  const visit = (name: string) => {
    if (visited.has(name)) return
    visited.add(name)
    chunkOf(name).imports?.forEach(visit)
  }
  names.forEach(visit)
  return new Set([...visited].flatMap((name) => [chunkOf(name).file, ...(chunkOf(name).css ?? [])]))
}

function chunkOf(name: string): ManifestChunk {
  const chunk = manifest[name]
  if (!chunk) throw new Error(`The manifest of the build has no ${name}.`)
  return chunk
}

function compressedSize(file: string): number {
  return brotliCompressSync(readFileSync(join(folder, file))).length
}
