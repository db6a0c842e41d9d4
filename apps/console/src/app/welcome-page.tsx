import type { ComponentChildren } from 'preact'
import { Link } from 'wouter'
import { useExamples } from '../reference/use-examples.ts'
import { Bar, usePageTitle } from '../shell/page-parts.tsx'
import { Button, buttonStyles } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import type { IconName } from '../ui/icons.tsx'
import { useConsole } from './console-context.ts'
import styles from './welcome-page.module.css'

/** What to do first in a new workspace. The setup ends here. */
export function WelcomePage() {
  const { workspace, texts } = useConsole()
  const { welcome } = texts
  const examples = useExamples()
  usePageTitle(welcome.title(workspace.name))
  return (
    <>
      <Bar>
        <h1>{welcome.title(workspace.name)}</h1>
      </Bar>
      <div class={styles.page}>
        <p>{welcome.lead}</p>
        <Suggestion icon="upload" {...welcome.importContacts}>
          <Link class={classNames(buttonStyles.button, buttonStyles.main)} href="/import?kind=people">
            {welcome.importContacts.action}
          </Link>
        </Suggestion>
        <Suggestion icon="team" {...welcome.inviteColleagues}>
          <Link class={buttonStyles.button} href="/settings/members">
            {welcome.inviteColleagues.action}
          </Link>
        </Suggestion>
        {examples && (
          <Suggestion icon="board" {...welcome.lookAtExample}>
            <Button onClick={examples.areThere ? examples.remove : examples.add}>
              {examples.areThere ? texts.examples.remove : welcome.lookAtExample.action}
            </Button>
          </Suggestion>
        )}
        <p>
          <Link href="/">{welcome.toMyDay}</Link>
        </p>
      </div>
    </>
  )
}

interface SuggestionProps {
  readonly icon: IconName
  readonly title: string
  readonly text: string
  /** What does it. */
  readonly children: ComponentChildren
}

function Suggestion({ icon, title, text, children }: SuggestionProps) {
  return (
    <section class={styles.suggestion} aria-label={title}>
      <Icon name={icon} />
      <div class={styles.text}>
        <h2>{title}</h2>
        <p>{text}</p>
      </div>
      {children}
    </section>
  )
}
