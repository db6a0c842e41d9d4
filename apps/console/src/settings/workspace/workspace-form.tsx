import type { Workspace, WorkspaceChanges } from '@sales-crm/client'
import {
  listCountryChoices,
  listCurrencyChoices,
  listLocaleChoices,
  nameOf,
  type SettingChoice,
} from '@sales-crm/core/browser'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { useCreateForm } from '../../create/use-create-form.ts'
import { formatMoney } from '../../format/money.ts'
import { SenderSection } from '../../offers/sender-section.tsx'
import { Input, Select } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { showDone } from '../../ui/toasts.tsx'
import { PartPage } from '../frame/part-page.tsx'
import { SaveBar } from '../frame/save-bar.tsx'
import { useSettingsTexts } from '../texts.ts'
import { ArchiveSection } from './archive-section.tsx'
import { MovedDays } from './moved-days.tsx'
import { describeTimeZone, listTimeZones, withValue } from './setting-choices.ts'
import { SettingRow } from './setting-row.tsx'
import { SpaceUsed } from './space-used.tsx'
import { useWorkspaceTexts } from './texts.ts'
import styles from './workspace-page.module.css'

const MAX_NAME_LENGTH = 80
const EXAMPLE_AMOUNT = 123_456

type Setting = 'name' | 'country' | 'currency' | 'locale' | 'time_zone'
type Settings = Readonly<Record<Setting, string>>

const settingsOf = ({ name, country, currency, locale, time_zone }: Workspace): Settings => ({
  ...{ name, currency, locale, time_zone },
  country: country ?? '',
})

/** The settings of the workspace, for an owner. Only what was changed is saved. */
export function WorkspaceForm({ workspace }: { readonly workspace: Workspace }) {
  const { crm, texts: shared } = useConsole()
  const { parts } = useSettingsTexts()
  const texts = useWorkspaceTexts()
  const client = useQueryClient()
  const form = useCreateForm()
  const [draft, setDraft] = useState<Partial<Settings>>({})
  const saved = settingsOf(workspace)
  const choices = useChoices(saved)
  const changed = (Object.keys(saved) as Setting[]).filter(
    (name) => draft[name] !== undefined && draft[name] !== saved[name],
  )
  const valueFor = (name: Setting) => draft[name] ?? saved[name]
  const describe = (name: Setting, value: string) =>
    value === '' ? texts.none : (choices[name]?.find((choice) => choice.value === value)?.label ?? value)

  async function save(): Promise<void> {
    const changes = Object.fromEntries(
      changed.map((name) => [
        name,
        name === 'country' && valueFor(name) === '' ? null : valueFor(name).trim(),
      ]),
    ) as WorkspaceChanges
    const after = await crm.workspace.update(changes)
    client.setQueryData(['workspace'], after)
    setDraft({})
    showDone(texts.saved)
  }
  const submit = () =>
    form.submit(save, { name: valueFor('name').trim() === '' ? shared.errors.required : undefined })

  const rowOf = (name: Setting) => ({
    label: texts.settings[name].label,
    text: texts.settings[name].text,
    error: form.errors[name],
    ...(changed.includes(name) && {
      saved: describe(name, saved[name]),
      putBack: () => setDraft({ ...draft, [name]: undefined }),
    }),
  })
  const selectOf = (name: Exclude<Setting, 'name'>, example?: string) => (
    <SettingRow {...rowOf(name)} example={example}>
      {(ids) => (
        <Select {...ids} value={valueFor(name)} change={(value) => setDraft({ ...draft, [name]: value })}>
          {name === 'country' && <option value="">{texts.none}</option>}
          {choices[name]?.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      )}
    </SettingRow>
  )
  const example = formatMoney(
    { amount: EXAMPLE_AMOUNT, currency: valueFor('currency') as Workspace['currency'] },
    valueFor('locale'),
  )
  return (
    <PartPage
      title={parts.workspace}
      lead={texts.lead}
      foot={
        changed.length > 0 && (
          <SaveBar
            changes={changed.map((name) =>
              texts.change(texts.settings[name].label, describe(name, valueFor(name))),
            )}
            discard={() => setDraft({})}
            save={submit}
            isBusy={form.isBusy}
          />
        )
      }
    >
      {form.error && <Notice kind="error">{form.error}</Notice>}
      <MovedDays change={workspace.time_zone_change} />
      <div class={styles.settings}>
        <SettingRow {...rowOf('name')}>
          {(ids) => (
            <Input
              {...ids}
              value={valueFor('name')}
              maxLength={MAX_NAME_LENGTH}
              change={(name) => setDraft({ ...draft, name })}
            />
          )}
        </SettingRow>
        <SettingRow label={texts.slug} text={texts.slugText}>
          {(ids) => <Input {...ids} disabled value={`/w/${workspace.slug}`} change={() => {}} />}
        </SettingRow>
        {selectOf('country')}
        {selectOf('currency')}
        {selectOf('locale', example)}
        {selectOf('time_zone', texts.now(timeIn(valueFor('time_zone'), shared.language)))}
      </div>
      {changed.includes('currency') && <Notice kind="caution">{texts.currencyStays}</Notice>}
      <SenderSection workspace={workspace} />
      <SpaceUsed storage={workspace.storage} />
      <ArchiveSection />
    </PartPage>
  )
}

function useChoices(saved: Settings): Readonly<Partial<Record<Setting, readonly SettingChoice[]>>> {
  const { language } = useConsole().texts
  return useMemo(() => {
    const now = new Date()
    const { locale, time_zone } = saved
    return {
      country: listCountryChoices(language),
      currency: listCurrencyChoices(language),
      locale: withValue(listLocaleChoices(language), locale, () => nameOf(language, 'language', locale)),
      time_zone: withValue(listTimeZones(language, now), time_zone, () =>
        describeTimeZone(time_zone, language, now),
      ),
    }
  }, [language, saved.locale, saved.time_zone])
}

function timeIn(timeZone: string, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format()
}
