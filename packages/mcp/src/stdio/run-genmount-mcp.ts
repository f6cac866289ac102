import { createClient } from '@genmount/client'
import { serveMcpOnStdio, type StdioServer } from './serve-mcp-on-stdio.ts'

/** The environment of `genmount-mcp`. */
export interface McpEnvironment {
  /** The address of the service, without `/v1`. */
  readonly GENMOUNT_URL?: string | undefined
  /** The API key. @default none */
  readonly GENMOUNT_API_KEY?: string | undefined
  /** How many US dollars agents may spend with the key in any 24 hours. @default no limit but that of the service */
  readonly GENMOUNT_MAX_COST_USD?: string | undefined
}

/**
 * Runs the program `genmount-mcp`, which serves the tools over stdio.
 * @throws TypeError that names the environment variable that is missing or wrong
 */
export function runGenmountMcp(environment: McpEnvironment): StdioServer {
  const { GENMOUNT_URL: baseUrl, GENMOUNT_API_KEY: apiKey, GENMOUNT_MAX_COST_USD: limit } = environment
  if (!baseUrl || !/^https?:\/\/(?!.*\/v1\/*$)/i.test(baseUrl) || !URL.canParse(baseUrl))
    throw new TypeError(
      'GENMOUNT_URL must be the address of the server in front of /v1, such as http://127.0.0.1:3000.',
    )
  const maxCostUsd = limit ? Number(limit) : undefined
  if (maxCostUsd !== undefined && !(maxCostUsd >= 0))
    throw new TypeError('GENMOUNT_MAX_COST_USD must be a number of US dollars, such as 2.50.')
  return serveMcpOnStdio({ client: createClient({ baseUrl, apiKey: apiKey || undefined }), maxCostUsd })
}
