import { writeFileSync } from 'node:fs'

/** Loaded before the service: on SIGUSR2 it collects garbage and writes the heap's bytes in use to a file. */
process.on('SIGUSR2', () => {
  if (!globalThis.gc) throw new Error('Start the service with --expose-gc.')
  // Objects released by the first collection may allow the second to free more.
  globalThis.gc()
  globalThis.gc()
  writeFileSync(process.env['SOAK_HEAP_FILE']!, String(process.memoryUsage().heapUsed))
})
