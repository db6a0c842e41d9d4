import { useLocation, useRouter } from 'wouter'
import type { Command } from '../ui/command-dialog.tsx'

/** Opens a page of the workspace. */
export function useLinkCommand(): (path: string) => Pick<Command, 'id' | 'href' | 'run'> {
  const [, navigate] = useLocation()
  const { base } = useRouter()
  return (path) => ({ id: path, href: `${base}${path}`, run: () => navigate(path) })
}
