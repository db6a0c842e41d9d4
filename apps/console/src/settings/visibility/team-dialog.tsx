import type { MemberListItem, Team } from '@sales-crm/client'
import { useId, useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { FormFrame } from '../../create/form-frame.tsx'
import { useCreateForm } from '../../create/use-create-form.ts'
import { findMatch } from '../../format/find-match.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Check, Field, Input } from '../../ui/field.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { showDone } from '../../ui/toasts.tsx'
import { useSettingsTexts } from '../texts.ts'
import { useVisibilityTexts } from './texts.ts'
import styles from './visibility-page.module.css'

const MAX_NAME_LENGTH = 80
/** More members than these have a search. */
const MANY = 10

interface TeamDialogProps {
  /** Undefined for a new one. */
  readonly team: Team | undefined
  readonly members: readonly MemberListItem[]
  readonly close: () => void
}

/** Makes a team, or changes its name and its members. */
export function TeamDialog({ team, members, close }: TeamDialogProps) {
  const { crm, texts: shared } = useConsole()
  const settings = useSettingsTexts()
  const texts = useVisibilityTexts()
  const form = useCreateForm()
  const [name, setName] = useState(team?.name ?? '')
  /** Whether each member of the team leads it. */
  const [leads, setLeads] = useState<ReadonlyMap<string, boolean>>(
    new Map(team?.members.map(({ id, lead }) => [id, lead])),
  )
  async function save(): Promise<void> {
    const input = { name: name.trim(), members: [...leads].map(([id, lead]) => ({ id, lead })) }
    await (team ? crm.teams.update(team.id, input) : crm.teams.create(input))
    showDone(team ? settings.changed(input.name) : settings.created(input.name))
    close()
  }
  return (
    <Dialog title={team ? texts.editTeam(team.name) : texts.addTeam} close={close}>
      <FormFrame
        form={form}
        cancel={close}
        submitLabel={team ? shared.actions.save : texts.addTeam}
        submit={() => form.submit(save, { name: name.trim() === '' ? shared.errors.required : undefined })}
      >
        <Field label={texts.name} error={form.errors['name']}>
          {(ids) => <Input {...ids} autoFocus value={name} maxLength={MAX_NAME_LENGTH} change={setName} />}
        </Field>
        <MemberChecks members={members} leads={leads} change={setLeads} />
      </FormFrame>
    </Dialog>
  )
}

interface MemberChecksProps {
  readonly members: readonly MemberListItem[]
  readonly leads: ReadonlyMap<string, boolean>
  readonly change: (leads: ReadonlyMap<string, boolean>) => void
}

function MemberChecks({ members, leads, change }: MemberChecksProps) {
  const { texts: shared } = useConsole()
  const texts = useVisibilityTexts()
  const [search, setSearch] = useState('')
  const id = useId()
  const found = members
    .filter(({ name, email }) => search === '' || findMatch(name, search) || findMatch(email, search))
    .toSorted((a, b) => a.name.localeCompare(b.name, shared.language))
  const set = (memberId: string, lead: boolean | undefined) => {
    const others = [...leads].filter(([each]) => each !== memberId)
    change(new Map(lead === undefined ? others : [...others, [memberId, lead]]))
  }
  return (
    <fieldset class={styles.checks} aria-labelledby={id}>
      <div class={styles.checksHead}>
        <span id={id}>
          {texts.inTeam} <span>{leads.size}</span>
        </span>
        {members.length > MANY && <SearchField label={texts.find} value={search} change={setSearch} />}
      </div>
      <ul>
        {found.map((member) => {
          const lead = leads.get(member.id)
          return (
            <li key={member.id}>
              {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is in the component. */}
              <label>
                <Check
                  label={member.name}
                  checked={lead !== undefined}
                  change={(isIn) => set(member.id, isIn ? false : undefined)}
                />
                <Avatar of={member} label="" />
                <span>{member.name}</span>
              </label>
              {lead !== undefined && (
                // biome-ignore lint/a11y/noLabelWithoutControl: as above.
                <label class={styles.leadCheck}>
                  <Check
                    label={texts.leadsTeam(member.name)}
                    checked={lead}
                    change={(isLead) => set(member.id, isLead)}
                  />
                  {texts.leadsIt}
                </label>
              )}
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}
