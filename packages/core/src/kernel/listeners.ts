/** Whom a commit wakes. One that throws keeps nobody else from being called. */
export function listeners() {
  const registered = new Set<{ readonly call: () => void }>()
  return {
    add(listener: () => void): () => void {
      const entry = { call: listener }
      registered.add(entry)
      return () => registered.delete(entry)
    },
    notify(): void {
      for (const { call } of registered) {
        try {
          call()
        } catch {
          // What woke them is committed, and stays so.
        }
      }
    },
  }
}
