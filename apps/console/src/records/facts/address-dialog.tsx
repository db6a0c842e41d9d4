import type { Address } from '@sales-crm/client'
import { ADDRESS_PARTS } from '@sales-crm/core/browser'
import { useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { collapseSpaces } from '../../format/typed-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field, Input } from '../../ui/field.tsx'
import styles from './facts.module.css'

interface AddressDialogProps {
  readonly title: string
  readonly address: Address
  /** Undefined clears the address. */
  readonly save: (address: Address | undefined) => void
  readonly close: () => void
}

export function AddressDialog({ title, address, save, close }: AddressDialogProps) {
  const { texts } = useConsole()
  const [draft, setDraft] = useState<Address>(address)
  function submit(): void {
    const entries = ADDRESS_PARTS.map((part) => [part, collapseSpaces(draft[part] ?? '')] as const)
    const filled = entries.filter(([, value]) => value !== '')
    close()
    save(filled.length === 0 ? undefined : Object.fromEntries(filled))
  }
  return (
    <Dialog title={title} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <div class={styles.address}>
          {ADDRESS_PARTS.map((part, index) => (
            <Field key={part} label={texts.address[part]}>
              {(ids) => (
                <Input
                  {...ids}
                  autoFocus={index === 0}
                  maxLength={255}
                  value={draft[part] ?? ''}
                  change={(value) => setDraft({ ...draft, [part]: value })}
                />
              )}
            </Field>
          ))}
        </div>
        <DialogActions>
          <Button onClick={close}>{texts.actions.cancel}</Button>
          <Button look="main" type="submit">
            {texts.actions.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
