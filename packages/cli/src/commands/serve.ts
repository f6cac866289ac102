import type { Session } from '../program/session.ts'

/** The options of `serve`. They win over the environment variables. */
export interface ServeCommandOptions {
  readonly config?: string
  readonly port?: number
  readonly host?: string
  readonly dataDir?: string
}

/**
 * Runs the server until a signal ends it. If the server can't start, the command prints one line and exits with code 1.
 */
export async function serveCommand({ env, stderr }: Session, options: ServeCommandOptions): Promise<void> {
  const { port, host, dataDir } = options
  const flagValues = { PORT: port?.toString(), HOST: host, DATA_DIR: dataDir }
  const flags = Object.fromEntries(Object.entries(flagValues).filter(([, value]) => value !== undefined))
  try {
    const { serve } = await import('../server/serve.ts')
    await serve({ env: { ...env, ...flags }, configFile: options.config })
  } catch (error) {
    stderr.line((error as Error).message)
    // Open connections to Postgres and Redis would keep the process alive.
    process.exit(1)
  }
}
