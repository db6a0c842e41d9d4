import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { runCommandLine } from '../../src/cli/run.ts'

const MAIN = join(import.meta.dirname, '../../src/cli/main.ts')

export interface CliResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

type Environment = Readonly<Record<string, string>>
type RunCommand = (args: readonly string[], cwd: string, env: Environment) => Promise<CliResult>

/**
 * Creates a folder for one test, and runs the operator's tool in it with only the given environment.
 * @param run `spawnCommand` for a process of its own, whose start takes a second
 */
export async function createCli(env: Environment = {}, run: RunCommand = runInProcess) {
  const folder = await mkdtemp(join(tmpdir(), 'crm-operator-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))

  function crm(...args: string[]): Promise<CliResult> {
    return run(args, folder, env)
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

/** Runs a command in this process, as the entry point does. One runs at a time. */
async function runInProcess(args: readonly string[], cwd: string, env: Environment): Promise<CliResult> {
  const output = { stdout: '', stderr: '' }
  const restore = [replaceEnvironment(env), changeFolder(cwd), captureOutput(output)]
  try {
    const code = await runCommandLine(args)
    return { code, ...output }
  } finally {
    for (const undo of restore.reverse()) undo()
  }
}

function replaceEnvironment(env: Environment): () => void {
  const former = { ...process.env }
  const set = (variables: NodeJS.ProcessEnv) => {
    for (const name of Object.keys(process.env)) delete process.env[name]
    Object.assign(process.env, variables)
  }
  set(env)
  return () => set(former)
}

function changeFolder(folder: string): () => void {
  const former = process.cwd()
  process.chdir(folder)
  return () => process.chdir(former)
}

function captureOutput(output: { stdout: string; stderr: string }): () => void {
  const restore = (['stdout', 'stderr'] as const).map((name) => {
    const { write } = process[name]
    process[name].write = (text: string | Uint8Array) => {
      output[name] += text.toString()
      return true
    }
    return () => {
      process[name].write = write
    }
  })
  return () => {
    for (const undo of restore) undo()
  }
}

/** Runs a command in a process of its own. */
export function spawnCommand(args: readonly string[], cwd: string, env: Environment): Promise<CliResult> {
  const child = spawn(process.execPath, [MAIN, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
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
