// Imports nothing: it runs before anything that needs a new Node.js is loaded.
const LEAST = [24, 16] as const

/** @throws Error in one line that says how to get one that is new enough */
export function requireNode(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1])) return
  throw new Error(
    `Node.js ${LEAST.join('.')} or newer is needed, and this is ${version}. Run "npm ci" and start with npm, or install it from nodejs.org.`,
  )
}
