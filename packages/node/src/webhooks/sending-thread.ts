import { parentPort, workerData } from 'node:worker_threads'
import { type CloneableSenderOptions, webhookSender } from './sender.ts'
import { handleMessages } from './thread-messages.ts'

// The thread that `threadedSender` starts.
handleMessages(parentPort!, webhookSender(workerData as CloneableSenderOptions))
