import { createCrm } from '@sales-crm/core'
import { nodePorts } from '@sales-crm/node'
import { type DatabaseLocation, openStorageAt } from './database-location.ts'
import { startTestWorker } from './test-worker.ts'

/** Sends due deliveries, and kills itself after a receiver responded, before the outcome is saved. */
const database = JSON.parse(process.argv[2]!) as DatabaseLocation
const outbound = { allowPrivate: true }
const ports = {
  ...nodePorts({ secretKey: new Uint8Array(32).fill(7), outbound }),
  storage: await openStorageAt(database),
}
const crm = createCrm(ports)
const deliveries = crm.deliveryApi({ retries: 3, retrySeconds: 900, leaseSeconds: 30 })
startTestWorker(
  { crm, ports },
  {
    deliveries: {
      ...deliveries,
      async saveOutcomes() {
        process.kill(process.pid, 'SIGKILL')
      },
    },
  },
)
