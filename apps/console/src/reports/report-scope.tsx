import { useConsole } from '../app/console-context.ts'
import { useMenu } from '../reference/queries.ts'
import { Icon } from '../ui/icon.tsx'
import { joinNames } from './join-names.ts'
import styles from './reports.module.css'
import { useReportTexts } from './texts.ts'

/** Says whose deals the reports count, where not everyone sees all of them. */
export function ReportScope() {
  const { me, texts: shared, workspace } = useConsole()
  const { scope, others } = useReportTexts()
  const teams = useMenu('teams').data
  const rule = workspace.visibility.deals
  if (rule === 'everyone' || !teams) return null
  const names = teams
    .filter(({ members }) => members.some(({ id, lead }) => id === me.id && (lead || rule === 'team')))
    .map(({ name }) => name)
  const bounded = names.length === 0 ? scope.owner : scope.team(joinNames(names, shared.language, others))
  return (
    <p class={styles.scope}>
      <Icon name="eye" />
      {me.viewer ? bounded : scope.all}
    </p>
  )
}
