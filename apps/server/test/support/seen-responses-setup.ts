import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether all tests of the project `server` are in this run. */
    isWholeRun: boolean
  }
}

const FOLDER = join(import.meta.dirname, '../../../../node_modules/.cache/answers')

/** A file for the answers that are seen in this run alone: another that goes on at the same time has its own. */
export function setup(project: TestProject): () => void {
  const file = join(FOLDER, String(process.pid))
  mkdirSync(dirname(file), { recursive: true })
  rmSync(file, { force: true })
  process.env['ANSWERS_SEEN'] = file
  project.provide('isWholeRun', isWhole(project))
  return () => rmSync(file, { force: true })
}

function isWhole({ vitest }: TestProject): boolean {
  const { projects, config } = vitest
  // What is typed behind `vitest run` is told nowhere else.
  const typed = Reflect.get(vitest, 'filenamePattern')
  const chosen = [typed, config.testNamePattern, config.shard, config.related, config.changed]
  return projects.some(({ name }) => name === 'server') && chosen.every((each) => !each)
}
