import { parentPort, workerData } from 'node:worker_threads'
import { type CloneableSenderOptions, webhookSender } from '../../../src/webhooks/sender.ts'
import { handleMessages } from '../../../src/webhooks/thread-messages.ts'
import { LAB_CERTIFICATE } from '../../outbound-http/certificate.ts'

// As the service's, but every name is where the receivers of tests are.
const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
handleMessages(
  parentPort!,
  webhookSender({ ...(workerData as CloneableSenderOptions), ca: LAB_CERTIFICATE, lookup }),
)
