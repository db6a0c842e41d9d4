import { createCrm } from '@sales-crm/core'
import { nodePorts, startDelivering, webhookSender } from '@sales-crm/node'
import { openPlace, type Place } from './place.ts'
import { RECEIVER_CERTIFICATE } from './receiver-certificate.ts'

/** Sends what is due, and is killed once a receiver has answered, before that is noted. */
const place = JSON.parse(process.argv[2]!) as Place
const outbound = { allowPrivate: true }
const ports = { ...nodePorts({ secretKey: new Uint8Array(32).fill(7), outbound }), storage: await openPlace(place) }
const delivering = createCrm(ports).deliverWith({ retries: 3, retrySeconds: 900, leaseSeconds: 30 })
startDelivering({
  delivering: {
    ...delivering,
    async settle() {
      process.kill(process.pid, 'SIGKILL')
    },
  },
  sender: webhookSender({ timeoutMs: 10_000, outbound, ca: RECEIVER_CERTIFICATE }),
  now: ports.now,
})
