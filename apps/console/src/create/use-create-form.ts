import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { explainError, fieldFaults } from '../cache/explain-error.ts'
import { otherTabs } from '../cache/other-tabs.ts'

interface CreateForm {
  readonly isBusy: boolean
  /** The fault of each field, by the API's names. */
  readonly faults: Readonly<Record<string, string>>
  /** A fault of no field. */
  readonly fault: string | undefined
  /** Runs the creation once at a time. `faults` are those found before anything is sent. */
  submit(create: () => Promise<void>, faults?: Readonly<Record<string, string | undefined>>): void
}

/** The state of a form that creates a record: what was typed stays when the service refuses it. */
export function useCreateForm(): CreateForm {
  const { texts } = useConsole()
  const client = useQueryClient()
  const [isBusy, setIsBusy] = useState(false)
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({})
  const [fault, setFault] = useState<string>()
  const isRunning = useRef(false)

  async function run(create: () => Promise<void>): Promise<void> {
    isRunning.current = true
    setIsBusy(true)
    setFault(undefined)
    try {
      await create()
      setFaults({})
      await client.invalidateQueries()
      otherTabs()?.announceChange()
    } catch (error) {
      const fields = fieldFaults(error)
      setFaults(fields)
      setFault(
        Object.keys(fields).length > 0
          ? `${texts.faults.checkFields(Object.keys(fields).length)} ${Object.values(fields).join(' ')}`
          : texts.faults.notSaved(explainError(error, texts)),
      )
    } finally {
      isRunning.current = false
      setIsBusy(false)
    }
  }

  return {
    isBusy,
    faults,
    fault,
    submit(create, found = {}) {
      const own = Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== undefined)
      setFaults(Object.fromEntries(own))
      if (own.length > 0 || isRunning.current) return
      void run(create)
    },
  }
}
