import type { ComponentChildren } from 'preact'
import { classNames } from '../../ui/class-names.ts'
import styles from './facts.module.css'

interface FactProps {
  readonly label: string
  readonly tall?: boolean
  readonly children: ComponentChildren
}

/** A row of the details: the name of a field and its value. */
export function Fact({ label, tall = false, children }: FactProps) {
  return (
    <div class={classNames(styles.fact, tall && styles.tall)}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

export function Facts({ children }: { readonly children: ComponentChildren }) {
  return <dl class={styles.facts}>{children}</dl>
}

export { styles as factStyles }
