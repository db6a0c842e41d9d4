import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Null on a machine that has no Chromium; with REQUIRE_ALL that is a failure. */
    chromium: string | null
  }
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** Finds the browser that pages are tested in. */
export default function setup(project: TestProject): () => void {
  const given = process.env['TEST_CHROMIUM']
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const found = given ?? NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync)
  if (!found && process.env['REQUIRE_ALL'])
    throw new Error('REQUIRE_ALL is set and there is no Chromium: install it, or set TEST_CHROMIUM.')
  project.provide('chromium', found ?? null)
  return () => {
    if (!found) console.log('Left out: pages in a browser. Install Chromium, or set TEST_CHROMIUM to one.')
  }
}
