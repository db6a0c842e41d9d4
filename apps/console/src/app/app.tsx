import type { Workspace } from '@sales-crm/client'
import { type QueryClient, QueryClientProvider, skipToken, useQuery } from '@tanstack/react-query'
import type { ComponentChildren } from 'preact'
import { Suspense } from 'preact/compat'
import { useMemo } from 'preact/hooks'
import { Route, Router, Switch, useLocation } from 'wouter'
import { OtherTabs, setOtherTabs } from '../cache/other-tabs.ts'
import { deleteDrafts } from '../create/draft-storage.ts'
import { KINDS } from '../records/kinds.ts'
import { BASE_PATH } from '../session/page-settings.ts'
import { LoadBoundary, LoadError } from '../shell/load-boundary.tsx'
import { Shell } from '../shell/shell.tsx'
import { type Console, ConsoleContext, createConsole } from './console-context.ts'
import { NotFoundPage } from './not-found-page.tsx'
import { NowProvider } from './now.tsx'
import { ImportPage, OpenImportPage, PAGES, RecordPage, SettingsPage, WelcomePage } from './pages.tsx'

interface AppProps {
  readonly console: Console
  readonly queries: QueryClient
}

/** Another tab has signed out: nothing of this member stays on the screen. */
function leaveConsole(): void {
  deleteDrafts()
  location.assign(`${BASE_PATH}/sign-in`)
}

/** The pages of an open workspace, below `/w/{slug}`. */
export function App({ console, queries }: AppProps) {
  useMemo(
    () => setOtherTabs(new OtherTabs(console.workspace.id, queries, leaveConsole)),
    [queries, console.workspace.id],
  )
  return (
    <QueryClientProvider client={queries}>
      <ConsoleProvider opened={console}>
        <Router base={`${BASE_PATH}/w/${console.workspace.slug}`}>
          <NowProvider>
            <Shell>
              <LoadedPages />
            </Shell>
          </NowProvider>
        </Router>
      </ConsoleProvider>
    </QueryClientProvider>
  )
}

interface ConsoleProviderProps {
  readonly opened: Console
  readonly children: ComponentChildren
}

/** Follows the settings of the workspace: amounts are written in a new way as soon as it was saved. */
function ConsoleProvider({ opened, children }: ConsoleProviderProps) {
  const { data: workspace = opened.workspace } = useQuery<Workspace>({
    queryKey: ['workspace'],
    queryFn: skipToken,
  })
  const value = useMemo(
    () => (workspace === opened.workspace ? opened : createConsole({ ...opened, workspace }, opened.texts)),
    [opened, workspace],
  )
  return <ConsoleContext.Provider value={value}>{children}</ConsoleContext.Provider>
}

function LoadedPages() {
  const [path] = useLocation()
  return (
    <Suspense fallback={null}>
      <LoadBoundary attempt={path} fallback={<LoadError retry={() => location.reload()} />}>
        <Pages />
      </LoadBoundary>
    </Suspense>
  )
}

function Pages() {
  return (
    <Switch>
      {PAGES.map(({ path, component }) => (
        <Route key={path} path={path} component={component} />
      ))}
      <Route path="/import" component={ImportPage} />
      <Route path="/imports/:id">
        {({ id }: { readonly id: string }) => <OpenImportPage key={id} id={id} />}
      </Route>
      {KINDS.map((kind) => (
        <Route key={kind} path={`/${kind}/:id`}>
          {({ id }: { readonly id: string }) => <RecordPage key={id} kind={kind} id={id} />}
        </Route>
      ))}
      <Route path="/settings/*?" component={SettingsPage} />
      <Route path="/welcome" component={WelcomePage} />
      <Route component={NotFoundPage} />
    </Switch>
  )
}
