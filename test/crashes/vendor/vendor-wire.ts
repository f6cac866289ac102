import type { TaskWish, VendorKind } from './task-wish.ts'

/** Where the vendor says that its files are. It is reached there by nobody: see `vendorFetch`. */
export const vendorOrigin = 'https://vendor.example'

/** The body of a submit. */
export interface TaskOrder {
  readonly job_id: string
  readonly client_token: string
  readonly kind: VendorKind
  readonly wish: TaskWish
  /** Where to tell that the task has finished. */
  readonly callback_url?: string | undefined
}

/** The body of a callback. */
export interface TaskCallback {
  readonly id: string
}

/** What the vendor says of a task. */
export interface TaskState {
  readonly id: string
  readonly state: 'running' | 'succeeded' | 'failed'
  readonly cost_usd: number
  readonly poll_after_ms: number
  readonly outputs: readonly { readonly url?: string; readonly base64?: string }[]
}
