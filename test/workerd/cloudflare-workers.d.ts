/** The part of the module of Cloudflare's runtime that the workers here import. */
declare module 'cloudflare:workers' {
  /** https://developers.cloudflare.com/workers/runtime-apis/context/#waituntil (2026-11-27) */
  export function waitUntil(promise: Promise<unknown>): void

  /** https://developers.cloudflare.com/durable-objects/api/base/ (2026-11-27) */
  export class DurableObject<Context = unknown> {
    constructor(ctx: Context, env: unknown)
    protected readonly ctx: Context
  }
}
