import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { TextField, TimeField } from '../create/inputs.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'

interface DayDialogProps {
  readonly title: string
  readonly due: Date | undefined
  readonly choose: (date: Date) => void
  readonly close: () => void
}

/** Chooses a day, and a time if one is meant. */
export function DayDialog({ title, due, choose, close }: DayDialogProps) {
  const { texts, calendar } = useConsole()
  const [day, setDay] = useState(calendar.dayOf(due ?? new Date()))
  const [time, setTime] = useState(due && calendar.hasTime(due) ? calendar.timeOf(due) : '')
  const [error, setError] = useState<string>()
  return (
    <Dialog title={title} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const date = calendar.readDate(day, time)
          if (!date) return setError(texts.errors.notADay)
          close()
          choose(date)
        }}
      >
        <TextField
          autoFocus
          type="date"
          label={texts.labels.due}
          error={error}
          value={day}
          change={(typed, typedTime) => {
            setError(undefined)
            setDay(typed)
            if (typedTime !== undefined) setTime(typedTime)
          }}
        />
        <TimeField value={time} change={setTime} />
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
