/** The listeners of a notification. An error thrown by one does not keep the others from being called. */
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
          // The commit behind the notification stands.
        }
      }
    },
  }
}
