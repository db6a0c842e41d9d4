import { createRequire } from 'node:module'

interface Manifest {
  readonly version: string
  /** Packages that only some installations need. */
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** The manifest of this package. */
export function readManifest(): Manifest {
  return createRequire(import.meta.url)('@sales-crm/server/package.json')
}
