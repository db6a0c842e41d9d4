import { parentPort, workerData } from 'node:worker_threads'
import { serveReports } from './report-thread-messages.ts'

// The entry point of the thread that `ReportThread` starts.
serveReports(parentPort!, workerData as string)
