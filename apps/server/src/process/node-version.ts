// Imports nothing: it runs before anything that needs a new Node.js is loaded.
const MINIMUM = [24, 16] as const

/** @throws Error in one line that says how to get one that is new enough */
export function assertNodeVersion(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1])) return
  throw new Error(
    `Node.js ${MINIMUM.join('.')} or newer is needed, and this is ${version}. Run "npm ci" and start with npm, or install it from nodejs.org.`,
  )
}
