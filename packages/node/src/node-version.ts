// No imports: this runs before any module that requires a recent Node.js.
const MINIMUM = [24, 16] as const

/**
 * Checks that a version of Node.js is supported.
 * @param version `process.versions.node`
 * @throws Error with a one-line message that says how to install a supported version
 */
export function assertNodeVersion(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1])) return
  const remedy = import.meta.url.endsWith('.ts')
    ? 'Run "npm ci" and start with npm, or install it from nodejs.org.'
    : 'Install it from nodejs.org.'
  throw new Error(`Node.js ${MINIMUM.join('.')} or newer is needed, and this is ${version}. ${remedy}`)
}
