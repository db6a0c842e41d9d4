import { createRequire } from 'node:module'

/** The version of the service. */
export function readVersion(): string {
  const manifest: { readonly version: string } = createRequire(import.meta.url)(
    '@sales-crm/server/package.json',
  )
  return manifest.version
}
