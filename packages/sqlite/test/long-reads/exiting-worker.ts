import { existsSync, writeFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import {
  serveReads,
  type ThreadRequest,
  type ThreadResponse,
} from '../../src/long-reads/read-thread-messages.ts'

const markerFile = `${workerData as string}.ended`
if (existsSync(markerFile)) {
  serveReads(parentPort!, workerData as string)
} else {
  parentPort!.on('message', (request: ThreadRequest) => {
    if (request === 'begin') return parentPort!.postMessage({ rows: [] } satisfies ThreadResponse)
    writeFileSync(markerFile, '')
    process.exit()
  })
}
