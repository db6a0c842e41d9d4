import { assertNodeVersion } from '../process/node-version.ts'

try {
  assertNodeVersion(process.versions.node)
  const { runCommandLine: run } = await import('./run.ts')
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
