import { requireNode } from './node-version.ts'

try {
  requireNode(process.versions.node)
  const { environment, loadSettings } = await import('./config.ts')
  const { prepareDemo } = await import('./demo/prepare.ts')
  const { welcome } = await import('./demo/welcome.ts')
  const { start } = await import('./start.ts')
  const given = { ...process.env }
  const settings = loadSettings(environment())
  const demo = await prepareDemo(settings)
  await start(settings)
  const colour = process.stdout.isTTY === true && !process.env['NO_COLOR']
  process.stdout.write(`\n${welcome(demo, { colour, given })}\n\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
