import type { CrmClient, Import, ImportChanges } from '@sales-crm/client'
import {
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useRef } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { explainError } from '../cache/explain-error.ts'
import { readAll } from '../reference/queries.ts'
import { showError } from '../ui/toasts.tsx'
import { applyChanges } from './apply-changes.ts'
import { isUnderWay } from './steps/find-step.ts'

const POLL_MS = 1_000
const PAGE_SIZE = 50
const MAX_PAGE_SIZE = 100

const keyOf = (id: string) => ['imports', 'detail', id]

/** An import, read again each second while something is under way. */
export function useImport(id: string) {
  const { crm } = useConsole()
  const client = useQueryClient()
  const query = useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => crm.imports.get(id, { signal }),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data.state) ? POLL_MS : false),
  })
  const state = query.data?.state
  const before = useRef(state)
  useEffect(() => {
    // What a run or a reversal has written is in other lists.
    if (before.current === 'running' || before.current === 'reverting') refreshOthers(client)
    before.current = state
  }, [state, client])
  return query
}

function refreshOthers(client: QueryClient): void {
  void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] !== 'detail' })
}

/** Shows an import as the service has answered it. */
export function useShownImport(): (current: Import) => void {
  const client = useQueryClient()
  return (current) => client.setQueryData(keyOf(current.id), current)
}

/** The imports that the member may see, the newest first. */
export function useImports() {
  const { crm } = useConsole()
  return useInfiniteQuery({
    queryKey: ['imports', 'list'],
    queryFn: async ({ pageParam, signal }) => {
      const { data, meta } = await crm.imports.list({ page: pageParam, per_page: PAGE_SIZE }, { signal })
      return { data, meta }
    },
    // It goes on while nobody looks at it.
    refetchOnMount: 'always',
    initialPageParam: 1,
    getNextPageParam: ({ meta }) => (meta.has_more ? meta.page + 1 : undefined),
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.data.some((each) => isUnderWay(each.state)) ? POLL_MS : false,
  })
}

/** The records that a reversal has left, up to a thousand. */
export function useKept(id: string) {
  const { crm } = useConsole()
  return useQuery({
    queryKey: ['imports', 'kept', id],
    queryFn: () => readAll(crm.imports.kept(id, { per_page: MAX_PAGE_SIZE })),
  })
}

/** Changes columns and rules, one change after the other. Each shows at once. */
export function useImportUpdate(id: string): (changes: ImportChanges) => void {
  const { crm, texts } = useConsole()
  const client = useQueryClient()
  const mutationKey = ['imports', 'update', id]
  const { mutate } = useMutation({
    mutationKey,
    scope: { id: `import ${id}` },
    mutationFn: (changes: ImportChanges) => crm.imports.update(id, changes),
    async onMutate(changes) {
      await client.cancelQueries({ queryKey: keyOf(id) })
      client.setQueryData<Import>(keyOf(id), (before) => before && applyChanges(before, changes))
    },
    onSuccess(current) {
      if (client.isMutating({ mutationKey }) === 1) client.setQueryData(keyOf(id), current)
    },
    onError(error) {
      showError(texts.errors.notSaved(explainError(error, texts)))
      void client.invalidateQueries({ queryKey: keyOf(id) })
    },
  })
  return mutate
}

/**
 * Sends a step of an import, after the changes that are on their way.
 * @param answersError true if it deals with an error, which is said in a toast otherwise
 */
export function useImportStep(id: string, answersError: (error: unknown) => boolean = () => false) {
  const { crm, texts } = useConsole()
  const client = useQueryClient()
  return useMutation({
    scope: { id: `import ${id}` },
    mutationFn: (send: (imports: CrmClient['imports']) => Promise<Import>) => send(crm.imports),
    onSuccess(current) {
      client.setQueryData(keyOf(id), current)
      void client.invalidateQueries({ queryKey: ['imports', 'list'] })
    },
    onError(error) {
      if (!answersError(error)) showError(texts.errors.notSaved(explainError(error, texts)))
      void client.invalidateQueries({ queryKey: keyOf(id) })
    },
  })
}
