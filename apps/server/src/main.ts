// Nothing that needs a new Node may be imported here before its version is known.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 16)) {
  process.stderr.write(`Node.js 24.16 or newer is needed, and this is ${process.versions.node}. Run "npm ci", then "npm start".\n`)
  process.exit(1)
}

try {
  const { environment, loadSettings } = await import('./config.ts')
  const { start } = await import('./start.ts')
  await start(loadSettings(environment()))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

export {}
