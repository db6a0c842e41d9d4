import { parentPort, workerData } from 'node:worker_threads'
import { webhookSender } from '../../../src/webhooks/sender.ts'
import type { CloneableSenderOptions } from '../../../src/webhooks/sender-types.ts'
import { handleMessages } from '../../../src/webhooks/thread-messages.ts'
import { LAB_CERTIFICATE } from '../../outbound-http/certificate.ts'

// Like `sending-thread.ts`, but every name resolves to the test receivers.
const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
handleMessages(
  parentPort!,
  webhookSender({ ...(workerData as CloneableSenderOptions), ca: LAB_CERTIFICATE, lookup }),
)
