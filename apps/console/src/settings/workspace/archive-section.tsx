import { CrmApiError } from '@sales-crm/client'
import { useMutation } from '@tanstack/react-query'
import { useConsole } from '../../app/console-context.ts'
import { useNow } from '../../app/now.tsx'
import { explainError } from '../../cache/explain-error.ts'
import { Button, buttonStyles } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'
import { partStyles, Section } from '../frame/part-page.tsx'
import { useWorkspaceTexts } from './texts.ts'
import styles from './workspace-page.module.css'

/** A link to everything of the workspace as a file, for an owner. */
export function ArchiveSection() {
  const { crm, texts: shared, dates } = useConsole()
  const { archive: texts } = useWorkspaceTexts()
  const now = useNow()
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: () => crm.workspace.createArchiveLink(),
  })
  const link = data && new Date(data.expires_at) > now ? data : undefined
  const isWorkPending = error instanceof CrmApiError && error.code === 'conflict'
  return (
    <Section title={texts.title}>
      <div class={styles.archive}>
        <p class={styles.archiveText}>{texts.text}</p>
        <div class={partStyles.actions}>
          {link && (
            <a class={classNames(buttonStyles.button, buttonStyles['main'])} href={link.url} download>
              <Icon name="download" />
              {texts.download}
            </a>
          )}
          <Button look={link ? 'quiet' : 'plain'} aria-busy={isPending} onClick={() => isPending || mutate()}>
            {link ? texts.makeAnother : texts.makeLink}
          </Button>
        </div>
        {link && (
          <p class={styles.archiveText} role="status">
            {texts.until(dates.instant(new Date(link.expires_at), now))}
          </p>
        )}
        {error && <Notice kind="error">{isWorkPending ? texts.pending : explainError(error, shared)}</Notice>}
      </div>
    </Section>
  )
}
