import { writeFileSync } from 'node:fs'

/** Loaded into the service before its own code: at a signal it collects what is garbage, and says how much memory is in use. */
export interface HeapUse {
  readonly heapUsed: number
  readonly external: number
}

process.on('SIGUSR2', () => {
  if (!globalThis.gc) throw new Error('Start the service with --expose-gc.')
  // What a first collection lets go of may be what a second one can take.
  globalThis.gc()
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  writeFileSync(process.env['SOAK_HEAP_FILE']!, JSON.stringify({ heapUsed, external } satisfies HeapUse))
})
