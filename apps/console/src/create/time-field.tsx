import { useConsole } from '../app/console-context.ts'
import { Field, Input } from '../ui/field.tsx'

interface TimeFieldProps {
  readonly value: string
  readonly change: (value: string) => void
  readonly onBlur?: () => void
}

/** A time of day in the workspace. Names its time zone to somebody whose clock shows another one. */
export function TimeField({ change, ...input }: TimeFieldProps) {
  const { texts, calendar } = useConsole()
  const place = calendar.timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? ''
  return (
    <Field
      label={texts.labels.time}
      hint={calendar.differsAt(new Date()) ? texts.create.timeIn(place) : undefined}
    >
      {(ids) => <Input {...ids} {...input} type="time" change={change} />}
    </Field>
  )
}
