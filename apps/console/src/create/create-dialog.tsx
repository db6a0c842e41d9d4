import { useLocation } from 'wouter'
import { useConsole } from '../app/console-context.ts'
import type { CreatableKind } from '../records/kinds.ts'
import { Dialog } from '../ui/dialog.tsx'
import { ContactForm } from './contact-form.tsx'
import type { CreateDefaults } from './create-defaults.ts'
import { DealForm } from './deal-form.tsx'
import { ProductForm } from './product-form.tsx'
import { TaskForm } from './task-form.tsx'

interface CreateDialogProps {
  readonly kind: CreatableKind
  readonly defaults: CreateDefaults
  readonly close: () => void
}

/** Creates a record from anywhere. */
export function CreateDialog({ kind, defaults, close }: CreateDialogProps) {
  const { texts } = useConsole()
  const [, navigate] = useLocation()
  const form = { defaults, close }
  return (
    <Dialog title={texts.create[kind]} close={close}>
      {kind === 'deals' && <DealForm {...form} />}
      {kind === 'tasks' && <TaskForm {...form} />}
      {kind === 'products' && <ProductForm {...form} />}
      {(kind === 'people' || kind === 'companies') && (
        <ContactForm
          kind={kind}
          defaults={defaults}
          close={(id) => {
            close()
            if (id !== undefined) navigate(`/${kind}/${id}`)
          }}
        />
      )}
    </Dialog>
  )
}
