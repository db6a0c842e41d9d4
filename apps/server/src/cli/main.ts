import { assertNodeVersion } from '@sales-crm/node/node-version'

try {
  assertNodeVersion(process.versions.node)
  const { speedUpModuleLoading } = await import('../process/module-loading.ts')
  speedUpModuleLoading()
  const { runCommandLine } = await import('./run.ts')
  process.exitCode = await runCommandLine(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
