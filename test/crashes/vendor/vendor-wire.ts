import type { TaskWish, VendorKind } from './task-wish.ts'

/** The origin that the vendor gives for its files. Nothing listens there; `vendorFetch` fetches them. */
export const vendorOrigin = 'https://vendor.example'

/** The body of a submit. */
export interface TaskOrder {
  readonly job_id: string
  readonly client_token: string
  readonly kind: VendorKind
  readonly wish: TaskWish
  /** The id of the process that submits. */
  readonly pid?: number | undefined
  /** The address for the callback when the task has finished. */
  readonly callback_url?: string | undefined
}

/** The body of a callback. */
export interface TaskCallback {
  readonly id: string
}

/** The state of a task, as the vendor reports it. */
export interface TaskState {
  readonly id: string
  readonly state: 'running' | 'succeeded' | 'failed'
  readonly cost_usd: number
  readonly poll_after_ms: number
  readonly outputs: readonly { readonly url?: string; readonly base64?: string }[]
}
