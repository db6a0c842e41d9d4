import { CrmApiError } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { useImportStep, useImportUpdate } from '../queries.ts'

export interface RunStart {
  readonly isPending: boolean
  /** True if webhooks would get so many events that the service asks. */
  readonly asksForDeliveries: boolean
  readonly run: (input: { readonly confirm_deliveries?: boolean }) => void
  readonly runWithSummary: () => void
  readonly close: () => void
}

/** Starts the run of an import. */
export function useRunStart(id: string): RunStart {
  const [asksForDeliveries, setAsks] = useState(false)
  const update = useImportUpdate(id)
  const step = useImportStep(id, (error) => {
    const asks = error instanceof CrmApiError && 'confirm_deliveries' in error.fields
    setAsks(asks)
    return asks
  })
  const run: RunStart['run'] = (input) => {
    setAsks(false)
    step.mutate((imports) => imports.run(id, input))
  }
  return {
    isPending: step.isPending,
    asksForDeliveries,
    run,
    runWithSummary() {
      update({ events: 'summary' })
      run({})
    },
    close: () => setAsks(false),
  }
}
