import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startServiceWithToken } from './conformance-service.ts'
import { runSuite } from './conformance-suite.ts'

/**
 * The scenarios that pass entirely, by revision: all that apply to a server without the suite's own tools.
 */
const PASSING: Readonly<Record<string, readonly string[]>> = {
  '2025-11-25': ['dns-rebinding-protection', 'ping', 'server-initialize', 'tools-list'],
  '2026-07-28': [
    'dns-rebinding-protection',
    'http-header-validation',
    'server-sse-multiple-streams',
    'tools-list',
  ],
}

test.each(Object.keys(PASSING))(
  'meets the requirements of the conformance suite for revision %s, except the listed failures',
  { timeout: 60_000 },
  async (revision) => {
    const base = await startServiceWithToken()
    const list = join(import.meta.dirname, `expected-failures.${revision}.yaml`)
    const result = await runSuite([
      'server',
      '--url',
      `${base}/mcp`,
      '--requirements',
      revision,
      '--expected-failures',
      list,
    ])
    // The suite compares only scored checks with the list.
    expect(result.failed).toEqual(readExpectedFailures(list))
    expect(result.exitCode, result.output).toBe(0)
    const passed = result.scenarios.filter(
      (scenario) => !result.failed.some((each) => each.startsWith(`${scenario}:`)),
    )
    expect(passed).toEqual(expect.arrayContaining([...PASSING[revision]!]))
  },
)

function readExpectedFailures(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.flatMap((line) => /^ {2}- (\S+)/.exec(line)?.[1] ?? []).sort()
}
