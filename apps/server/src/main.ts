import { assertNodeVersion } from '@sales-crm/node/node-version'

try {
  assertNodeVersion(process.versions.node)
  const { speedUpModuleLoading } = await import('./process/module-loading.ts')
  speedUpModuleLoading()
  const { environment, loadSettings } = await import('./process/settings.ts')
  const { start } = await import('./process/start.ts')
  await start(loadSettings(environment()))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
