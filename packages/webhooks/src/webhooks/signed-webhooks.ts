import {
  accepts,
  callable,
  checkBaseUrl,
  checkOptions,
  flag,
  type Job,
  listOf,
  optional,
  type OptionTable,
  text,
  type WebhookSender,
} from '@genmount/core'
import { postThrough, type WebhookFetch } from './post-through.ts'
import { receiverRefusal } from './receiver-refusal.ts'
import { signedHeaders } from './signed-headers.ts'
import { webhookBody } from './webhook-body.ts'

/** The options of {@link signedWebhooks}. */
export interface SignedWebhooksOptions {
  /**
   * The public URL at which the /v1 interface is mounted, such as `https://app.example/media`. The URLs in the jobs
   * begin with it.
   */
  readonly baseUrl: string
  /**
   * Returns the secrets with which the receivers of an owner verify webhooks. Each secret is `whsec_` and the base64 of
   * 24 to 64 random bytes. If there are several secrets, each webhook has one signature per secret, so that a receiver
   * can move from one secret to the next. The function is called for each try. If it returns no secret, the webhook is
   * not sent, and the delivery is tried again later.
   */
  readonly secretsOf: (owner: string) => string | readonly string[] | Promise<string | readonly string[]>
  /**
   * The hosts to which webhooks may be sent, such as `hooks.example.org`. A host does not include its subdomains. An
   * allowed host must still have a public address.
   * @default every host
   */
  readonly allow?: readonly string[] | undefined
  /**
   * For development alone: also accepts http and https URLs whose host is `localhost`, an address from 127.0.0.0/8 or
   * `[::1]`. It opens all web ports of this machine to everybody who may create jobs: 80, 443 and those from 1024 on. It
   * opens no other private address. The service warns at its start.
   * @default false
   */
  readonly allowLoopback?: boolean | undefined
  /**
   * Says more about the outputs of a completed job: what it returns becomes the field `outputs` of the webhook. `outputList` of
   * `@genmount/output-facts` is such a function. An error of it counts as a failed try.
   * @default webhooks have no such field
   */
  readonly outputs?: ((job: Job, baseUrl: string) => unknown) | undefined
  /**
   * Sends the webhooks instead of `guardedPost`, for example where the modules of Node are missing. This function
   * itself must refuse host names that resolve to private addresses: there is no other check.
   * @default guardedPost of `@genmount/guarded-fetch`
   */
  readonly fetch?: WebhookFetch | undefined
}

const table = {
  baseUrl: checkBaseUrl,
  secretsOf: callable<SignedWebhooksOptions['secretsOf']>(),
  allow: optional(listOf('a list of host names', text('a host name such as hooks.example.org', isHost))),
  allowLoopback: optional(flag, false),
  outputs: optional(callable<NonNullable<SignedWebhooksOptions['outputs']>>()),
  fetch: optional(accepts<WebhookFetch>('a function such as fetch', (value) => typeof value === 'function')),
} satisfies OptionTable<SignedWebhooksOptions>

/**
 * Sends the webhooks of the plugin `webhooks`. They are signed as Standard Webhooks, and are never sent to a
 * private address, unless `allowLoopback` opens this machine. Clients request them with `webhook_url` in a create.
 * @throws TypeError that names the wrong option and says what it accepts
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 *   version 1.0.0, read in November 2026
 * @example
 * const sender = signedWebhooks({ baseUrl: 'https://app.example/media', secretsOf: (owner) => secrets[owner] ?? [] })
 * const service = createGenerationService({ providers, plugins: [webhooks(sender)] })
 */
export function signedWebhooks(options: SignedWebhooksOptions): WebhookSender {
  const { baseUrl, secretsOf, allow, allowLoopback, outputs, fetch } = checkOptions(
    'signedWebhooks',
    options,
    table,
  )
  const allowed = allow && new Set(allow.map((host) => host.toLowerCase()))
  const rules = { allowed, allowLoopback }
  const post = postThrough({ fetch, allowLoopback })
  return {
    allowLoopback,
    refusal: (url) => receiverRefusal(url, rules),
    async send({ id, event, job, url, at, signal }) {
      // The options may have changed since the job was created.
      const refused = receiverRefusal(new URL(url), rules)
      if (refused !== undefined) return { error: `The URL ${refused}`, isLasting: true }
      const secrets = [await secretsOf(job.owner)].flat()
      if (secrets.length === 0) return { error: 'The service has no secret to sign with.' }
      const more = event === 'job.completed' ? outputs?.(job, baseUrl) : undefined
      const body = webhookBody(event, job, baseUrl, more)
      const headers = await signedHeaders({ id, at, body, secrets })
      return post(url, { body, headers, signal, owner: job.owner, now: at })
    },
  }
}

function isHost(value: string): boolean {
  return URL.parse(`https://${value}/`)?.hostname === value.toLowerCase()
}
