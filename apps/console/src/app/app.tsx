import type { Workspace } from '@sales-crm/client'
import { type QueryClient, QueryClientProvider, skipToken, useQuery } from '@tanstack/react-query'
import type { ComponentChildren } from 'preact'
import { lazy, Suspense } from 'preact/compat'
import { useMemo } from 'preact/hooks'
import { Route, Router, Switch, useLocation, useSearch } from 'wouter'
import { OtherTabs } from '../cache/other-tabs.ts'
import { setOtherTabs } from '../cache/tabs-context.ts'
import { deleteDrafts } from '../create/draft-storage.ts'
import { BoardPage } from '../deals/board/board-page.tsx'
import { IMPORT_KINDS } from '../import/can-import.ts'
import { MyDayPage } from '../my-day/my-day-page.tsx'
import type { Kind } from '../records/kinds.ts'
import { BASE_PATH } from '../session/page-settings.ts'
import { LoadBoundary } from '../shell/load-boundary.tsx'
import { LoadFault } from '../shell/load-fault.tsx'
import { Shell } from '../shell/shell.tsx'
import { type Console, ConsoleContext, createConsole } from './console-context.ts'
import { NotFoundPage } from './not-found-page.tsx'
import { NowProvider } from './now.tsx'

// My day and the board are where most visits begin: they come with the entry. The others are loaded on demand.
const DealsTablePage = lazy(async () => ({
  default: (await import('../deals/deals-table-page.tsx')).DealsTablePage,
}))
const PeoplePage = lazy(async () => ({ default: (await import('../people/people-page.tsx')).PeoplePage }))
const CompaniesPage = lazy(async () => ({
  default: (await import('../companies/companies-page.tsx')).CompaniesPage,
}))
const ImportPage = lazy(async () => ({ default: (await import('../import/import-page.tsx')).ImportPage }))
const ProductsPage = lazy(async () => ({
  default: (await import('../products/products-page.tsx')).ProductsPage,
}))
const TasksPage = lazy(async () => ({ default: (await import('../tasks/tasks-page.tsx')).TasksPage }))
const RecordPage = lazy(async () => ({ default: (await import('../records/record-page.tsx')).RecordPage }))
const ReportsPage = lazy(async () => ({ default: (await import('../reports/reports-page.tsx')).ReportsPage }))
const WelcomePage = lazy(async () => ({ default: (await import('./welcome-page.tsx')).WelcomePage }))
const SettingsPage = lazy(async () => ({
  default: (await import('../settings/settings-page.tsx')).SettingsPage,
}))

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

const KINDS: readonly Kind[] = ['people', 'companies', 'deals']

function LoadedPages() {
  const [path] = useLocation()
  return (
    <Suspense fallback={null}>
      <LoadBoundary attempt={path} fallback={<LoadFault retry={() => location.reload()} />}>
        <Pages />
      </LoadBoundary>
    </Suspense>
  )
}

function Pages() {
  return (
    <Switch>
      <Route path="/" component={MyDayPage} />
      <Route path="/deals" component={DealsPage} />
      <Route path="/people" component={PeoplePage} />
      <Route path="/companies" component={CompaniesPage} />
      <Route path="/products" component={ProductsPage} />
      <Route path="/tasks" component={TasksPage} />
      {IMPORT_KINDS.map((kind) => (
        <Route key={kind} path={`/import/${kind}`}>
          <ImportPage key={kind} kind={kind} />
        </Route>
      ))}
      {KINDS.map((kind) => (
        <Route key={kind} path={`/${kind}/:id`}>
          {({ id }: { readonly id: string }) => <RecordPage key={id} kind={kind} id={id} />}
        </Route>
      ))}
      <Route path="/reports" component={ReportsPage} />
      <Route path="/settings/*?" component={SettingsPage} />
      <Route path="/welcome" component={WelcomePage} />
      <Route component={NotFoundPage} />
    </Switch>
  )
}

function DealsPage() {
  const view = new URLSearchParams(useSearch()).get('view')
  return view === 'table' ? <DealsTablePage /> : <BoardPage />
}
