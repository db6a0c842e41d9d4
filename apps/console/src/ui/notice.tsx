import type { ComponentChildren } from 'preact'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import styles from './notice.module.css'

interface NoticeProps {
  readonly kind?: 'done' | 'caution' | 'error'
  readonly children: ComponentChildren
}

export function Notice({ kind = 'done', children }: NoticeProps) {
  return (
    <p
      class={classNames(styles.notice, kind !== 'done' && styles[kind])}
      role={kind === 'error' ? 'alert' : 'status'}
    >
      <Icon name={kind === 'done' ? 'check' : 'alert'} />
      <span>{children}</span>
    </p>
  )
}
