import type { ComponentChildren } from 'preact'
import { lazy, Suspense } from 'preact/compat'
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { useLocation } from 'wouter'
import { useConsole } from '../app/console-context.ts'
import { PAGES } from '../app/pages.tsx'
import { undoLast } from '../cache/undo.ts'
import type { CreateDefaults } from '../create/create-defaults.ts'
import { silenceKeys, useKeys } from '../keyboard/use-keys.ts'
import { LiveRegion } from '../ui/live-region.tsx'
import { showError, Toasts } from '../ui/toasts.tsx'
import { ConnectionNotice } from './connection-notice.tsx'
import { Dock } from './dock.tsx'
import { ExamplesNotice } from './examples-notice.tsx'
import { LoadBoundary } from './load-boundary.tsx'
import { MainNav } from './main-nav.tsx'
import styles from './shell.module.css'
import type { RecordAtHand } from './shell-context.ts'
import { ShellContext, type Shell as ShellValue } from './shell-context.ts'

const CreateDialog = lazy(async () => ({
  default: (await import('../create/create-dialog.tsx')).CreateDialog,
}))
const DeletionDialog = lazy(async () => ({ default: (await import('./deletion-dialog.tsx')).DeletionDialog }))
const NotificationsDialog = lazy(async () => ({
  default: (await import('../notifications/notifications-dialog.tsx')).NotificationsDialog,
}))
const loadPalette = async () => ({ default: (await import('../palette/palette.tsx')).Palette })
const Palette = lazy(loadPalette)
/** Long enough for the first page to be shown. */
const PALETTE_DELAY_MS = 3000
const ShortcutsDialog = lazy(async () => ({
  default: (await import('./shortcuts-dialog.tsx')).ShortcutsDialog,
}))

type RenderDialog = Parameters<ShellValue['show']>[0]

/** A dialog that was opened. Each has a state of its own. */
class Dialog {
  static #count = 0
  readonly id = ++Dialog.#count
  readonly render: RenderDialog

  constructor(render: RenderDialog) {
    this.render = render
  }
}

/** The frame of every page: navigation, the sheet, and the dialogs that can be opened from anywhere. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const { texts } = useConsole()
  const [dialog, setDialog] = useState<Dialog>()
  const open = (render: RenderDialog) => {
    // At once: the next key may come before anything is drawn.
    silenceKeys(true)
    setDialog(new Dialog(render))
  }
  const failDialog = (failed: Dialog) => {
    close(failed)
    showError(texts.errors.loading, { label: texts.actions.reload, run: () => location.reload() })
  }
  const shell = useMemo(() => createShell(open), [])
  const close = (closed: Dialog) => setDialog((current) => (current === closed ? undefined : current))
  useShellKeys(shell)
  // Before the next frame: a key may follow at once what closes the dialog.
  useLayoutEffect(() => silenceKeys(dialog !== undefined), [dialog])
  useEffect(() => {
    // So that it is there at once when it is called.
    const timer = setTimeout(() => navigator.onLine && loadPalette().catch(() => {}), PALETTE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <ShellContext.Provider value={shell}>
      <a class={styles.skip} href="#content">
        {texts.nav.skip}
      </a>
      <div class={styles.app}>
        <MainNav />
        <main id="content" class={styles.sheet} tabIndex={-1}>
          <ConnectionNotice />
          <ExamplesNotice />
          {children}
        </main>
        <Dock />
      </div>
      <Suspense fallback={null}>
        {dialog && (
          <LoadBoundary key={dialog.id} onError={() => failDialog(dialog)}>
            {dialog.render(() => close(dialog))}
          </LoadBoundary>
        )}
      </Suspense>
      <Toasts label={texts.nav.messages} closeLabel={texts.actions.close} />
      <LiveRegion />
    </ShellContext.Provider>
  )
}

function createShell(show: ShellValue['show']): ShellValue {
  let findRecord: (() => RecordAtHand | undefined) | undefined
  let findPlaceDefaults: (() => CreateDefaults) | undefined
  const openCreate: ShellValue['openCreate'] = (kind, defaults = {}) =>
    show((close) => <CreateDialog kind={kind} defaults={defaults} close={close} />)
  return {
    show,
    openCreate,
    openCreateAtHand(kind, name) {
      openCreate(kind, { ...findPlaceDefaults?.(), ...findRecord?.()?.defaults, ...(name && { name }) })
    },
    openPalette() {
      const atHand = findRecord?.()
      show((close) => <Palette atHand={atHand} close={close} />)
    },
    openShortcuts: () => show((close) => <ShortcutsDialog close={close} />),
    openNotifications: () => show((close) => <NotificationsDialog close={close} />),
    confirmDeletion: (kind, records, confirm) =>
      show((close) => <DeletionDialog kind={kind} records={records} confirm={confirm} close={close} />),
    setPlaceDefaults(find) {
      findPlaceDefaults = find
    },
    setRecordAtHand(find) {
      findRecord = find
    },
  }
}

function useShellKeys(shell: ShellValue): void {
  const [, navigate] = useLocation()
  useKeys({
    '$mod+k': (event) => {
      event.preventDefault()
      shell.openPalette()
    },
    '?': shell.openShortcuts,
    'Shift+?': shell.openShortcuts,
    '$mod+z': (event) => {
      if (!(event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement))
        undoLast()
    },
    ...Object.fromEntries(PAGES.map(({ key, path }) => [`g ${key}`, () => navigate(path)])),
    'g s': () => navigate('/settings'),
    'g n': shell.openNotifications,
  })
}
