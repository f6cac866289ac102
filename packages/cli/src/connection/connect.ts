import { readFileSync } from 'node:fs'
import { type AnyModels, type Client, createClient } from '@genmount/client'
import { isLoopbackHost } from '@genmount/core/addresses'
import type { Session } from '../program/session.ts'
import { UsageError } from '../program/usage-error.ts'
import { checkedClient } from './checked-client.ts'

/** The options of every command that sends requests to a server. */
export interface ConnectionOptions {
  readonly url?: string
  readonly keyFile?: string
  readonly json?: boolean
}

/** Where "genmount serve" listens. */
const localUrl = 'http://127.0.0.1:3000'
/** The key that "genmount serve" accepts if the operator sets no keys. */
const knownKey = 'dev-key'

/**
 * Makes the client of the chosen server, and records its address in the session.
 * @param maxRetries how many times a request is retried at most. The default is low, so that a wrong address is
 * reported soon. A command that waits for a running job uses more.
 * @throws UsageError
 */
export function connect(session: Session, options: ConnectionOptions, maxRetries = 2): Client<AnyModels> {
  const baseUrl = options.url ?? (session.env['GENMOUNT_URL'] || localUrl)
  session.url = baseUrl
  session.typed = [['--url', options.url] as const, ['--key-file', options.keyFile] as const]
    .map(([name, value]) => (value === undefined ? '' : ` ${name} ${quoted(value)}`))
    .join('')
  const [key, source] =
    keyOf(session, options) ?? (isOfThisMachine(baseUrl) ? [knownKey, 'the default setting, dev-key'] : [])
  if (source !== undefined) session.keySource = source
  try {
    return checkedClient(createClient({ baseUrl, apiKey: key, maxRetries }))
  } catch (cause) {
    throw new UsageError(
      `--url or GENMOUNT_URL must be an http or https address, such as https://example.org/media, without /v1.`,
      { cause },
    )
  }
}

function keyOf(
  { env }: Session,
  { keyFile }: ConnectionOptions,
): readonly [key: string, source: string] | undefined {
  const fromEnv = env['GENMOUNT_API_KEY']?.trim()
  if (keyFile === undefined)
    return fromEnv ? [visible(fromEnv, 'GENMOUNT_API_KEY'), 'GENMOUNT_API_KEY'] : undefined
  let text: string
  try {
    text = readFileSync(keyFile, 'utf8').trim()
  } catch (cause) {
    throw new UsageError(`--key-file can't be read: ${(cause as Error).message}`, { cause })
  }
  return [visible(text, keyFile), keyFile]
}

function visible(key: string, source: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new UsageError(
    `${source} must have the key, and nothing else: visible ASCII characters without spaces.`,
  )
}

function isOfThisMachine(url: string): boolean {
  const parsed = URL.parse(url)
  return parsed?.protocol === 'http:' && isLoopbackHost(parsed.hostname)
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
