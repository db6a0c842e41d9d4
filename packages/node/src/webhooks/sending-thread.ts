import { parentPort, workerData } from 'node:worker_threads'
import { serveOrders } from './orders.ts'
import { type ThreadData, webhookSender } from './sender.ts'

// The thread that `threadedSender` starts.
serveOrders(parentPort!, webhookSender(workerData as ThreadData))
