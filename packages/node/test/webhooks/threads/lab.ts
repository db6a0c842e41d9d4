import { parentPort, workerData } from 'node:worker_threads'
import { serveOrders } from '../../../src/webhooks/orders.ts'
import { type ThreadData, webhookSender } from '../../../src/webhooks/sender.ts'
import { LAB_CERTIFICATE } from '../../guard/certificate.ts'

// As the service's, but every name is where the receivers of tests are.
const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
serveOrders(parentPort!, webhookSender({ ...(workerData as ThreadData), ca: LAB_CERTIFICATE, lookup }))
