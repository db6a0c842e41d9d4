import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { COMMITTED_COPY, ROOT } from '../support/openapi-document.ts'

const run = promisify(execFile)
/** Disables telemetry and update checks. */
const OFFLINE_ENV = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  NO_UPDATE_NOTIFIER: '1',
  NO_COLOR: '1',
}

/** Runs a linter. The code is 0 if it found no problem. */
async function lint(
  script: string,
  args: readonly string[],
): Promise<{ readonly code: number; readonly output: string }> {
  const env = { ...process.env, ...OFFLINE_ENV }
  return run(process.execPath, [join(ROOT, 'node_modules', script), ...args], { cwd: ROOT, env }).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, output: `${stdout}${stderr}` }),
  )
}

test('Redocly reports no problem in the document', async () => {
  const { code, output } = await lint('@redocly/cli/bin/cli.js', [
    'lint',
    COMMITTED_COPY,
    ...['--config', join(import.meta.dirname, 'redocly.yaml'), '--format', 'json', '--max-problems', '20'],
  ])
  const { totals, problems } = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1))
  expect([code, problems, totals]).toEqual([0, [], { errors: 0, warnings: 0, ignored: 0 }])
})

test('Spectral reports no problem in the document', async () => {
  const { code, output } = await lint('@stoplight/spectral-cli/dist/index.js', [
    'lint',
    COMMITTED_COPY,
    ...['--ruleset', join(import.meta.dirname, 'spectral.yaml'), '--fail-severity', 'hint'],
    ...['--format', 'json', '--quiet'],
  ])
  expect([code, output.trim()]).toEqual([0, '[]'])
})
