import type { ComponentChildren } from 'preact'
import { lazy, Suspense } from 'preact/compat'
import { useMemo, useState } from 'preact/hooks'
import { useLocation } from 'wouter'
import { useConsole } from '../app/console-context.ts'
import { undoLast } from '../cache/undo.ts'
import type { CreateDefaults } from '../create/create-defaults.ts'
import { useKeys } from '../keyboard/use-keys.ts'
import type { CreatableKind } from '../records/kinds.ts'
import { LiveRegion } from '../ui/live-region.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { ConnectionNotice } from './connection-notice.tsx'
import { type Deletion, DeletionDialog } from './deletion-dialog.tsx'
import { Dock } from './dock.tsx'
import { MainNav } from './main-nav.tsx'
import styles from './shell.module.css'
import { ShellContext, type Shell as ShellValue } from './shell-context.ts'

const CreateDialog = lazy(async () => ({
  default: (await import('../create/create-dialog.tsx')).CreateDialog,
}))
const Palette = lazy(async () => ({ default: (await import('../palette/palette.tsx')).Palette }))
const ShortcutsDialog = lazy(async () => ({
  default: (await import('./shortcuts-dialog.tsx')).ShortcutsDialog,
}))

type OpenDialog =
  | { readonly view: 'palette' | 'shortcuts' }
  | { readonly view: 'create'; readonly kind: CreatableKind; readonly defaults: CreateDefaults }
  | { readonly view: 'deletion'; readonly deletion: Deletion }

/** The frame of every page: navigation, the sheet, and the dialogs that can be opened from anywhere. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const { texts } = useConsole()
  const [dialog, setDialog] = useState<OpenDialog>()
  const [, navigate] = useLocation()
  const shell = useMemo<ShellValue>(
    () => ({
      openCreate: (kind, defaults = {}) => setDialog({ view: 'create', kind, defaults }),
      openPalette: () => setDialog({ view: 'palette' }),
      openShortcuts: () => setDialog({ view: 'shortcuts' }),
      confirmDeletion: (kind, id, name, onDeleted) =>
        setDialog({ view: 'deletion', deletion: { kind, id, name, onDeleted } }),
    }),
    [],
  )
  const close = () => setDialog(undefined)
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
    'g m': () => navigate('/'),
    'g d': () => navigate('/deals'),
    'g p': () => navigate('/people'),
    'g o': () => navigate('/companies'),
    'g t': () => navigate('/tasks'),
    'g i': () => navigate('/products'),
    'g r': () => navigate('/reports'),
    'g s': () => navigate('/settings'),
  })
  return (
    <ShellContext.Provider value={shell}>
      <a class={styles.skip} href="#content">
        {texts.nav.skip}
      </a>
      <div class={styles.app}>
        <MainNav />
        <main id="content" class={styles.sheet} tabIndex={-1}>
          <ConnectionNotice />
          {children}
        </main>
        <Dock />
      </div>
      <Suspense fallback={null}>
        {dialog?.view === 'create' && (
          <CreateDialog kind={dialog.kind} defaults={dialog.defaults} close={close} />
        )}
        {dialog?.view === 'palette' && <Palette close={close} />}
        {dialog?.view === 'shortcuts' && <ShortcutsDialog close={close} />}
      </Suspense>
      {dialog?.view === 'deletion' && <DeletionDialog deletion={dialog.deletion} close={close} />}
      <Toasts closeLabel={texts.actions.close} />
      <LiveRegion />
    </ShellContext.Provider>
  )
}
