import { serveMcpOnStdio } from '@genmount/mcp/stdio'
import { connect, type ConnectionOptions } from '../connection/connect.ts'
import type { Session } from '../program/session.ts'
import { UsageError } from '../program/usage-error.ts'
import { patientRetries } from './followed.ts'

/** The options of `mcp`. */
export interface McpCommandOptions extends ConnectionOptions {
  readonly maxCost?: string
}

/** Serves the tools over standard input and output, until the input ends. */
export function mcp(session: Session, options: McpCommandOptions): void {
  const limit = options.maxCost ?? (session.env['GENMOUNT_MAX_COST_USD'] || undefined)
  const maxCostUsd = limit === undefined ? undefined : Number(limit)
  if (maxCostUsd !== undefined && !(maxCostUsd >= 0))
    throw new UsageError('--max-cost or GENMOUNT_MAX_COST_USD must be a number of US dollars, such as 2.50.')
  serveMcpOnStdio({ client: connect(session, options, patientRetries), maxCostUsd })
}
