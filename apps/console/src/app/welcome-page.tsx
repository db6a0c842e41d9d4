import { Link } from 'wouter'
import { Bar, usePageTitle } from '../shell/page-parts.tsx'
import { buttonStyles } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import type { IconName } from '../ui/icons.tsx'
import { useConsole } from './console-context.ts'
import styles from './welcome-page.module.css'

/** What to do first in a new workspace. The setup ends here. */
export function WelcomePage() {
  const { workspace, texts } = useConsole()
  const { welcome } = texts
  usePageTitle(welcome.title(workspace.name))
  return (
    <>
      <Bar>
        <h1>{welcome.title(workspace.name)}</h1>
      </Bar>
      <div class={styles.page}>
        <p>{welcome.lead}</p>
        <Suggestion icon="upload" href="/import/people" isMain {...welcome.importContacts} />
        <Suggestion icon="team" href="/settings/members" {...welcome.inviteColleagues} />
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
  readonly action: string
  readonly href: string
  readonly isMain?: boolean
}

function Suggestion({ icon, title, text, action, href, isMain = false }: SuggestionProps) {
  return (
    <section class={styles.suggestion} aria-label={title}>
      <Icon name={icon} />
      <div class={styles.text}>
        <h2>{title}</h2>
        <p>{text}</p>
      </div>
      <Link class={classNames(buttonStyles.button, isMain && buttonStyles.main)} href={href}>
        {action}
      </Link>
    </section>
  )
}
