import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Null on a machine without Chromium. With REQUIRE_ALL that is an error. */
    chromium: string | null
  }
}

/** Without a window first: it needs a quarter less of the processor. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
]

/** Finds the browser for the page tests. */
export default function setup(project: TestProject): () => void {
  const found = findChromium()
  if (!found && process.env['REQUIRE_ALL'])
    throw new Error('REQUIRE_ALL is set but Chromium was not found: install it, or set TEST_CHROMIUM.')
  project.provide('chromium', found ?? null)
  return () => {
    if (!found) console.log('Skipped: browser tests. Install Chromium, or set TEST_CHROMIUM to its path.')
  }
}

export function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return (
    process.env['TEST_CHROMIUM'] ??
    NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync)
  )
}
