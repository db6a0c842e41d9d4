import type { MemberListItem, Share, Team } from '@sales-crm/client'
import type { RecordViewer, RuledKind, ShareAccess } from '@sales-crm/core/browser'
import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { canShare, type OwnedRecord } from '../app/permissions.ts'
import { useMenu } from '../reference/queries.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { type Choice, Combobox } from '../ui/combobox.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Field, Select } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { Notice } from '../ui/notice.tsx'
import text from '../ui/text.module.css'
import styles from './sharing.module.css'
import { describeReason, type SharingTexts, useSharingTexts } from './texts.ts'
import { shareId, useShares, useSharesUpdate, useViewers } from './use-shares.ts'

interface ShareDialogProps {
  readonly kind: RuledKind
  readonly record: OwnedRecord
  readonly name: string
  readonly close: () => void
}

/** Who sees a record and why, and with whom it is shared. */
export function ShareDialog({ kind, record, name, close }: ShareDialogProps) {
  const { me, workspace } = useConsole()
  const texts = useSharingTexts()
  const members = useMenu('members').data ?? []
  const teams = useMenu('teams').data ?? []
  const viewers = useViewers(kind, record.id).data ?? []
  const shares = useShares(kind, record.id).data
  const update = useSharesUpdate(kind, record.id)
  const mayShare = canShare(me, kind, record)
  const [draft, setDraft] = useState<NewShareDraft>(NO_SHARE)
  const byRule = viewers.filter(({ reason }) => reason !== 'share')
  function add(): void {
    if (!draft.chosen || !shares) return
    const { value: id, label } = draft.chosen
    const isTeam = teams.some((team) => team.id === id)
    const share: Share = { ...(isTeam ? { team_id: id } : { member_id: id }), access: draft.access }
    update(shares, [...shares, share], texts.sharedWith(label))
    setDraft(NO_SHARE)
  }
  return (
    <Dialog title={texts.whoSees(name)} close={close}>
      <div class={styles.dialog}>
        {workspace.visibility[kind] === 'everyone' && <Notice>{texts.noEffect}</Notice>}
        {mayShare && shares && (
          <NewShare {...{ members, teams, shares, viewers, draft, setDraft }} add={() => add()} />
        )}
        <section aria-label={texts.shared}>
          <h3>
            {texts.shared} <span class={text.soft}>{shares?.length}</span>
          </h3>
          {shares?.length === 0 && <p class={text.soft}>{texts.notShared}</p>}
          <ul>
            {shares?.map((share) => (
              <ShareRow
                key={shareId(share)}
                {...{ share, members, teams }}
                change={
                  mayShare
                    ? (after, done) =>
                        update(
                          shares,
                          shares.flatMap((each) => (each === share ? (after ?? []) : each)),
                          done,
                        )
                    : undefined
                }
              />
            ))}
          </ul>
        </section>
        <section aria-label={texts.byRules(workspace.name)}>
          <h3>
            {texts.byRules(workspace.name)} <span class={text.soft}>{byRule.length}</span>
          </h3>
          <ViewerRows viewers={byRule} members={members} teams={teams} />
        </section>
        <p class={text.soft}>{texts.hint}</p>
      </div>
      <DialogActions>
        <Button
          autoFocus={!mayShare}
          onClick={() => {
            add()
            close()
          }}
        >
          {draft.chosen ? texts.shareAndClose : texts.done}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

interface People {
  readonly members: readonly MemberListItem[]
  readonly teams: readonly Team[]
}

/** With whom the record is to be shared, until it is. */
interface NewShareDraft {
  readonly chosen: Choice | null
  readonly access: ShareAccess
}

const NO_SHARE: NewShareDraft = { chosen: null, access: 'read' }

interface NewShareProps extends People {
  readonly shares: readonly Share[]
  readonly viewers: readonly RecordViewer[]
  readonly draft: NewShareDraft
  readonly setDraft: (draft: NewShareDraft) => void
  readonly add: () => void
}

/** Finds a member or a team, and shares the record with it. */
function NewShare({ members, teams, shares, viewers, draft, setDraft, add }: NewShareProps) {
  const { me } = useConsole()
  const texts = useSharingTexts()
  const { chosen, access } = draft
  const shared = new Set(shares.map(shareId))
  const seers = new Set(viewers.map(({ member_id }) => member_id))
  const choices: readonly Choice[] = [
    ...teams.map(({ id, name, members }) => ({
      ...{ value: id, label: name, icon: 'team' as const, after: texts.team(members.length) },
    })),
    ...members
      .filter(({ id }) => id !== me.id)
      .map(({ id, name }) => ({
        ...{ value: id, label: name, icon: 'person' as const },
        ...(seers.has(id) && { after: texts.sees }),
      })),
  ].filter(({ value }) => !shared.has(value))
  return (
    <form
      class={styles.add}
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <Field label={texts.with}>
        {(ids) => (
          <Combobox
            ids={ids}
            choices={choices}
            chosen={chosen}
            choose={(choice) => setDraft({ ...draft, chosen: choice })}
            noneText={texts.noneFound}
            clearLabel={texts.clear}
            autoFocus
          />
        )}
      </Field>
      <AccessSelect label={texts.may} value={access} change={(access) => setDraft({ ...draft, access })} />
      <Button look="main" type="submit" disabled={!chosen}>
        {texts.share}
      </Button>
    </form>
  )
}

interface ShareRowProps extends People {
  readonly share: Share
  /** Replaces the share, or ends it; undefined for a member who may not. */
  readonly change: ((after: Share | undefined, done: string) => void) | undefined
}

function ShareRow({ share, members, teams, change }: ShareRowProps) {
  const texts = useSharingTexts()
  const team = 'team_id' in share ? teams.find(({ id }) => id === share.team_id) : undefined
  const member = members.find(({ id }) => id === shareId(share))
  const name = team?.name ?? member?.name ?? texts.nobody
  return (
    <li class={styles.seer}>
      {team ? <Icon name="team" /> : <Avatar of={member} label="" />}
      <span class={styles.seerText}>
        <b>{name}</b>
        <span class={text.soft}>{team ? texts.team(team.members.length) : member?.email}</span>
      </span>
      {change ? (
        <span class={styles.seerEnd}>
          <AccessSelect
            label={texts.accessOf(name)}
            value={share.access}
            change={(access) => change({ ...share, access }, texts.changed(name, texts.access[access]))}
          />
          <IconButton
            small
            icon="x"
            label={texts.end(name)}
            onClick={() => change(undefined, texts.ended(name))}
          />
        </span>
      ) : (
        <span class={text.soft}>{texts.access[share.access]}</span>
      )}
    </li>
  )
}

interface AccessSelectProps {
  readonly label: string
  readonly value: ShareAccess
  readonly change: (access: ShareAccess) => void
}

function AccessSelect({ label, value, change }: AccessSelectProps) {
  const texts = useSharingTexts()
  return (
    <Select
      class={styles.access}
      aria-label={label}
      value={value}
      change={(access) => change(access as ShareAccess)}
    >
      <option value="read">{texts.access.read}</option>
      <option value="write">{texts.access.write}</option>
    </Select>
  )
}

interface ViewerRowsProps extends People {
  readonly viewers: readonly RecordViewer[]
}

function ViewerRows({ viewers, members, teams }: ViewerRowsProps) {
  const texts: SharingTexts = useSharingTexts()
  const teamName = (teamId: string) => teams.find(({ id }) => id === teamId)?.name
  return (
    <ul>
      {viewers.map((viewer) => {
        const member = members.find(({ id }) => id === viewer.member_id)
        return (
          <li key={viewer.member_id} class={styles.seer}>
            <Avatar of={member} label="" />
            <span class={styles.seerText}>
              <b>{member?.name}</b>
              <span class={text.soft}>{describeReason(viewer, texts, teamName)}</span>
            </span>
            <span class={text.soft}>{texts.access[viewer.access]}</span>
          </li>
        )
      })}
    </ul>
  )
}
