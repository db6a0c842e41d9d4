import { describeGate, describeStorage } from '@sales-crm/contract'
import { localGate } from '@sales-crm/core'
import { memoryStorage } from '@sales-crm/core/memory'

describeStorage('memory', async () => memoryStorage())

describeGate('local', async () => {
  const storage = memoryStorage()
  let at = Date.UTC(2026, 2, 1, 12)
  return {
    storage,
    gate: localGate(storage, () => new Date(at).toISOString()),
    advance(seconds) {
      at += seconds * 1000
    },
  }
})
