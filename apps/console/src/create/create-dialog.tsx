import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { useConsole } from '../app/console-context.ts'
import type { FormField } from '../fields/field.ts'
import { KIND_FIELDS } from '../fields/kind-fields.ts'
import type { CreatableKind } from '../records/kinds.ts'
import { useShell } from '../shell/shell-context.ts'
import { Dialog } from '../ui/dialog.tsx'
import { type CreateDefaults, placeOf } from './create-defaults.ts'
import { useDraftDiscard } from './draft.ts'
import { RecordForm } from './record-form.tsx'
import { TaskForm } from './task-form.tsx'

interface CreateDialogProps {
  readonly kind: CreatableKind
  readonly defaults: CreateDefaults
  readonly close: () => void
}

/** Creates a record from anywhere. */
export function CreateDialog({ kind, defaults, close }: CreateDialogProps) {
  const { texts } = useConsole()
  const { openCreate } = useShell()
  const complete = useCompleteDefaults(defaults)
  const discard = useDraftDiscard(placeOf(kind, complete ?? defaults))
  function cancel(): void {
    close()
    discard(() => openCreate(kind, defaults))
  }
  return (
    <Dialog title={texts.create[kind]} close={cancel}>
      {complete && <CreateForm kind={kind} defaults={complete} close={close} cancel={cancel} />}
    </Dialog>
  )
}

function CreateForm({ kind, ...form }: CreateDialogProps & { readonly cancel: () => void }) {
  const [, navigate] = useLocation()
  if (kind === 'tasks') return <TaskForm {...form} />
  return (
    <RecordForm
      {...form}
      kind={kind}
      fields={KIND_FIELDS[kind].form as readonly FormField<object>[]}
      place={placeOf(kind, form.defaults)}
      close={(id) => {
        form.close()
        if (kind === 'people' || kind === 'companies') navigate(`/${kind}/${id}`)
      }}
    />
  )
}

/**
 * Adds the company of the person, which lists leave out.
 * @returns undefined while it is read
 */
function useCompleteDefaults(defaults: CreateDefaults): CreateDefaults | undefined {
  const { crm } = useConsole()
  const { person, company } = defaults
  const id = company === undefined ? person?.id : undefined
  const { data, isPending } = useQuery({
    queryKey: ['people', 'record', id],
    queryFn: ({ signal }) => crm.people.get(id ?? '', { signal }),
    enabled: id !== undefined,
  })
  if (id === undefined) return defaults
  return isPending ? undefined : { ...defaults, company: data?.company ?? null }
}
