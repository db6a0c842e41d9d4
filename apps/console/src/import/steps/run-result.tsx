import type { ComponentChildren } from 'preact'
import { Link } from 'wouter'
import { useMenu } from '../../reference/queries.ts'
import { Button, buttonStyles } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Notice } from '../../ui/notice.tsx'
import text from '../../ui/text.module.css'
import styles from '../import.module.css'
import { countOutcomes } from '../run/progress.ts'
import { useImportTexts } from '../texts.ts'
import type { ImportSession } from '../use-import-session.ts'
import { Figures } from './figures.tsx'

interface RunResultProps {
  readonly session: ImportSession
  /** True if there are rows to go on with. */
  readonly isStopped: boolean
  readonly restart: () => void
}

/** What was brought in, where it is, and what can be done next. */
export function RunResult({ session, isStopped, restart }: RunResultProps) {
  const { run } = useImportTexts()
  const { kind, progress, runState, plan, start, finish } = session
  const { created, updated, refused } = countOutcomes(progress)
  const leftOut = plan.leftOut + refused
  return (
    <>
      {runState?.error && <Notice kind="error">{runState.error}</Notice>}
      <Figures
        figures={[
          { count: created, label: run.created[kind](created) },
          { count: updated, label: run.updated[kind](updated) },
          { count: progress.newCompanies, label: run.newCompanies(progress.newCompanies) },
          { count: leftOut, label: run.leftOut(leftOut) },
        ]}
      />
      {isStopped && <p class={text.soft}>{run.stoppedText}</p>}
      <div class={styles.actions}>
        {isStopped && (
          <Button look="main" onClick={() => start()}>
            {run.goOn}
          </Button>
        )}
        <RecordLinks session={session} isMain={!isStopped} />
        {!isStopped && (
          <Button
            look="quiet"
            onClick={() => {
              finish()
              restart()
            }}
          >
            {run.another}
          </Button>
        )}
      </div>
    </>
  )
}

function RecordLinks({ session, isMain }: { readonly session: ImportSession; readonly isMain: boolean }) {
  const { run } = useImportTexts()
  const lists = useMenu('lists')
  const { kind, settings, names } = session
  const list = lists.data?.find(({ id }) => id === settings.listId)
  const tag = names.tags.find(({ id }) => id === settings.tagId)
  return (
    <>
      <PageLink href={`/${kind}?sort=created_at&order=desc`} isMain={isMain}>
        {run.open[kind]}
      </PageLink>
      {list && <PageLink href={`/${kind}?list=${list.id}`}>{run.openList(list.name)}</PageLink>}
      {tag && (
        <PageLink href={`/${kind}?tag=${encodeURIComponent(tag.key)}`}>{run.openTag(tag.name)}</PageLink>
      )}
    </>
  )
}

interface PageLinkProps {
  readonly href: string
  readonly isMain?: boolean
  readonly children: ComponentChildren
}

function PageLink({ href, isMain = false, children }: PageLinkProps) {
  return (
    <Link class={classNames(buttonStyles.button, isMain && buttonStyles['main'])} href={href}>
      {children}
    </Link>
  )
}
