import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Handler } from 'hono'
import type { AppEnv } from '../http/app-env.ts'
import { servePrecompressed } from '../http/precompressed.ts'
import { findConsoleBuild } from './build-console.ts'

/** An entry of the manifest that the build writes. */
interface ManifestChunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

export interface ConsoleFiles {
  /** The script that the page loads. */
  readonly script: string
  /** The scripts that it imports, to load them at once. */
  readonly imports: readonly string[]
  readonly styles: readonly string[]
  /** Serves a file by its name, which contains a hash of its content. */
  readonly handlers: ReadonlyMap<string, Handler<AppEnv>>
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

let loaded: Promise<ConsoleFiles> | undefined

/**
 * Loads the built console, once in a process: a request must not start a build that has failed before.
 * @throws Error with a message that says what to do
 */
export function loadConsoleFiles(onBuild = () => {}): Promise<ConsoleFiles> {
  loaded ??= readBuild(onBuild)
  return loaded
}

async function readBuild(onBuild: () => void): Promise<ConsoleFiles> {
  const folder = await findConsoleBuild(onBuild)
  const manifest: Record<string, ManifestChunk> = JSON.parse(
    await readFile(join(folder, 'manifest.json'), 'utf8'),
  )
  const chunks = Object.values(manifest)
  const entry = chunks.find(({ isEntry }) => isEntry)
  if (!entry)
    throw new Error(`The build of the console in ${folder} has no entry. Delete it and start again.`)
  const imports = (entry.imports ?? []).flatMap((name) => manifest[name] ?? [])
  const names = new Set(chunks.flatMap(({ file, css = [] }) => [file, ...css]))
  return {
    script: entry.file,
    imports: imports.map(({ file }) => file),
    styles: [...imports, entry].flatMap(({ css = [] }) => css),
    handlers: new Map([...names].map((name) => [name, serveFile(join(folder, name))])),
  }
}

/** The file is read and compressed for the first request. */
function serveFile(file: string): Handler<AppEnv> {
  return servePrecompressed(async () => ({
    body: new Uint8Array(await readFile(file)),
    headers: {
      'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
      'Cache-Control': 'public, max-age=31536000, immutable',
    },
  }))
}
