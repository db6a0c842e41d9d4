import { Link } from 'wouter'
import { isAdmin, useConsole } from '../app/console-context.ts'
import { Icon } from '../ui/icon.tsx'
import styles from './settings-page.module.css'
import { SETTINGS_PARTS, type SettingsPart } from './settings-parts.tsx'
import { useSettingsTexts } from './texts.ts'

/** The parts that the member's role may see. */
export function SettingsNav({ current }: { readonly current: SettingsPart | undefined }) {
  const { me } = useConsole()
  const settings = useSettingsTexts()
  return (
    <nav class={styles.nav} aria-label={settings.nav}>
      <ul>
        {SETTINGS_PARTS.filter(({ isForAdmins }) => !isForAdmins || isAdmin(me)).map((part) => (
          <li key={part.path}>
            <Link
              class={styles.item}
              href={part.path}
              aria-current={part.path === current?.path ? 'page' : undefined}
            >
              <Icon name={part.icon} />
              <span class={styles.itemText}>{settings.parts[part.name]}</span>
              <span class={styles.itemEnd}>
                <Icon name="right" />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
