/** Whom a commit wakes. One that throws keeps nobody else from being called. */
export function listeners() {
  const all = new Set<{ readonly call: () => void }>()
  return {
    add(listener: () => void): () => void {
      const added = { call: listener }
      all.add(added)
      return () => all.delete(added)
    },
    call(): void {
      for (const { call } of all) {
        try {
          call()
        } catch {
          // What woke them is committed, and stays so.
        }
      }
    },
  }
}
