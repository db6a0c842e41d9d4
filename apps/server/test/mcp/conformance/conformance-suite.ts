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
/** The folder names of the suite's results, by scenario. */
const RESULTS = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/

export interface SuiteRun {
  readonly exitCode: number
  readonly output: string
  /** The scenarios that were run. */
  readonly scenarios: readonly string[]
  /** The failed checks and warnings in the format of the lists of expected failures, sorted. */
  readonly failed: readonly string[]
}

/** Starts the MCP conformance suite as a process, as on the command line. */
export function startSuite(args: readonly string[]) {
  const child = spawn(process.execPath, [SUITE, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

export async function runSuite(args: readonly string[]): Promise<SuiteRun> {
  const resultsFolder = await temporaryFolder()
  const child = startSuite([...args, '--output-dir', resultsFolder])
  const [output, errors, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  const results = readdirSync(resultsFolder).map((name) => ({
    scenario: RESULTS.exec(name)?.[1] ?? name,
    checks: JSON.parse(readFileSync(join(resultsFolder, name, 'checks.json'), 'utf8')) as readonly Check[],
  }))
  const failed = results.flatMap(({ scenario, checks }) =>
    checks.filter(isFailed).map(({ id }) => `${scenario}:${id}`),
  )
  return {
    exitCode,
    output: output + errors,
    scenarios: results.map(({ scenario }) => scenario),
    failed: [...new Set(failed)].sort(),
  }
}

/** Counts a warning as a failure, as the suite does for expected failures. */
function isFailed({ status }: Check): boolean {
  return status === 'FAILURE' || status === 'WARNING'
}
