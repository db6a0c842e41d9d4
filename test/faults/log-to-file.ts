import { closeSync, openSync } from 'node:fs'

/**
 * Loaded before the service: what it prints goes to the file that this module's address names. The descriptor
 * that was freed is the next to be given.
 */
closeSync(1)
openSync(new URL(import.meta.url).searchParams.get('file')!, 'a')
