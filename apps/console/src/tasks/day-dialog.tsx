import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { dueInstant } from '../create/task-input.ts'
import { hasTime, localDay, localTime } from '../format/dates.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Field, Input } from '../ui/field.tsx'

interface DayDialogProps {
  readonly title: string
  readonly due: Date | undefined
  readonly choose: (date: Date) => void
  readonly close: () => void
}

/** Chooses a day, and a time if one is meant. */
export function DayDialog({ title, due, choose, close }: DayDialogProps) {
  const { texts } = useConsole()
  const [day, setDay] = useState(localDay(due ?? new Date()))
  const [time, setTime] = useState(due && hasTime(due) ? localTime(due) : '')
  return (
    <Dialog title={title} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const instant = dueInstant(day, time)
          if (!instant) return
          close()
          choose(new Date(instant))
        }}
      >
        <Field label={texts.labels.due}>
          {(ids) => <Input {...ids} autoFocus type="date" value={day} change={setDay} />}
        </Field>
        <Field label={texts.labels.time}>
          {(ids) => <Input {...ids} type="time" value={time} change={setTime} />}
        </Field>
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
