import { closeSync, openSync } from 'node:fs'

/**
 * Loaded before the service: redirects standard output to the file named in this module's URL. `open` returns
 * the lowest free descriptor, which is the one closed here.
 */
closeSync(1)
openSync(new URL(import.meta.url).searchParams.get('file')!, 'a')
