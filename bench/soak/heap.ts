import { writeFileSync } from 'node:fs'

/** Loaded before the service: on SIGUSR2 it collects garbage and writes the memory in use to a file. */
export interface HeapUse {
  readonly heapUsed: number
  readonly external: number
}

process.on('SIGUSR2', () => {
  if (!globalThis.gc) throw new Error('Start the service with --expose-gc.')
  // Objects released by the first collection may allow the second to free more.
  globalThis.gc()
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  writeFileSync(process.env['SOAK_HEAP_FILE']!, JSON.stringify({ heapUsed, external } satisfies HeapUse))
})
