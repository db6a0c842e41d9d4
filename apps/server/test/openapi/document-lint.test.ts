import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { COMMITTED_COPY, ROOT } from '../support/openapi-document.ts'

const run = promisify(execFile)
/** They tell nobody that they run, and ask nobody for a newer version. */
const ALONE = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  NO_UPDATE_NOTIFIER: '1',
  NO_COLOR: '1',
}

/** What a linter says, and 0 where that is nothing bad. */
async function lint(
  script: string,
  args: readonly string[],
): Promise<{ readonly code: number; readonly said: string }> {
  const env = { ...process.env, ...ALONE }
  return run(process.execPath, [join(ROOT, 'node_modules', script), ...args], { cwd: ROOT, env }).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, said: `${stdout}${stderr}` }),
  )
}

test('Redocly finds nothing in the document', async () => {
  const { code, said } = await lint('@redocly/cli/bin/cli.js', [
    'lint',
    COMMITTED_COPY,
    ...['--config', join(import.meta.dirname, 'redocly.yaml'), '--format', 'json', '--max-problems', '20'],
  ])
  const { totals, problems } = JSON.parse(said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1))
  expect([code, problems, totals]).toEqual([0, [], { errors: 0, warnings: 0, ignored: 0 }])
})

test('Spectral finds nothing in the document', async () => {
  const { code, said } = await lint('@stoplight/spectral-cli/dist/index.js', [
    'lint',
    COMMITTED_COPY,
    ...['--ruleset', join(import.meta.dirname, 'spectral.yaml'), '--fail-severity', 'hint'],
    ...['--format', 'json', '--quiet'],
  ])
  expect([code, said.trim()]).toEqual([0, '[]'])
})
