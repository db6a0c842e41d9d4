/** Matches `from '…'`, `import '…'` and `import('…')`, of values and of types. */
const IMPORT =
  /^\s*(?:(?:import|export|\})[^'"\n=]*\bfrom|import) (['"])([^'"\s]+)\1|\bimport\((['"])([^'"\s]+)\3/gm

/** Returns the specifiers that a source text imports. */
export function importedBy(source: string): string[] {
  return Array.from(
    source.matchAll(IMPORT),
    ([, , specifier, , dynamicSpecifier]) => (specifier ?? dynamicSpecifier)!,
  )
}

export function isLocal(name: string): boolean {
  return name.startsWith('.')
}

/** `@sales-crm/core/ports` → `@sales-crm/core`; `hono/html` → `hono`. */
export function packageOf(name: string): string {
  return name.startsWith('node:') ? name : name.split('/', name.startsWith('@') ? 2 : 1).join('/')
}
