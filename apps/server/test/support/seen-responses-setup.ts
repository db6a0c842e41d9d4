import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** True when the run includes all tests of the projects `http` and `server`. */
    isWholeRun: boolean
  }
}

const FOLDER = join(import.meta.dirname, '../../../../node_modules/.cache/seen-responses')

/** Creates the file of responses seen in this run. Concurrent runs have separate files. */
export function setup(project: TestProject): () => void {
  const file = join(FOLDER, String(process.pid))
  mkdirSync(dirname(file), { recursive: true })
  rmSync(file, { force: true })
  process.env['SEEN_RESPONSES'] = file
  project.provide('isWholeRun', isWhole(project))
  return () => rmSync(file, { force: true })
}

function isWhole({ vitest }: TestProject): boolean {
  const { projects, config } = vitest
  // The filter typed after `vitest run` is not in the public API.
  const pattern = Reflect.get(vitest, 'filenamePattern')
  const filters = [pattern, config.testNamePattern, config.shard, config.related, config.changed]
  const names = projects.map(({ name }) => name)
  return ['http', 'server'].every((name) => names.includes(name)) && filters.every((filter) => !filter)
}
