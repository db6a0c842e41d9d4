import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const MAIN = join(import.meta.dirname, '../../src/cli/main.ts')

export interface CliResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Creates a folder for one test, and runs the operator's tool in it with only the given environment. */
export async function createCli(env: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'crm-operator-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))

  function crm(...args: string[]): Promise<CliResult> {
    return runProcess([MAIN, ...args], folder, env)
  }

  return {
    folder,
    crm,
    /**
     * Runs a command with `--json` and returns the parsed output. @throws Error for an exit code other than 0
     */
    async json(...args: string[]): Promise<Record<string, unknown>> {
      const { code, stdout, stderr } = await crm(...args, '--json')
      if (code !== 0) throw new Error(`${args.join(' ')}: ${code} ${stderr}`)
      return JSON.parse(stdout) as Record<string, unknown>
    },
  }
}

export const ACME = [
  'workspace',
  'create',
  '--name',
  'Acme',
  '--slug',
  'acme',
  '--owner-name',
  'Olga',
  '--owner-email',
  'olga@acme.example',
]
export const PASSWORD = ['--owner-password', 'a-long-password']

function runProcess(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<CliResult> {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}
