type WriteLine = {
  (message: string): void
  (fields: object, message?: string): void
}

/** What the service requires of a log. A logger of pino, and thus Fastify's, has it. */
export interface ServiceLog {
  /** A line for each request, and what the background work does. */
  readonly info: WriteLine
  /** What an operator should look at. */
  readonly warn: WriteLine
  /** What failed unexpectedly. */
  readonly error: WriteLine
}
