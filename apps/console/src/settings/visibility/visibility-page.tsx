import type { MemberListItem, Team, Workspace } from '@sales-crm/client'
import { mergeVisibility, RULED_KINDS, type RuledKind, type VisibilityRule } from '@sales-crm/core/browser'
import { useQueryClient } from '@tanstack/react-query'
import { useConsole } from '../../app/console-context.ts'
import { useDraft } from '../../create/draft.ts'
import { useCreateForm } from '../../create/use-create-form.ts'
import { useMenu } from '../../reference/queries.ts'
import { useWorkspace } from '../../reference/use-workspace.ts'
import { Notice } from '../../ui/notice.tsx'
import { showDone } from '../../ui/toasts.tsx'
import { PartPage, partStyles } from '../frame/part-page.tsx'
import { PartQuery } from '../frame/part-query.tsx'
import { SaveBar } from '../frame/save-bar.tsx'
import { useSettingsTexts } from '../texts.ts'
import { useManagerNames } from '../webhooks/queries.ts'
import { ExamplePanel } from './example-panel.tsx'
import { RuleRow } from './rule-row.tsx'
import { TeamsSection } from './teams-section.tsx'
import { useVisibilityTexts } from './texts.ts'
import styles from './visibility-page.module.css'

/**
 * Who sees what: the rule of each kind, the teams, and an example that follows what is not saved yet, which stays when the
 * page is left.
 */
export function VisibilityPage() {
  const workspace = useWorkspace()
  const members = useMenu('members')
  const teams = useMenu('teams')
  return (
    <PartQuery query={workspace}>
      {(workspace) => (
        <PartQuery query={members}>
          {(members) => (
            <PartQuery query={teams}>
              {(teams) => <VisibilityForm workspace={workspace} members={members} teams={teams} />}
            </PartQuery>
          )}
        </PartQuery>
      )}
    </PartQuery>
  )
}

interface VisibilityFormProps {
  readonly workspace: Workspace
  readonly members: readonly MemberListItem[]
  readonly teams: readonly Team[]
}

function VisibilityForm({ workspace, members, teams }: VisibilityFormProps) {
  const { crm, me } = useConsole()
  const { parts } = useSettingsTexts()
  const texts = useVisibilityTexts()
  const client = useQueryClient()
  const form = useCreateForm()
  const owners = useManagerNames(({ role }) => role === 'owner')
  const [draft, setDraft, clearDraft] = useDraft<{ readonly [K in RuledKind]?: VisibilityRule }>(
    'visibility',
    {},
  )
  const saved = workspace.visibility
  const shown = mergeVisibility(saved, draft)
  const changed = RULED_KINDS.filter((kind) => shown[kind] !== saved[kind])
  const isOwner = me.role === 'owner'

  async function save(): Promise<void> {
    const visibility = Object.fromEntries(changed.map((kind) => [kind, shown[kind]]))
    client.setQueryData(['workspace'], await crm.workspace.update({ visibility }))
    clearDraft()
    showDone(texts.saved)
  }

  return (
    <PartPage
      isWide
      title={parts.visibility}
      lead={isOwner ? texts.lead : texts.forOwners(owners)}
      foot={
        changed.length > 0 && (
          <SaveBar
            changes={changed.map((kind) => texts.change(texts.kinds[kind], texts.rules[shown[kind]]))}
            discard={clearDraft}
            save={() => form.submit(save)}
            isBusy={form.isBusy}
          />
        )
      }
    >
      {form.error && <Notice kind="error">{form.error}</Notice>}
      <div class={styles.columns}>
        <div class={styles.main}>
          <div>
            <div class={partStyles.rows}>
              {RULED_KINDS.map((kind) => (
                <RuleRow
                  key={kind}
                  kind={kind}
                  rule={shown[kind]}
                  saved={saved[kind]}
                  hasTeams={teams.length > 0}
                  change={isOwner ? (rule) => setDraft({ ...draft, [kind]: rule }) : undefined}
                />
              ))}
            </div>
            <p class={styles.hint}>{texts.follows}</p>
          </div>
          <TeamsSection teams={teams} members={members} />
        </div>
        <ExamplePanel members={members} teams={teams} visibility={shown} isDraft={changed.length > 0} />
      </div>
    </PartPage>
  )
}
