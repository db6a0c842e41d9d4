import { parentPort, workerData } from 'node:worker_threads'
import { serveReports } from './report-thread-messages.ts'

// The thread that `surveys` starts.
serveReports(parentPort!, workerData as string)
