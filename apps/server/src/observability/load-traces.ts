import { readManifest } from '../process/manifest.ts'

/**
 * Imports the tracing, which is not part of every installation.
 * @throws Error that says what to install
 */
export async function loadTraces(): Promise<typeof import('./traces/traces.ts')> {
  try {
    return await import('./traces/traces.ts')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error
    const packages = Object.entries(readManifest().peerDependencies ?? {}).map(
      ([name, version]) => `${name}@${version}`,
    )
    throw new Error(
      `OTEL_EXPORTER_OTLP_ENDPOINT is set, and traces need packages that are not installed. Run "npm install ${packages.join(' ')}", or unset it.`,
      { cause: error },
    )
  }
}
