import { parentPort, workerData } from 'node:worker_threads'
import { serveReads } from './read-thread-messages.ts'

// The entry point of the thread that `ReadThread` starts.
serveReads(parentPort!, workerData as string)
