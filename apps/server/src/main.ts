import { assertNodeVersion } from './process/node-version.ts'

try {
  assertNodeVersion(process.versions.node)
  const { disablePretenuring: makeAllYoung } = await import('./process/v8-flags.ts')
  makeAllYoung()
  const { speedUpModuleLoading: hastenLoading } = await import('./process/module-loading.ts')
  hastenLoading()
  const { environment, loadSettings } = await import('./process/settings.ts')
  const { start } = await import('./process/start.ts')
  await start(loadSettings(environment()))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
