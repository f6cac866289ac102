import {
  accepts,
  callable,
  checkBaseUrl,
  checkOptions,
  listOf,
  optional,
  type OptionTable,
  text,
  type Webhooks,
} from '@genmount/core'
import { postThrough, type WebhookFetch } from './post-through.ts'
import { receiverRefusal } from './receiver-refusal.ts'
import { signedHeaders } from './signed-headers.ts'
import { webhookBody } from './webhook-body.ts'

/** The options of {@link signedWebhooks}. */
export interface SignedWebhooksOptions {
  /** The public URL at which the /v1 interface is mounted, such as `https://app.example/media`, for the URLs in jobs. */
  readonly baseUrl: string
  /**
   * The secrets of an owner, by which its receivers know that a webhook is genuine: each is `whsec_` and the base64 of 24
   * to 64 random bytes. With several, each webhook carries a signature for each, so that a receiver can change from one
   * to the other. It is called for each try. Without a secret nothing is sent, and the delivery is tried again later.
   */
  readonly secretsOf: (owner: string) => string | readonly string[] | Promise<string | readonly string[]>
  /**
   * The hosts to which webhooks may be sent, such as `hooks.example.org`; those below a host are other hosts. An allowed
   * host must have a public address all the same. @default every host
   */
  readonly allow?: readonly string[] | undefined
  /**
   * Sends the webhooks in place of `guardedPost`, for example where there are no modules of Node. Nobody else keeps it
   * from connecting to private addresses behind host names. @default guardedPost of `@genmount/guarded-fetch`
   */
  readonly fetch?: WebhookFetch | undefined
}

const table = {
  baseUrl: checkBaseUrl,
  secretsOf: callable<SignedWebhooksOptions['secretsOf']>(),
  allow: optional(listOf('a list of host names', text('a host name such as hooks.example.org', isHost))),
  fetch: optional(accepts<WebhookFetch>('a function such as fetch', (value) => typeof value === 'function')),
} satisfies OptionTable<SignedWebhooksOptions>

/**
 * Tells clients of the ends of their jobs, signed as Standard Webhooks and sent to no private address. Clients ask for it
 * with `webhook_url` in a create.
 * @throws TypeError that names the wrong option and says what it accepts
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md version 1.0.0, read in
 *   November 2026
 * @example
 * const webhooks = signedWebhooks({ baseUrl: 'https://app.example/media', secretsOf: (owner) => secrets[owner] ?? [] })
 * const service = createGenerationService({ providers, webhooks })
 */
export function signedWebhooks(options: SignedWebhooksOptions): Webhooks {
  const { baseUrl, secretsOf, allow, fetch } = checkOptions('signedWebhooks', options, table)
  const allowed = allow && new Set(allow.map((host) => host.toLowerCase()))
  const post = postThrough(fetch)
  return {
    refusal: (url) => receiverRefusal(url, allowed),
    async send({ id, event, job, url, at, signal }) {
      // What is allowed may have changed since the job was created.
      const refused = receiverRefusal(new URL(url), allowed)
      if (refused !== undefined) return { error: `The URL ${refused}`, isLasting: true }
      const secrets = [await secretsOf(job.owner)].flat()
      if (secrets.length === 0) return { error: 'The service has no secret to sign with.' }
      const body = webhookBody(event, job, baseUrl)
      const headers = await signedHeaders({ id, at, body, secrets })
      return post(url, { body, headers, signal, owner: job.owner, now: at })
    },
  }
}

function isHost(value: string): boolean {
  return URL.parse(`https://${value}/`)?.hostname === value.toLowerCase()
}
