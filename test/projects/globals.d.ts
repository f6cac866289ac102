/** The globals of other runtimes that the projects use and the compiler does not know. */
declare const Bun: {
  serve(options: {
    readonly port: string | number
    readonly idleTimeout: number
    readonly fetch: (request: Request) => Promise<Response>
  }): { readonly url: URL; stop(): Promise<void> }
}
declare const Deno: {
  readonly env: { get(name: string): string | undefined }
  addSignalListener(signal: 'SIGTERM', listener: () => void): void
  exit(): never
}
