import { Toast } from '@base-ui/react/toast'
import { Button, IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.tsx'
import styles from './toasts.module.css'

export const toastManager = Toast.createToastManager<ToastData>()

interface ToastData {
  readonly action?: { readonly label: string; readonly shortcut?: string; readonly run: () => void }
}

const UNDO_MS = 6000
const REASON_MS = 6000

let lastDone: string | undefined

/**
 * Says what was done, with a way back. Only the last change can be taken back, so its toast is the only one.
 * @returns the id of the toast
 */
export function showDone(text: string, action?: ToastData['action']): string {
  if (lastDone !== undefined) toastManager.close(lastDone)
  lastDone = toastManager.add({ title: text, timeout: UNDO_MS, data: action ? { action } : {} })
  return lastDone
}

/** Says how far something is, until the toast is closed. */
export function showProgress(text: string, action?: ToastData['action']): string {
  return toastManager.add({ title: text, type: 'progress', timeout: 0, data: action ? { action } : {} })
}

export function updateToast(id: string, text: string): void {
  toastManager.update(id, { title: text })
}

/** Takes back what a toast said. */
export function closeToast(id: string): void {
  toastManager.close(id)
}

/** Says what was not done. It stays until it is closed. */
export function showError(text: string, action?: ToastData['action']): void {
  toastManager.add({
    title: text,
    type: 'error',
    priority: 'high',
    timeout: 0,
    data: action ? { action } : {},
  })
}

let lastReason: string | undefined

/** Says why nothing was done. */
export function showReason(text: string): void {
  if (lastReason !== undefined) toastManager.close(lastReason)
  lastReason = toastManager.add({ title: text, type: 'reason', timeout: REASON_MS })
}

interface ToastsProps {
  readonly label: string
  readonly closeLabel: string
}

export function Toasts({ label, closeLabel }: ToastsProps) {
  return (
    <Toast.Provider toastManager={toastManager} limit={3}>
      <Toast.Portal>
        <Toast.Viewport className={styles.viewport} aria-label={label}>
          <ToastList closeLabel={closeLabel} />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

const TYPE_ICONS: Readonly<Record<string, IconName>> = { error: 'alert', progress: 'clock', reason: 'lock' }

function ToastList({ closeLabel }: { readonly closeLabel: string }) {
  const { toasts, close } = Toast.useToastManager<ToastData>()
  return toasts.map((toast) => {
    const isError = toast.type === 'error'
    const action = toast.data?.action
    return (
      <Toast.Root key={toast.id} toast={toast} className={classNames(styles.toast, isError && styles.error)}>
        <Icon name={TYPE_ICONS[toast.type ?? ''] ?? 'check'} />
        <Toast.Title className={styles.text} render={<span />} />
        {action && (
          <Button
            small
            class={styles.action}
            onClick={() => {
              close(toast.id)
              action.run()
            }}
          >
            {action.label}
            {action.shortcut && <kbd>{action.shortcut}</kbd>}
          </Button>
        )}
        {isError && <IconButton small icon="x" label={closeLabel} onClick={() => close(toast.id)} />}
      </Toast.Root>
    )
  })
}
