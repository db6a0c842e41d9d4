import { existsSync, writeFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { type Answer, type Order, serveSurveys } from '../../src/survey-orders.ts'

const mark = `${workerData as string}.ended`
if (existsSync(mark)) {
  serveSurveys(parentPort!, workerData as string)
} else {
  parentPort!.on('message', (order: Order) => {
    if (order === 'begin') return parentPort!.postMessage({ rows: [] } satisfies Answer)
    writeFileSync(mark, '')
    process.exit()
  })
}
