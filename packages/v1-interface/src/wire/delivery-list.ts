import type { DeliveryAttempt, JobWebhook } from '@genmount/core'

/** The deliveries of a job, the latest first. */
export function deliveryList({ attempts = [], dueAt }: JobWebhook = { url: '', events: [] }) {
  return {
    object: 'list',
    data: attempts.toReversed().map(deliveryObject),
    next_attempt_at: dueAt === undefined ? null : timestamp(dueAt),
  }
}

function deliveryObject({ event, at, status, error }: DeliveryAttempt) {
  return {
    object: 'delivery',
    event,
    attempted_at: timestamp(at),
    status: error === undefined ? 'delivered' : 'failed',
    response_status: status ?? null,
    error: error ?? null,
  }
}

function timestamp(at: number): string {
  return new Date(at).toISOString()
}
