import { useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { completeLink } from '../../format/links.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field, Input } from '../../ui/field.tsx'

interface LinkDialogProps {
  /** Returns false for an address that is none. */
  readonly add: (href: string) => boolean
  readonly close: () => void
}

/** Asks where a link of a note leads. */
export function LinkDialog({ add, close }: LinkDialogProps) {
  const { texts } = useConsole()
  const [typed, setTyped] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  return (
    <Dialog title={texts.record.addLink} close={close}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          if (add(completeLink(typed))) close()
          else setIsWrong(true)
        }}
      >
        <Field label={texts.record.linkAddress} error={isWrong ? texts.record.wrongLink : undefined}>
          {(ids) => <Input {...ids} autoFocus type="url" value={typed} change={setTyped} />}
        </Field>
        <DialogActions>
          <Button onClick={close}>{texts.actions.cancel}</Button>
          <Button look="main" type="submit">
            {texts.record.addLink}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
