import type { MemberListItem, Team } from '@sales-crm/client'
import { RULED_KINDS, type RuledKind, type Visibility } from '@sales-crm/core/browser'
import { useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { describeReason, useSharingTexts } from '../../sharing/texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Select } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import text from '../../ui/text.module.css'
import { chooseExample, chooseOwner, type ExampleWorkspace, showExample } from './example.ts'
import { useVisibilityTexts } from './texts.ts'
import styles from './visibility-page.module.css'

interface ExamplePanelProps {
  readonly members: readonly MemberListItem[]
  readonly teams: readonly Team[]
  readonly visibility: Visibility
  /** True for rules that are not saved yet. */
  readonly isDraft: boolean
}

const NOBODY = ''

/** Shows who sees a record of a member, and who does not. */
export function ExamplePanel({ members, teams, visibility, isDraft }: ExamplePanelProps) {
  const texts = useVisibilityTexts()
  const sharing = useSharingTexts()
  const example = chooseExample(members, teams)
  const [kind, setKind] = useState<RuledKind>('deals')
  const [chosenId, setChosenId] = useState<string>()
  const isKnown = chosenId === NOBODY || example.members.some(({ id }) => id === chosenId)
  const ownerId = isKnown ? chosenId! : (chooseOwner(example) ?? NOBODY)
  const { viewers, others } = showExample(example, visibility, kind, ownerId === NOBODY ? null : ownerId)
  const memberOf = (memberId: string) => example.members.find(({ id }) => id === memberId)
  const teamName = (teamId: string) => example.teams.find(({ id }) => id === teamId)?.name
  const title = isDraft ? texts.exampleOnceSaved : texts.example
  return (
    <aside class={styles.example} aria-label={title}>
      <h3>{title}</h3>
      <div class={styles.choice}>
        <Select small aria-label={texts.kind} value={kind} change={(value) => setKind(value as RuledKind)}>
          {RULED_KINDS.map((each) => (
            <option key={each} value={each}>
              {texts.aRecord[each]}
            </option>
          ))}
        </Select>
        <Select small aria-label={texts.owner} value={ownerId} change={setChosenId}>
          {example.members.map(({ id, name }) => (
            <option key={id} value={id}>
              {texts.of(name)}
            </option>
          ))}
          <option value={NOBODY}>{texts.ofNobody}</option>
        </Select>
      </div>
      <div role="status">
        <Seers
          title={texts.see}
          icon="check"
          rows={viewers.map((viewer) => [
            memberOf(viewer.member_id),
            describeReason(viewer, sharing, teamName),
          ])}
        />
        {others.length === 0 ? (
          <p class={text.soft}>{texts.all}</p>
        ) : (
          <Seers
            title={texts.doNotSee}
            icon="minus"
            rows={others.map((member) => [member, describeTeams(member.id, example, texts)])}
          />
        )}
      </div>
      <p class={text.soft}>{example.isInvented ? texts.invented : others.length > 0 && texts.absent}</p>
    </aside>
  )
}

function describeTeams(
  memberId: string,
  { teams }: ExampleWorkspace,
  texts: ReturnType<typeof useVisibilityTexts>,
): string {
  const names = teams
    .filter(({ members }) => members.some(({ id }) => id === memberId))
    .map(({ name }) => name)
  return names.length === 0 ? texts.onNoTeam : texts.onTeams(names.join(', '))
}

interface SeersProps {
  readonly title: string
  readonly icon: 'check' | 'minus'
  readonly rows: readonly (readonly [
    member: { readonly id: string; readonly name: string } | undefined,
    why: string,
  ])[]
}

function Seers({ title, icon, rows }: SeersProps) {
  const { formatNumber } = useConsole()
  return (
    <section aria-label={title}>
      <h4>
        {title} <span class={text.soft}>{formatNumber(rows.length)}</span>
      </h4>
      <ul class={styles.seers}>
        {rows.map(([member, why]) => (
          <li key={member?.id}>
            <Icon name={icon} />
            <Avatar of={member} label="" />
            <span>
              <b>{member?.name}</b>
              <span class={text.soft}>{why}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
