import { requireNode } from './node-version.ts'

try {
  requireNode(process.versions.node)
  const { makeAllYoung } = await import('./collecting.ts')
  makeAllYoung()
  const { hastenLoading } = await import('./loading.ts')
  hastenLoading()
  const { environment, loadSettings } = await import('./config.ts')
  const { start } = await import('./start.ts')
  await start(loadSettings(environment()))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
