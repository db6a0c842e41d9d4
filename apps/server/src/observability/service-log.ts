type WriteLine = {
  (message: string): void
  (fields: object, message?: string): void
}

/** What the service requires of a log. A logger of pino, and thus Fastify's, has it. */
export interface ServiceLog {
  readonly info: WriteLine
  readonly warn: WriteLine
  readonly error: WriteLine
}
