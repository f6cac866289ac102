import type { Environment } from '../vendors/environment.ts'
import type { Job } from '@genmount/client'
import type { Printer } from '../terminal/printer.ts'

/** The surroundings of one run of the program, and what the program knows for its error message. */
export interface Session {
  readonly env: Environment
  readonly stdout: Printer
  readonly stderr: Printer
  readonly stdin: NodeJS.ReadStream
  /** Aborts with Ctrl-C. */
  readonly signal: AbortSignal
  /** The address of the server, once it is known. */
  url?: string
  /** Where the key came from, as words for messages. */
  keySource?: string
  /** The options that choose the server, as the user typed them. Commands that a message proposes repeat them. */
  typed?: string
  /** The job that the command is about, as last read from the server. */
  job?: Job
  /** Whether a create was sent and not answered yet. */
  isCreating?: boolean
  /** Whether results and errors are written as JSON. */
  isJson?: boolean
}
