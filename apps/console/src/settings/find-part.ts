/** The part of the settings that a path is in: the first one for the path of the settings themselves. */
export function findPart<Part extends { readonly path: string }>(
  parts: readonly Part[],
  path: string,
): Part | undefined {
  if (path === '/settings' || path === '/settings/') return parts[0]
  return parts.find((part) => path === part.path || path.startsWith(`${part.path}/`))
}
