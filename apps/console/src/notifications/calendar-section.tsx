import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { explainError } from '../cache/explain-error.ts'
import { CopyField } from '../settings/frame/copy-field.tsx'
import { Button } from '../ui/button.tsx'
import text from '../ui/text.module.css'
import { showDone, showError } from '../ui/toasts.tsx'
import { useNotificationTexts } from './texts.ts'

/** The address of the member's calendar, which is shown once. */
export function CalendarSection() {
  const { crm, texts: consoleTexts } = useConsole()
  const { calendar } = useNotificationTexts()
  const [url, setUrl] = useState<string>()
  async function change(work: () => Promise<string | undefined>, done?: string): Promise<void> {
    try {
      setUrl(await work())
      if (done) showDone(done)
    } catch (error) {
      showError(explainError(error, consoleTexts))
    }
  }
  const create = async () => (await crm.me.createCalendarFeed()).url
  const remove = async () => {
    await crm.me.removeCalendarFeed()
    return undefined
  }
  return (
    <section aria-labelledby="calendar-feed">
      <h3 id="calendar-feed">{calendar.title}</h3>
      <p class={text.soft}>{calendar.hint}</p>
      {url !== undefined && <CopyField label={calendar.address} value={url} autoFocus />}
      <p>
        <Button icon="calendar" onClick={() => void change(create)}>
          {calendar.create}
        </Button>{' '}
        <Button onClick={() => void change(remove, calendar.removed)}>{calendar.remove}</Button>
      </p>
    </section>
  )
}
