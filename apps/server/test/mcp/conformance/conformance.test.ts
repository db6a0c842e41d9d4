import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startServiceWithToken } from './conformance-service.ts'
import { runSuite } from './conformance-suite.ts'

/** Of each revision, what passes whole: all that the suite can ask of a server without tools of its own. */
const WHOLE: Readonly<Record<string, readonly string[]>> = {
  '2025-11-25': ['dns-rebinding-protection', 'ping', 'server-initialize', 'tools-list'],
  '2026-07-28': [
    'dns-rebinding-protection',
    'http-header-validation',
    'server-sse-multiple-streams',
    'tools-list',
  ],
}

test.each(Object.keys(WHOLE))(
  'what the conformance suite requires of revision %s is met, but for what is listed',
  { timeout: 60_000 },
  async (revision) => {
    const base = await startServiceWithToken()
    const list = join(import.meta.dirname, `expected-failures.${revision}.yaml`)
    const ran = await runSuite([
      'server',
      '--url',
      `${base}/mcp`,
      '--requirements',
      revision,
      '--expected-failures',
      list,
    ])
    // The suite itself does not hold what it does not score to the list.
    expect(ran.failed).toEqual(listedIn(list))
    expect(ran.exitCode, ran.output).toBe(0)
    const whole = ran.scenarios.filter(
      (scenario) => !ran.failed.some((each) => each.startsWith(`${scenario}:`)),
    )
    expect(whole).toEqual(expect.arrayContaining([...WHOLE[revision]!]))
  },
)

function listedIn(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.flatMap((line) => /^ {2}- (\S+)/.exec(line)?.[1] ?? []).sort()
}
