import './styles/tokens.css'
import './styles/base.css'
import { render } from 'preact'
import { App } from './app/app.tsx'
import { createConsole } from './app/console-context.ts'
import { StartError } from './app/start-error.tsx'
import { createQueryClient } from './cache/query-client.ts'
import { deleteDrafts } from './create/draft-storage.ts'
import { reserveInputMethodKeys } from './keyboard/input-method.ts'
import { menuQuery } from './reference/queries.ts'
import { openWorkspace } from './session/open-workspace.ts'
import { BASE_PATH, PAGE_LANGUAGE } from './session/page-settings.ts'
import { takeReturnPath } from './session/return-path.ts'
import type { Texts } from './texts/en.ts'

async function loadTexts(): Promise<Texts> {
  if (PAGE_LANGUAGE === 'pt-BR') return (await import('./texts/pt-br.ts')).ptBr
  return (await import('./texts/en.ts')).en
}

/** The slug of the workspace in the address, which begins with `/w/{slug}`. */
function slugInAddress(): string | undefined {
  const path = location.pathname.slice(BASE_PATH.length)
  return /^\/w\/([^/]+)/.exec(path)?.[1]
}

async function start(root: HTMLElement): Promise<void> {
  const returnPath = takeReturnPath()
  if (returnPath?.startsWith(`${BASE_PATH}/w/`)) history.replaceState(null, '', returnPath)
  const queries = createQueryClient()
  const opening = openWorkspace(slugInAddress(), (crm) => queries.prefetchQuery(menuQuery('pipelines', crm)))
  const [texts] = await Promise.all([loadTexts(), opening.catch(() => undefined)])
  try {
    const opened = await opening
    if (!opened) return render(<StartError texts={texts} />, root)
    const { slug } = opened.workspace
    deleteDrafts(opened.me.id)
    if (slugInAddress() !== slug) history.replaceState(null, '', `${BASE_PATH}/w/${slug}/`)
    render(<App console={createConsole(opened, texts)} queries={queries} />, root)
  } catch (error) {
    render(<StartError texts={texts} error={error} />, root)
  }
}

reserveInputMethodKeys()
void start(document.getElementById('root') as HTMLElement)
