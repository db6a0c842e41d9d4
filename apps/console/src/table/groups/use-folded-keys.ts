import { useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'

/** The folded groups of a table, which the browser keeps for its member. */
export function useFoldedKeys(table: string) {
  const { workspace, me } = useConsole()
  const name = `console.folded.${workspace.id}.${me.id}.${table}`
  const [, redraw] = useState({})
  const folded = new Set(readKeys(name))
  return {
    has: (key: string | null) => folded.has(key),
    set(key: string | null, isFolded: boolean): void {
      if (isFolded) folded.add(key)
      else folded.delete(key)
      localStorage.setItem(name, JSON.stringify([...folded]))
      redraw({})
    },
  }
}

/** Reads what any version of the console may have written. */
function readKeys(name: string): readonly (string | null)[] {
  try {
    const keys: unknown = JSON.parse(localStorage.getItem(name) ?? '[]')
    return Array.isArray(keys) ? keys : []
  } catch {
    return []
  }
}
