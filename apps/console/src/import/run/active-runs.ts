import type { ImportRun } from './import-run.ts'

const runs = new Map<string, ImportRun>()

/** The run of an import that was started in this tab, whatever page is shown. */
export function findRun(id: string): ImportRun | undefined {
  return runs.get(id)
}

/** Starts a run, which goes on when its page is left. The browser asks before the tab is closed. */
export async function startRun(id: string, run: ImportRun): Promise<void> {
  runs.set(id, run)
  const warn = (event: BeforeUnloadEvent) => event.preventDefault()
  addEventListener('beforeunload', warn)
  await run.start()
  removeEventListener('beforeunload', warn)
}

export function forgetRun(id: string): void {
  runs.delete(id)
}
