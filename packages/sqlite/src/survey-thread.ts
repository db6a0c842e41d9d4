import { parentPort, workerData } from 'node:worker_threads'
import { serveSurveys } from './survey-orders.ts'

// The thread that `surveys` starts.
serveSurveys(parentPort!, workerData as string)
