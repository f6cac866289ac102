import type { Environment } from '../vendors/environment.ts'
import type { Job } from '@genmount/client'
import type { WriteStream } from 'node:tty'

/** What one run of the program has around it, and what it knows for its last words. */
export interface Session {
  readonly env: Environment
  readonly stdout: WriteStream
  readonly stderr: WriteStream
  readonly stdin: NodeJS.ReadStream
  /** Aborts with Ctrl-C. */
  readonly signal: AbortSignal
  /** The address of the server, once it is known. */
  url?: string
  /** Where the key came from, in words. */
  keySource?: string
  /** The options of the server as they were typed, for the commands that are proposed. */
  typed?: string
  /** The job that is meant, as it was last known. */
  job?: Job
  /** Whether a create is under way whose job is not known yet. */
  isCreating?: boolean
  /** Whether results and errors are JSON. */
  isJson?: boolean
}
