import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../../support/service-process.ts'

interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
}

const SUITE = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js')
/** As the suite calls what it found out of a scenario. */
const RESULTS = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/

export interface SuiteRun {
  readonly exitCode: number
  readonly output: string
  /** Each scenario that was run. */
  readonly scenarios: readonly string[]
  /** What failed or was warned of, as lists of expected failures name it, in order. */
  readonly failed: readonly string[]
}

/** The conformance suite of the protocol, as a process that is started as it would be by hand. */
export function startSuite(args: readonly string[]) {
  const child = spawn(process.execPath, [SUITE, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

export async function runSuite(args: readonly string[]): Promise<SuiteRun> {
  const results = await temporaryFolder()
  const child = startSuite([...args, '--output-dir', results])
  const [output, errors, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  const found = readdirSync(results).map((name) => ({
    scenario: RESULTS.exec(name)?.[1] ?? name,
    checks: JSON.parse(readFileSync(join(results, name, 'checks.json'), 'utf8')) as readonly Check[],
  }))
  const failed = found.flatMap(({ scenario, checks }) =>
    checks.filter(isFailed).map(({ id }) => `${scenario}:${id}`),
  )
  return {
    exitCode,
    output: output + errors,
    scenarios: found.map(({ scenario }) => scenario),
    failed: [...new Set(failed)].sort(),
  }
}

/** As the suite itself judges against a list of expected failures. */
function isFailed({ status }: Check): boolean {
  return status === 'FAILURE' || status === 'WARNING'
}
