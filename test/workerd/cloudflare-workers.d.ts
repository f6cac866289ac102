/** The part of the module of Cloudflare's runtime that the workers here import. */
declare module 'cloudflare:workers' {
  /** https://developers.cloudflare.com/workers/runtime-apis/context/#waituntil (2026-11-27) */
  export function waitUntil(promise: Promise<unknown>): void

  /** https://developers.cloudflare.com/durable-objects/api/base/ (2026-11-27) */
  export class DurableObject<Env = unknown> {
    constructor(ctx: DurableObjectState, env: Env)
    protected readonly ctx: DurableObjectState
    protected readonly env: Env
  }
}

/** https://developers.cloudflare.com/durable-objects/api/state/ (2026-11-27) */
interface DurableObjectState {
  readonly storage: import('@genmount/backend-cloudflare/durable-object').ObjectStorage
}

/** https://developers.cloudflare.com/durable-objects/api/namespace/ (2026-11-27) */
interface DurableObjectNamespace<Instance extends { fetch(request: Request): Promise<Response> }> {
  getByName(name: string): Pick<Instance, 'fetch'>
}
