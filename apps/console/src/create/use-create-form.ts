import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { explainError, fieldErrors } from '../cache/explain-error.ts'
import { otherTabs } from '../cache/other-tabs.ts'

interface CreateForm {
  readonly isBusy: boolean
  /** The error of each field, by the API's names. */
  readonly errors: Readonly<Record<string, string>>
  /** An error of no field. */
  readonly error: string | undefined
  /** Runs the creation once at a time. `errors` are those found before anything is sent. */
  submit(create: () => Promise<void>, errors?: Readonly<Record<string, string | undefined>>): void
}

/** The state of a form that creates a record: what was typed stays when the service refuses it. */
export function useCreateForm(): CreateForm {
  const { texts } = useConsole()
  const client = useQueryClient()
  const [isBusy, setIsBusy] = useState(false)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [error, setError] = useState<string>()
  const isRunning = useRef(false)

  async function run(create: () => Promise<void>): Promise<void> {
    isRunning.current = true
    setIsBusy(true)
    setError(undefined)
    try {
      await create()
      setErrors({})
      // Not awaited: the next record may be created while the lists are read again.
      void client.invalidateQueries()
      otherTabs()?.announceChange()
    } catch (error) {
      const fields = fieldErrors(error)
      setErrors(fields)
      setError(
        Object.keys(fields).length > 0
          ? `${texts.errors.checkFields(Object.keys(fields).length)} ${Object.values(fields).join(' ')}`
          : texts.errors.notSaved(explainError(error, texts)),
      )
    } finally {
      isRunning.current = false
      setIsBusy(false)
    }
  }

  return {
    isBusy,
    errors,
    error,
    submit(create, found = {}) {
      const own = Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== undefined)
      setErrors(Object.fromEntries(own))
      if (own.length > 0 || isRunning.current) return
      void run(create)
    },
  }
}
