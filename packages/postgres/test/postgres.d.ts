export interface TestPostgres {
  readonly url: string
  stop(): Promise<void>
}
/** `undefined` where npm has no PostgreSQL for this machine. */
export declare function startPostgres(options?: { readonly durable?: boolean }): Promise<TestPostgres | undefined>
//# sourceMappingURL=postgres.d.ts.map
