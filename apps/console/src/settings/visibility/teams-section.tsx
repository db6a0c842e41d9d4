import type { MemberListItem, Team } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { useKeys } from '../../keyboard/use-keys.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { LazyMenu } from '../../ui/lazy-menu.tsx'
import { DeletionQuestion } from '../frame/deletion-question.tsx'
import { partStyles, Section } from '../frame/part-page.tsx'
import { TeamDialog } from './team-dialog.tsx'
import { useVisibilityTexts } from './texts.ts'
import styles from './visibility-page.module.css'

interface TeamsSectionProps {
  readonly teams: readonly Team[]
  readonly members: readonly MemberListItem[]
}

/** The dialog that is open: for a new team, or to change or delete one. */
type OpenDialog = { readonly edit: Team | undefined } | { readonly remove: Team }

export function TeamsSection({ teams, members }: TeamsSectionProps) {
  const texts = useVisibilityTexts()
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = () => setDialog(undefined)
  const add = () => setDialog({ edit: undefined })
  useKeys({ c: add })
  return (
    <Section
      title={texts.teams}
      end={
        <Button icon="plus" aria-haspopup="dialog" onClick={add}>
          {texts.addTeam} <kbd>C</kbd>
        </Button>
      }
    >
      {teams.length === 0 ? (
        <p class={partStyles.empty}>{texts.noTeams}</p>
      ) : (
        <ul class={partStyles.rows} aria-label={texts.teams}>
          {teams.map((team) => (
            <TeamRow
              key={team.id}
              team={team}
              members={members}
              edit={() => setDialog({ edit: team })}
              remove={() => setDialog({ remove: team })}
            />
          ))}
        </ul>
      )}
      <p class={styles.hint}>{texts.teamsHint}</p>
      {dialog && 'edit' in dialog && <TeamDialog team={dialog.edit} members={members} close={close} />}
      {dialog && 'remove' in dialog && <TeamDeletion team={dialog.remove} close={close} />}
    </Section>
  )
}

const MAX_FACES = 4

interface TeamRowProps {
  readonly team: Team
  readonly members: readonly MemberListItem[]
  readonly edit: () => void
  readonly remove: () => void
}

function TeamRow({ team, members, edit, remove }: TeamRowProps) {
  const { texts: shared } = useConsole()
  const texts = useVisibilityTexts()
  const people = team.members.flatMap(({ id, lead }) => {
    const member = members.find((each) => each.id === id)
    return member ? [{ ...member, lead }] : []
  })
  const leads = people.filter(({ lead }) => lead).map(({ name }) => name)
  const ledBy =
    leads.length > 0 ? texts.leads(new Intl.ListFormat(shared.language).format(leads)) : texts.noLead
  return (
    <li class={partStyles.row}>
      <span class={partStyles.rowText}>
        <button type="button" class={styles.teamName} onClick={edit}>
          {team.name}
        </button>
        <span class={partStyles.rowNote}>
          {ledBy} · {texts.members(team.members.length)}
        </span>
      </span>
      <span class={styles.faces}>
        {people.slice(0, MAX_FACES).map((member) => (
          <Avatar key={member.id} of={member} />
        ))}
      </span>
      <LazyMenu
        align="end"
        trigger={<IconButton small icon="dots" label={texts.more(team.name)} />}
        groups={() => [
          { actions: [{ label: texts.edit, icon: 'edit', select: edit }] },
          { actions: [{ label: texts.deleteTeam, icon: 'trash', isRisky: true, select: remove }] },
        ]}
      />
    </li>
  )
}

function TeamDeletion({ team, close }: { readonly team: Team; readonly close: () => void }) {
  const { crm } = useConsole()
  const texts = useVisibilityTexts()
  return (
    <DeletionQuestion
      id={team.id}
      name={team.name}
      send={() => crm.teams.delete(team.id)}
      onDone={close}
      close={close}
    >
      {texts.deleteText(team.members.length)}
    </DeletionQuestion>
  )
}
