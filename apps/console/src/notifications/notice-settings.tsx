import type { Me, MeChanges, NoticeKind } from '@sales-crm/client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { explainError } from '../cache/explain-error.ts'
import { Check, Field, Input, Select } from '../ui/field.tsx'
import { showDone, showError } from '../ui/toasts.tsx'
import { CalendarSection } from './calendar-section.tsx'
import styles from './notifications.module.css'
import { useNotificationTexts } from './texts.ts'

const KINDS: readonly NoticeKind[] = ['mention', 'reminder', 'change', 'task_due', 'task_overdue']
const QUERY_KEY = ['notifications', 'settings']

/** What reaches the member, and how. Each choice is saved at once. */
export function NoticeSettings() {
  const { crm, texts: consoleTexts } = useConsole()
  const client = useQueryClient()
  const texts = useNotificationTexts()
  const [typed, setTyped] = useState<string>()
  const { data: me } = useQuery({
    queryKey: QUERY_KEY,
    queryFn: ({ signal }) => crm.me.get({ signal }),
  })
  if (!me) return null
  async function save(changes: MeChanges): Promise<void> {
    try {
      client.setQueryData<Me>(QUERY_KEY, await crm.me.update(changes))
      showDone(texts.saved)
    } catch (error) {
      showError(explainError(error, consoleTexts))
    }
  }
  /** Each key of a time makes another one: it is saved once the field is left. */
  async function saveTime(): Promise<void> {
    const reminder_time = typed ? typed.slice(0, 'HH:MM'.length) : null
    if (typed !== undefined && reminder_time !== me!.reminder_time) await save({ reminder_time })
    setTyped(undefined)
  }
  return (
    <>
      <table class={styles.kinds}>
        <thead>
          <tr>
            <th scope="col">{texts.when}</th>
            <th scope="col">{texts.inApp}</th>
            <th scope="col">{texts.byMail}</th>
          </tr>
        </thead>
        <tbody>
          {KINDS.map((kind) => (
            <tr key={kind}>
              <th scope="row">{texts.kinds[kind]}</th>
              {(['app', 'mail'] as const).map((channel) => (
                <td key={channel}>
                  <Check
                    label={`${texts.kinds[kind]}: ${channel === 'app' ? texts.inApp : texts.byMail}`}
                    checked={me.notices[kind][channel]}
                    change={(isChecked) => void save({ notices: { [kind]: { [channel]: isChecked } } })}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Field label={texts.daily} hint={texts.dailyHint}>
        {(ids) => (
          <Input
            {...ids}
            type="time"
            value={typed ?? me.reminder_time ?? ''}
            change={setTyped}
            onBlur={() => void saveTime()}
          />
        )}
      </Field>
      <Field label={texts.language}>
        {(ids) => (
          <Select
            {...ids}
            value={me.language ?? ''}
            change={(language) => void save({ language: language === '' ? null : (language as 'en') })}
          >
            <option value="">{texts.ofWorkspace}</option>
            <option value="en">English</option>
            <option value="pt-BR">Português</option>
          </Select>
        )}
      </Field>
      <CalendarSection />
    </>
  )
}
