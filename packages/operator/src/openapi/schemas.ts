const string = { type: 'string' }
const instant = { type: 'string', format: 'date-time' }
const count = { type: 'integer', minimum: 0 }
const amount = { type: 'number' }
const flag = { type: 'boolean' }

type Schema = Readonly<Record<string, unknown>>

/** The schema, or `null`. */
function orNull(schema: Schema): Schema {
  return typeof schema['type'] === 'string'
    ? { ...schema, type: [schema['type'], 'null'] }
    : { anyOf: [schema, { type: 'null' }] }
}

/** An object that has these fields, and no others. @param object the value of its field `object` */
function shape(properties: Readonly<Record<string, Schema>>, object?: string): Schema {
  const all = { ...(object && { object: { type: 'string', enum: [object] } }), ...properties }
  return { type: 'object', properties: all, required: Object.keys(all), additionalProperties: false }
}

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const listOf = (items: Schema) =>
  shape({ data: { type: 'array', items }, has_more: flag, next_cursor: orNull(string) }, 'list')

const delivery = {
  event: { type: 'string', enum: ['job.completed', 'job.failed', 'webhook.test'] },
  attempted_at: instant,
  status: { type: 'string', enum: ['delivered', 'failed'] },
  response_status: orNull({ type: 'integer' }),
  error: orNull(string),
}

const job = {
  id: string,
  owner: string,
  key: orNull(string),
  model: string,
  kind: { type: 'string', enum: ['image', 'video'] },
  provider: orNull(string),
  route: orNull(string),
  provider_model: orNull(string),
  phase: { type: 'string', enum: ['accepted', 'submitting', 'running', 'collecting', 'completed', 'failed'] },
  status: { type: 'string', enum: ['processing', 'completed', 'failed'] },
  created_at: instant,
  started_at: orNull(instant),
  completed_at: orNull(instant),
  updated_at: orNull(instant),
  due_at: orNull(instant),
  deadline_at: instant,
  expires_at: instant,
  attempts: { ...count, description: 'How many tries have failed since a step last succeeded.' },
  waits_for: { ...orNull(string), description: 'What it waits for and until when, in a sentence.' },
  setback: orNull(shape({ why: string, at: instant })),
  task_id: { ...orNull(string), description: 'The id of its task at the vendor.' },
  handle: { description: 'By what the provider finds the task, in JSON.' },
  cost_usd: { ...orNull(amount), description: '`null` while it is not known.' },
  reserved_usd: orNull(amount),
  error: orNull(shape({ code: string, message: string, detail: orNull(string) })),
  outputs: count,
  webhook: orNull(
    shape({
      url: string,
      events: { type: 'array', items: string },
      next_attempt_at: orNull(instant),
      failed: count,
      attempts: { type: 'array', items: ref('OperatorDelivery') },
    }),
  ),
  can: shape({ cancel: flag, delete: flag, retry: flag, deliver: flag }),
}

const sums = shape({ from: instant, spent_usd: amount, reserved_usd: amount })
const spending = { usd_per_day: orNull(amount), usd_per_month: orNull(amount) }
const provider = {
  name: string,
  breaker: { type: 'string', enum: ['closed', 'open'] },
  steps_under_way: count,
  steps_waiting: count,
}
const features = { usage: flag, grants: flag, webhooks: flag, audit: flag, list: flag, task_ids: flag }

/** The schemas of what operators read, by their names. */
export const operatorSchemas: Readonly<Record<string, Schema>> = {
  OperatorJob: shape(job, 'operator_job'),
  OperatorJobDetail: shape(
    { ...job, input: { type: 'object' }, deliveries: { type: 'array', items: ref('OperatorDelivery') } },
    'operator_job',
  ),
  OperatorJobList: listOf(ref('OperatorJob')),
  OperatorDelivery: shape(delivery, 'delivery'),
  OperatorAuditEntry: shape(
    {
      id: string,
      at: instant,
      by: string,
      action: string,
      why: string,
      job: orNull(string),
      owner: orNull(string),
      outcome: { ...orNull(string), description: '`null` while it is not known.' },
    },
    'audit_entry',
  ),
  OperatorAuditList: listOf(ref('OperatorAuditEntry')),
  OperatorJobAct: shape({ act: ref('OperatorAuditEntry'), job: orNull(ref('OperatorJob')) }, 'operator_act'),
  OperatorGrantAct: shape({ act: ref('OperatorAuditEntry'), grant: ref('OperatorGrant') }, 'operator_act'),
  OperatorWebhookTest: shape(
    { act: ref('OperatorAuditEntry'), delivery: ref('OperatorDelivery') },
    'operator_act',
  ),
  OperatorGrant: shape(
    { id: string, owner: string, usd: amount, by: string, why: string, granted_at: instant },
    'grant',
  ),
  OperatorGrantList: listOf(ref('OperatorGrant')),
  OperatorKeyList: listOf(
    shape(
      {
        owner: string,
        key: orNull(string),
        jobs: count,
        failed: count,
        cost_usd: amount,
        last_day: orNull({ type: 'string', format: 'date' }),
      },
      'operator_key',
    ),
  ),
  OperatorBudgets: shape(
    {
      owner: string,
      as_of: instant,
      reserved_usd: { ...amount, description: 'What is reserved for unfinished jobs.' },
      last_24_hours: { ...sums, description: 'What limits.usd_per_day is compared with.' },
      today: sums,
      month: sums,
      granted_usd: amount,
      balance_usd: { ...amount, description: 'What is left of all grants.' },
      limits: orNull(
        shape({
          ...spending,
          key: orNull(shape(spending)),
          has_balance: flag,
          running_jobs: orNull(count),
          requests_per_minute: orNull(count),
          stored_bytes: orNull(count),
        }),
      ),
    },
    'operator_budgets',
  ),
  OperatorOverview: shape(
    {
      operator: { ...string, description: 'Whose key it is.' },
      as_of: instant,
      status: { type: 'string', enum: ['ok', 'degraded', 'unavailable', 'closing'] },
      store: shape({ is_reachable: flag, latency_ms: amount }),
      due: orNull(shape({ count, oldest_lag_ms: amount })),
      clock: shape({ is_believed: flag, believed_at: orNull(instant) }),
      waiters: count,
      steps_under_way: count,
      providers: { type: 'array', items: shape(provider) },
      features: shape(features),
      models: { type: 'array', items: string },
    },
    'operator_overview',
  ),
}
