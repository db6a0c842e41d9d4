import { createCrm } from '@sales-crm/core'
import { nodePorts } from '@sales-crm/node'
import { openPlace, type Place } from './place.ts'
import { workerHere } from './worker-here.ts'

/** Sends what is due, and is killed once a receiver has answered, before that is noted. */
const place = JSON.parse(process.argv[2]!) as Place
const outbound = { allowPrivate: true }
const ports = { ...nodePorts({ secretKey: new Uint8Array(32).fill(7), outbound }), storage: await openPlace(place) }
const crm = createCrm(ports)
const delivering = crm.deliverWith({ retries: 3, retrySeconds: 900, leaseSeconds: 30 })
workerHere(
  { crm, ports },
  {
    delivering: {
      ...delivering,
      async settle() {
        process.kill(process.pid, 'SIGKILL')
      },
    },
  },
)
