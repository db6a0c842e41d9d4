import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import type { ComponentChildren } from 'preact'
import { classNames } from './class-names.ts'
import styles from './dialog.module.css'

interface DialogProps {
  readonly title: string
  readonly children: ComponentChildren
  readonly close: () => void
  /** Position on the page: near the top, or a panel of the palette's size. */
  readonly size?: 'form' | 'wide'
  readonly role?: 'dialog' | 'alertdialog'
}

/** An open dialog. Render it while it is open. */
export function Dialog({ title, children, close, size = 'form', role = 'dialog' }: DialogProps) {
  return (
    <BaseDialog.Root open onOpenChange={(isOpen) => isOpen || close()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={styles.scrim} />
        <BaseDialog.Viewport className={styles.viewport}>
          <BaseDialog.Popup className={classNames(styles.dialog, size === 'wide' && styles.wide)} role={role}>
            <BaseDialog.Title className={styles.title}>{title}</BaseDialog.Title>
            {children}
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}

export function DialogActions({ children }: { readonly children: ComponentChildren }) {
  return <div class={styles.actions}>{children}</div>
}
