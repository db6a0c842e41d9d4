import type { ComponentChildren } from 'preact'
import { Link } from 'wouter'
import { pageStyles } from '../../shell/page-parts.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import styles from './part-page.module.css'

interface PartPageProps {
  /** The heading. Without one, the sections have headings of the same level. */
  readonly title?: string
  readonly lead?: ComponentChildren
  /** The way back to the list that the page belongs to. */
  readonly crumb?: { readonly href: string; readonly label: string }
  readonly children: ComponentChildren
  /** For a page of two columns. */
  readonly isWide?: boolean
  /** Stays below the scrolled page. */
  readonly foot?: ComponentChildren
}

/** A page of a part of the settings. */
export function PartPage({ title, lead, crumb, children, isWide = false, foot }: PartPageProps) {
  return (
    <>
      <div class={styles.scroll}>
        <div class={classNames(styles.page, isWide && styles.wide)}>
          <div class={styles.head}>
            {crumb && (
              <Link class={styles.crumb} href={crumb.href}>
                <Icon name="left" />
                {crumb.label}
              </Link>
            )}
            {title !== undefined && <h2 class={styles.title}>{title}</h2>}
            {lead && <p class={styles.lead}>{lead}</p>}
          </div>
          {children}
        </div>
      </div>
      {foot}
    </>
  )
}

interface SectionProps {
  readonly title: string
  readonly level?: 2 | 3
  /** Stands at the end of the heading. */
  readonly end?: ComponentChildren
  readonly children: ComponentChildren
}

export function Section({ title, level = 3, end, children }: SectionProps) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <section aria-label={title}>
      <div class={styles.sectionHead}>
        <Heading class={styles.sectionTitle}>{title}</Heading>
        {end && <div class={styles.sectionEnd}>{end}</div>}
      </div>
      {children}
    </section>
  )
}

export { styles as partStyles }

/** Stands in place of a part that cannot be shown. */
export function PartMessage({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class={pageStyles.state}>
      <p>{children}</p>
    </div>
  )
}
