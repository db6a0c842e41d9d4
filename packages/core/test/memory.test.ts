import { describeAccessGate, describeStorage } from '@sales-crm/conformance'
import { localAccessGate } from '@sales-crm/core'
import { memoryStorage } from '@sales-crm/core/memory'

describeStorage('memory', async () => memoryStorage())

describeAccessGate('local', async () => {
  const storage = memoryStorage()
  let at = Date.UTC(2026, 2, 1, 12)
  return {
    storage,
    gate: localAccessGate(storage, () => new Date(at).toISOString()),
    advance(seconds) {
      at += seconds * 1000
    },
  }
})
