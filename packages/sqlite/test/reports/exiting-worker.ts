import { existsSync, writeFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import {
  serveReports,
  type ThreadRequest,
  type ThreadResponse,
} from '../../src/reports/report-thread-messages.ts'

const mark = `${workerData as string}.ended`
if (existsSync(mark)) {
  serveReports(parentPort!, workerData as string)
} else {
  parentPort!.on('message', (order: ThreadRequest) => {
    if (order === 'begin') return parentPort!.postMessage({ rows: [] } satisfies ThreadResponse)
    writeFileSync(mark, '')
    process.exit()
  })
}
