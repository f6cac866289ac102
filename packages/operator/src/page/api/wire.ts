/** A page of a list. */
export interface List<Item> {
  readonly data: readonly Item[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}

export type Feature = 'usage' | 'grants' | 'webhooks' | 'audit' | 'list' | 'task_ids'

/** How the process that answers is. */
export interface Overview {
  readonly operator: string
  readonly as_of: string
  readonly status: string
  readonly store: { readonly is_reachable: boolean; readonly latency_ms: number | null }
  readonly due: { readonly count: number; readonly oldest_lag_ms: number } | null
  readonly clock: { readonly is_believed: boolean; readonly believed_at: string | null }
  readonly waiters: number
  readonly steps_under_way: number
  readonly providers: readonly ProviderState[]
  readonly features: Readonly<Record<Feature, boolean>>
  readonly models: readonly string[]
}

export interface ProviderState {
  readonly name: string
  readonly breaker: string
  readonly steps_under_way: number
  readonly steps_waiting: number
}

export type Act = 'cancel' | 'delete' | 'retry' | 'deliver'

export interface OperatorJob {
  readonly id: string
  readonly owner: string
  readonly key: string | null
  readonly model: string
  readonly kind: string
  readonly provider: string | null
  readonly route: string | null
  readonly provider_model: string | null
  readonly phase: string
  readonly status: 'processing' | 'completed' | 'failed'
  readonly created_at: string
  readonly started_at: string | null
  readonly completed_at: string | null
  readonly updated_at: string | null
  readonly due_at: string | null
  readonly deadline_at: string | null
  readonly expires_at: string
  readonly attempts: number
  readonly waits_for: string | null
  readonly setback: { readonly why: string; readonly at: string } | null
  readonly task_id: string | null
  readonly handle: unknown
  readonly cost_usd: number | null
  readonly reserved_usd: number | null
  readonly error: { readonly code: string; readonly message: string; readonly detail: string | null } | null
  readonly outputs: number
  readonly webhook: Webhook | null
  readonly can: Readonly<Record<Act, boolean>>
}

export interface Webhook {
  readonly url: string
  readonly events: readonly string[]
  readonly next_attempt_at: string | null
  readonly failed: number
  readonly attempts: readonly Delivery[]
}

export interface Delivery {
  readonly event: string
  readonly attempted_at: string
  readonly status: string
  readonly response_status: number | null
  readonly error: string | null
}

/** A job with what only its own page shows. */
export interface WholeJob extends OperatorJob {
  readonly input: unknown
}

export interface AuditEntry {
  readonly id: string
  readonly at: string
  readonly by: string
  readonly action: string
  readonly why: string
  readonly job: string | null
  readonly owner: string | null
  readonly outcome: string | null
}

export interface ActAnswer {
  readonly act: AuditEntry
  readonly job: OperatorJob | null
}

/** What a group of jobs has cost. */
export interface UsageRow {
  readonly day?: string
  readonly model?: string
  readonly key?: string | null
  readonly owner?: string
  readonly jobs: number
  readonly failed: number
  readonly outputs: number
  readonly cost_usd: number
  readonly unknown_costs: number
  readonly reserved_usd: number
}

export interface Usage extends UsageRow {
  readonly from: string
  readonly to: string
  readonly data: readonly UsageRow[]
  readonly has_more: boolean
}

/** What an owner has spent in a period, and what is reserved for jobs of it whose cost nobody knows. */
export interface SpentAmounts {
  readonly spent_usd: number
  readonly reserved_usd: number
}

export interface Budgets {
  readonly owner: string
  /** For unfinished jobs. */
  readonly reserved_usd: number
  readonly last_24_hours: SpentAmounts
  readonly month: SpentAmounts
  readonly granted_usd: number
  readonly balance_usd: number
  readonly limits: {
    readonly usd_per_day: number | null
    readonly usd_per_month: number | null
    /** Whether the owner's jobs must fit into what was granted. */
    readonly has_balance: boolean
    readonly running_jobs: number | null
    readonly requests_per_minute: number | null
  } | null
}

export interface Grant {
  readonly id: string
  readonly owner: string
  readonly usd: number
  readonly by?: string | null
  readonly why?: string | null
  readonly granted_at: string
}

/** A key with which jobs were made. */
export interface SeenKey {
  readonly owner: string
  readonly key: string | null
  readonly jobs: number
  readonly failed: number
  readonly last_day: string | null
  readonly cost_usd: number
}

/** What came of a test of a webhook. */
export interface WebhookTest {
  readonly delivery: Delivery
}
