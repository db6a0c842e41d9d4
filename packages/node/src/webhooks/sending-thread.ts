import { parentPort, workerData } from 'node:worker_threads'
import { webhookSender } from './sender.ts'
import type { CloneableSenderOptions } from './sender-types.ts'
import { handleMessages } from './thread-messages.ts'

// Entry point of the worker thread of `threadedSender`.
handleMessages(parentPort!, webhookSender(workerData as CloneableSenderOptions))
