const KEY = 'console.return-path'

/** Remembers the present page for the time after the next sign-in, which leads to the start page. */
export function saveReturnPath(): void {
  sessionStorage.setItem(KEY, `${location.pathname}${location.search}`)
}

/** The page before the sign-in, once. */
export function takeReturnPath(): string | undefined {
  const path = sessionStorage.getItem(KEY) ?? undefined
  sessionStorage.removeItem(KEY)
  return path
}
