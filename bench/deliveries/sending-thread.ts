import { parentPort, workerData } from 'node:worker_threads'
import { type CloneableSenderOptions, webhookSender } from '@sales-crm/node'
import { handleMessages } from '../../packages/node/src/webhooks/thread-messages.ts'

const THIS_MACHINE = { address: '127.0.0.1', family: 4 }

// The service's sending thread, with a lookup that resolves every name to this machine.
handleMessages(
  parentPort!,
  webhookSender({ ...(workerData as CloneableSenderOptions), lookup: async () => [THIS_MACHINE] }),
)
