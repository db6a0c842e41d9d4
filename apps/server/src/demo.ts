import { assertNodeVersion } from '@sales-crm/node/node-version'

try {
  assertNodeVersion(process.versions.node)
  const { speedUpModuleLoading } = await import('./process/module-loading.ts')
  speedUpModuleLoading()
  const { environment, loadSettings } = await import('./process/settings.ts')
  const { DEMO_OWNER } = await import('./demo/demo-owner.ts')
  const { prepareDemo } = await import('./demo/prepare-demo.ts')
  const { welcomeText } = await import('./demo/welcome.ts')
  const { start } = await import('./process/start.ts')
  const environmentAtStart = { ...process.env }
  const settings = loadSettings(environment())
  const demo = await prepareDemo(settings)
  await start(settings, { demoUser: DEMO_OWNER })
  const colour = process.stdout.isTTY === true && !process.env['NO_COLOR']
  process.stdout.write(`\n${welcomeText(demo, { colour, environment: environmentAtStart })}\n\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
